// SPDX-License-Identifier: Apache-2.0
// The work that waits on a loop.
#ifndef SWIVEL_INTERNAL_PENDING_H
#define SWIVEL_INTERNAL_PENDING_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A pending timer. `flags` are those of its node's state.
typedef struct swivel_pending {
    swivel_timer timer;
    /// To be compared only: a cancel on another thread may have released the closure.
    swivel_work work;
    uint64_t fire_at_ns; ///< 0: in the next turn.
    uint64_t sequence;
    uint64_t interval_ns; ///< 0: not a repeat.
    uint64_t flags;
    bool is_after_completion;
} swivel_pending;

/// Lists the pending timers that fire first, in order, in half of `room`; one at least. Returns the
/// number of all, which may exceed that.
///
/// **Thread:** the loop's; any within `swivel__resting_enter` and `swivel__resting_leave`.
/// - Complexity: O(n log room) in the number of nodes that were ever in use at once.
size_t swivel__pending(swivel_loop *loop, swivel_pending *list, size_t room);

/// The earliest deadline of the timers that virtual time brings; `SWIVEL_NEVER_NS`: there is none.
/// **Thread:** as above.
/// - Complexity: O(n) in the number of nodes that were ever in use at once.
uint64_t swivel__next_timed(swivel_loop *loop);

/// Posts, and messages about timers, that wait for the next turn. **Thread:** as above.
uint64_t swivel__pending_posts(swivel_loop *loop);

/// Holds up a loop without a thread that is not driven: a thread that comes to drive it waits. False: it
/// is driven, or closes, or has a thread. **Thread:** any; nothing is run or waited for.
bool swivel__resting_enter(swivel_loop *loop);
/// Ends `swivel__resting_enter`.
void swivel__resting_leave(swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
