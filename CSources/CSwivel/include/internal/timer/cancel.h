// SPDX-License-Identifier: Apache-2.0
// Cancelling a timer: inline on the loop's own thread; `cancel.c` has all other ways.
#ifndef SWIVEL_INTERNAL_CANCEL_H
#define SWIVEL_INTERNAL_CANCEL_H

#include "timer.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Cancels; after `SWIVEL_CANCELLED` the work is in `*work` and is the caller's to release.
/// **Thread:** any, at any time.
swivel_cancel_result swivel__cancel(swivel_timer timer, swivel_work *work);

/// A cancel that may have been decided.
typedef struct swivel_own_cancelled {
    swivel_work work; ///< If it has won: the caller's to release.
    bool has_won;     ///< Else `swivel__cancel` decides.
} swivel_own_cancelled;

/// Cancels a one-shot of the calling thread's own loop that no other thread has touched: its state is
/// its generation and its phase, and nothing else.
__attribute__((always_inline)) static inline swivel_own_cancelled
swivel__own_cancel(swivel_timer timer)
{
    swivel_own_cancelled cancelled = {{0, 0}, false};
    swivel_loop *loop = timer.loop;
    if (SWIVEL_UNLIKELY(loop == NULL || !swivel__is_own(loop))) {
        return cancelled;
    }
    swivel_node *node = swivel__slab_find(&loop->wheel.slab, timer.index);
    if (SWIVEL_UNLIKELY(node == NULL)) {
        return cancelled;
    }
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    uint32_t next_generation = timer.generation + 1;
    cancelled.work = swivel__node_peek(node);
    // Fetches the closure's context while the claim, which no later read overtakes, waits for its
    // turn. With what the C library has before it, it lies in two lines half of the time.
    __builtin_prefetch((void *)(cancelled.work.context - 8), 1);
    __builtin_prefetch((void *)(cancelled.work.context + 24), 1);
    // As in `swivel__node_cancel`. The claim ends the node's life at once: it is this thread's from
    // here on, and no other one is moving it.
    uint64_t freed = (uint64_t)next_generation << SWIVEL_GENERATION_SHIFT;
    if (SWIVEL_UNLIKELY(!SWIVEL_CAS(&node->state, &state, freed, acq_rel, acquire))) {
        return cancelled;
    }
    SWIVEL_COUNT(&loop->cancelled, 1);
    swivel__wheel_leave(&loop->wheel, timer.index, node, next_generation);
    swivel__count_pending(loop, -1);
    cancelled.has_won = true;
    return cancelled;
}

/// Claims the node for a cancel. After `SWIVEL_CANCELLED` `*work` is the caller's and `*before` is
/// the state it had; the node is `SWIVEL_OVER` and waits for the loop to reclaim it. After
/// `SWIVEL_RUNNING` `*before` is that of a repeat which this call has stopped, else unchanged.
/// Acquire pairs with the release of arming; release hands the claim to the loop's reclaim.
static inline swivel_cancel_result swivel__node_cancel(swivel_node *node, uint32_t generation,
                                                       swivel_work *work, uint64_t *before)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    for (;;) {
        if (swivel__generation(state) != generation || (state & SWIVEL_REUSABLE)) {
            return SWIVEL_FINISHED;
        }
        switch (swivel__phase(state)) {
        case SWIVEL_ARMED:
            *work = swivel__node_peek(node);
            if (SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, SWIVEL_OVER), acq_rel,
                           acquire)) {
                *before = state;
                return SWIVEL_CANCELLED;
            }
            break;
        case SWIVEL_BUSY:
            if (!(state & SWIVEL_REPEAT) || (state & SWIVEL_STOP)) {
                return SWIVEL_RUNNING;
            }
            if (SWIVEL_CAS(&node->state, &state, state | SWIVEL_STOP, acq_rel, acquire)) {
                *before = state;
                return SWIVEL_RUNNING;
            }
            break;
        default:
            return SWIVEL_FINISHED;
        }
    }
}

SWIVEL_ASSUME_NONNULL_END

#endif
