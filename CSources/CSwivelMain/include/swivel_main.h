// SPDX-License-Identifier: Apache-2.0
/// Dispatch's main queue as the event source of Swivel's loops and waits (internal/park/source.h),
/// which the module installs when the program is loaded. A wait on the process's first thread
/// drains it. After `dispatch_main` other threads run its blocks: a wait on one of them, or with a
/// libdispatch that lacks the entry points, runs Swivel's lane alone.
#ifndef SWIVEL_MAIN_H
#define SWIVEL_MAIN_H

#include "swivel_config.h"

#if defined(__linux__)
#include <sys/timerfd.h> // For SwivelDispatch: Swift's modules of the C library leave it out.
#endif

SWIVEL_ASSUME_NONNULL_BEGIN

/// Appends work to the lane, Swivel's own queue in front of the main queue. It runs on the main
/// queue, in order: in a block, or in a wait inside a block; never inside this call.
///
/// **Thread:** any.
/// - `work`: Two words that only `run` understands.
/// - `run`: Runs and releases a piece of work, on the main queue. The same in each call.
/// - Errors: Stops the program if there is no memory.
/// - Complexity: O(1), amortized. The first piece of work since the lane was empty costs a
///   `dispatch_async_f`.
void swivel_main_post(swivel_work work, void (*run)(swivel_work *work));

SWIVEL_ASSUME_NONNULL_END

#endif
