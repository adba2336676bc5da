// SPDX-License-Identifier: Apache-2.0
// Timers that are armed again and again, their work stored once: inline on the loop's own thread;
// `reusable.c` has all other ways.
#ifndef SWIVEL_INTERNAL_REUSABLE_H
#define SWIVEL_INTERNAL_REUSABLE_H

#include "timer.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Arms a reusable timer, or moves it; `fire_at_ns` has its leeway in it, and only 0 is a post.
/// **Thread:** any.
bool swivel__reusable_move(swivel_timer timer, uint64_t fire_at_ns);
/// As `swivel_reusable_create`, with more flags.
swivel_timer swivel__reusable_create(swivel_loop *loop, swivel_work work, uint64_t flags);
/// Arms a reusable timer again if its closure, or another thread during it, has requested that.
void swivel__reusable_end(swivel_loop *loop, uint32_t index, swivel_node *node);

/// A reusable timer's node: its owner keeps the address, which never changes.
static inline void *SWIVEL_NULLABLE swivel__reusable_node(swivel_timer timer)
{
    return timer.loop == NULL ? NULL : swivel__slab_node(&timer.loop->wheel.slab, timer.index);
}

/// Of these, a reusable timer that no other thread has a hand in has `SWIVEL_REUSABLE` alone.
#define SWIVEL_REUSABLE_MARKS                                                                      \
    (SWIVEL_QUEUED | SWIVEL_REUSABLE | SWIVEL_MOVED | SWIVEL_FILED | SWIVEL_REARMS_MASK)

/// Arms a reusable timer on the loop's own thread. False: it is ended.
static inline bool swivel__own_reusable_arm(swivel_timer timer, void *address, uint64_t fire_at_ns)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = address;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (SWIVEL_UNLIKELY((state & SWIVEL_REUSABLE_MARKS) != SWIVEL_REUSABLE)) {
        return swivel__reusable_move(timer, fire_at_ns);
    }
    if (swivel__phase(state) == SWIVEL_IDLE) {
        uint64_t armed = swivel__with_phase(state, SWIVEL_ARMED);
        if (SWIVEL_UNLIKELY(!SWIVEL_CAS(&node->state, &state, armed, acq_rel, acquire))) {
            return swivel__reusable_move(timer, fire_at_ns);
        }
        swivel__count_pending(loop, 1);
    } else if (SWIVEL_UNLIKELY(swivel__phase(state) != SWIVEL_ARMED)) {
        return swivel__reusable_move(timer, fire_at_ns);
    }
    swivel__wheel_refile(&loop->wheel, timer.index, node, swivel__behind_due(loop, fire_at_ns),
                         loop->wheel.sequence++);
    return true;
}

/// Disarms a reusable timer on the loop's own thread.
static inline swivel_cancel_result swivel__own_reusable_disarm(swivel_timer timer, void *address)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = address;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    uint64_t marks = state & (SWIVEL_REUSABLE_MARKS | SWIVEL_PHASE);
    bool is_plain = marks == (SWIVEL_REUSABLE | SWIVEL_ARMED);
    uint64_t idle = swivel__with_phase(state, SWIVEL_IDLE);
    if (SWIVEL_UNLIKELY(!is_plain || !SWIVEL_CAS(&node->state, &state, idle, acq_rel, acquire))) {
        return swivel_reusable_disarm(timer);
    }
    swivel__count_pending(loop, -1);
    if (SWIVEL_LIKELY(swivel__wheel_has_deadline(node))) {
        swivel__wheel_never_fires(&loop->wheel, node);
    }
    return SWIVEL_CANCELLED;
}

SWIVEL_ASSUME_NONNULL_END

#endif
