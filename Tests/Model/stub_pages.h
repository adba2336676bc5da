// SPDX-License-Identifier: Apache-2.0
// Pages from the heap, counted.
#ifndef SWIVEL_MODEL_STUB_PAGES_H
#define SWIVEL_MODEL_STUB_PAGES_H

/// Mappings that were not given back.
long pages_live(void);

#endif
