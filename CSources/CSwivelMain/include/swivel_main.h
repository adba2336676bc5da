// SPDX-License-Identifier: Apache-2.0
/// Dispatch's main queue as the guest of Swivel's loops and waits (internal/turn/guest.h). The
/// module installs it when the program is loaded.
///
/// While the main queue belongs to the process's first thread, a wait there drains it, as
/// Foundation's run loop does. After `dispatch_main` other threads run its blocks; there, and where
/// Dispatch lacks the entry points, a wait can run Swivel's own lane alone.
#ifndef SWIVEL_MAIN_H
#define SWIVEL_MAIN_H

#include "swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Swivel's own lane in front of the main queue.
typedef struct swivel_main_lane {
    /// Calls `drain` once, which runs the main queue's blocks unless one of them is running, then
    /// runs the lane's own work. Returns whether work is left that could run now.
    bool (*serve)(void (*drain)(void));
    /// Parks the thread until `ring` or `until_ns`. May wake for no reason.
    void (*park)(uint64_t until_ns);
    /// Ends a park under way, or the next one. **Thread:** any.
    void (*ring)(void);
} swivel_main_lane;

/// Sets the lane, which lives as long as the process.
///
/// **Thread:** any, once.
/// - Complexity: O(1), no allocation.
void swivel_main_set_lane(const swivel_main_lane *lane);

SWIVEL_ASSUME_NONNULL_END

#endif
