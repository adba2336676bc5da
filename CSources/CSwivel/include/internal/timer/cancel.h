// SPDX-License-Identifier: Apache-2.0
// Cancelling a timer: inline on the loop's own thread; `cancel.c` has all other ways.
#ifndef SWIVEL_INTERNAL_CANCEL_H
#define SWIVEL_INTERNAL_CANCEL_H

#include "timer.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Cancels a timer; after `SWIVEL_CANCELLED` the caller releases `*work`. **Thread:** any.
swivel_cancel_result swivel__cancel(swivel_timer timer, swivel_work *work);

typedef struct swivel_own_cancelled {
    swivel_work work; ///< If the cancel has won: the caller's to release.
    bool has_won;     ///< Else `swivel__cancel` decides.
} swivel_own_cancelled;

/// Cancels a one-shot of the calling thread's own loop that no other thread has touched: its state
/// is its generation and its phase.
__attribute__((always_inline)) static inline swivel_own_cancelled
swivel__own_cancel(swivel_timer timer)
{
    swivel_own_cancelled cancelled = {{0, 0}, false};
    swivel_loop *loop = timer.loop;
    swivel_node *node = swivel__node_of(timer);
    if (SWIVEL_UNLIKELY(node == NULL || !swivel__is_own(loop))) {
        return cancelled;
    }
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    uint32_t next_generation = timer.generation + 1;
    cancelled.work = swivel__node_peek(node);
    // No later read overtakes the claim. With what the C library has before it, the closure's
    // context lies in two lines half of the time.
    __builtin_prefetch((void *)(cancelled.work.context - 8), 1);
    __builtin_prefetch((void *)(cancelled.work.context + 24), 1);
    // As in `claim` of cancel.c, but it ends the node's life at once: no other thread is moving it.
    uint64_t freed = (uint64_t)next_generation << SWIVEL_GENERATION_SHIFT;
    if (SWIVEL_UNLIKELY(!SWIVEL_CAS(&node->state, &state, freed, acq_rel, acquire))) {
        return cancelled;
    }
    SWIVEL_COUNT(&loop->cancelled, 1);
    swivel__wheel_unfile(&loop->wheel, node);
    swivel__slab_take_back(&loop->wheel.slab, timer.index, node, next_generation);
    swivel__count_pending(loop, -1);
    cancelled.has_won = true;
    return cancelled;
}

SWIVEL_ASSUME_NONNULL_END

#endif
