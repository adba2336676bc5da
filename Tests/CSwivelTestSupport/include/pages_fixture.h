// SPDX-License-Identifier: Apache-2.0
/// Memory that a loop has left.
#ifndef SWIVEL_TEST_PAGES_FIXTURE_H
#define SWIVEL_TEST_PAGES_FIXTURE_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Leaves `count` pieces of memory, 8 at most, of `bytes` bytes each, and has them given back. Returns
/// how many steps that took; 0 if one has given more than 512 KB, or if something is still mapped.
uint32_t swivel_pages_fixture_steps(const uint64_t *bytes, uint32_t count);

SWIVEL_ASSUME_NONNULL_END

#endif
