// SPDX-License-Identifier: Apache-2.0
// Loops with virtual time: an advance that ends, and a wait that ends.
#ifndef SWIVEL_INTERNAL_MANUAL_H
#define SWIVEL_INTERNAL_MANUAL_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Like `swivel_loop_advance`, with at most `turns` turns at one instant.
///
/// **Thread:** the one that drives the loop. Returns `SWIVEL_OK`; `SWIVEL_ESTUCK` if the turns
/// ran out because work at this instant does not end; `SWIVEL_EDEADLOCK` if another thread drives
/// the loop; or the loop's refusal.
int swivel__advance(swivel_loop *loop, uint64_t instant_ns, uint64_t turns);

/// How long a pump of a manual loop waits for other threads. All zero at first.
typedef struct swivel_patience {
    swivel_mono ends;  ///< Nothing is expected from then on.
    swivel_mono moves; ///< Virtual time may move from then on.
} swivel_patience;

/// Waits in a pump of a manual loop until another thread has sent something, or for `check_ns` if
/// that is not 0. If none does for a hundredth of the loop's patience, and all work that the loop
/// has sent away has returned, virtual time moves to `next_ns`, unless that is never. From then on
/// it moves at once, until another thread sends something. False: there is nothing to move to, and
/// the patience is over. **Thread:** the loop's.
bool swivel__manual_wait(swivel_loop *loop, swivel_patience *patience, uint64_t check_ns,
                         uint64_t next_ns);

/// Has other threads' posts refused with `SWIVEL_EDIVERTED`: the loop's owner keeps them, and
/// chooses their order. **Thread:** the creator's, before anything is posted.
void swivel__divert_posts(swivel_loop *loop);

/// Posts diverted work, for the thread that posted it first. Returns `SWIVEL_OK`, or why the
/// loop refuses: then the work is the caller's. **Thread:** any.
int swivel__post_diverted(swivel_loop *loop, swivel_work work);

/// Posts that the loop's own closures have made. **Thread:** the loop's.
uint64_t swivel__own_posts(swivel_loop *loop);

/// Posts and messages that other threads have sent since the loop was made. **Thread:** any.
uint64_t swivel__sent(swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
