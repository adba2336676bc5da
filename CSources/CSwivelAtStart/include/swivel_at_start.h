// SPDX-License-Identifier: Apache-2.0
// Calls the module SwivelRuntimeAtStart before `main`.
#ifndef SWIVEL_AT_START_H
#define SWIVEL_AT_START_H

/// Installs Swivel's executors. Written in Swift.
void swivel_runtime_at_start(void);

#endif
