// SPDX-License-Identifier: Apache-2.0
// The state machine that decides between a timer's fire and its cancel; docs/design/timer-state.md
// has a diagram. The state is one 64-bit word, so that a handle's generation and the claim are
// checked in one compare-and-swap. The winner owns the two words of work.
#ifndef SWIVEL_INTERNAL_STATE_H
#define SWIVEL_INTERNAL_STATE_H

#include "../memory/node.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Whether a reusable timer in this state will fire.
static inline bool swivel__reusable_is_armed(uint64_t state)
{
    uint32_t phase = swivel__phase(state);
    bool may_be = phase == SWIVEL_IDLE || phase == SWIVEL_BUSY;
    return phase == SWIVEL_ARMED || (may_be && (state & (SWIVEL_MOVED | SWIVEL_AGAIN)));
}

/// A state whose deadline was resolved: the timer fires, is moved by its loop or disarmed. Threads
/// that are just moving it see this from the count, and read the deadline that they left.
static inline uint64_t swivel__resolved(uint64_t state)
{
    uint64_t count = (state + SWIVEL_RESOLUTION) & SWIVEL_RESOLUTIONS_MASK;
    bool is_moving = SWIVEL_UNLIKELY(state & SWIVEL_REARMS_MASK);
    return is_moving ? (state & ~SWIVEL_RESOLUTIONS_MASK) | count : state;
}

/// Whether the timer of this generation will fire (again), or may be armed.
static inline bool swivel__is_movable(uint64_t state, uint32_t generation)
{
    uint32_t phase = swivel__phase(state);
    bool is_last_run = phase == SWIVEL_BUSY && (!(state & (SWIVEL_REPEAT | SWIVEL_REUSABLE)) ||
                                                (state & SWIVEL_STOP));
    return swivel__generation(state) == generation && phase != SWIVEL_FREE &&
           phase != SWIVEL_OVER && !is_last_run;
}

/// Reads the work of a node that another thread may claim at the same moment. The caller's swap of
/// the state shows whether the copy is this timer's: the words change only between two generations.
SWIVEL_NO_TSAN static inline swivel_work swivel__node_peek(const swivel_node *node)
{
    const volatile swivel_work *work = &node->work;
    swivel_work copy = {work->function, work->context};
    SWIVEL_PEEKED(&node->work);
    return copy;
}

/// Claims an armed node for its fire. Fails when it was cancelled, and when it was moved: then the
/// wanted deadline decides, not a thread that is about to move it. **Thread:** the loop's own.
static inline bool swivel__node_claim(swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    while (swivel__phase(state) == SWIVEL_ARMED && !(state & SWIVEL_MOVED)) {
        uint64_t busy = swivel__with_phase(state, SWIVEL_BUSY) & ~(uint64_t)SWIVEL_FILED;
        uint64_t next = swivel__resolved(busy);
        if (SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire)) {
            return true;
        }
    }
    return false;
}

/// Disarms a reusable timer, or ends it (`to` is `SWIVEL_IDLE` or `SWIVEL_OVER`), and drops the
/// deadlines that other threads have left. After `SWIVEL_OVER` `*work` is the caller's. `*before`
/// is the state before: the caller counts an armed one that it has ended. `announced` is
/// `SWIVEL_ANNOUNCED` if the caller notifies the loop of a node that it has filed, else 0.
static inline swivel_cancel_result swivel__node_disarm(swivel_node *node, uint32_t to,
                                                       uint64_t announced, swivel_work *work,
                                                       uint64_t *before)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    for (;;) {
        uint32_t phase = swivel__phase(state);
        *before = state;
        if (!(state & SWIVEL_REUSABLE) || phase == SWIVEL_OVER || phase == SWIVEL_FREE ||
            (state & SWIVEL_STOP)) {
            return SWIVEL_FINISHED;
        }
        uint64_t next = swivel__resolved(state & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED));
        if (phase == SWIVEL_BUSY) {
            next &= ~(uint64_t)SWIVEL_AGAIN;
            next |= to == SWIVEL_OVER ? SWIVEL_STOP : 0;
        } else {
            next = swivel__with_phase(next, to);
            next |= phase == SWIVEL_ARMED && !(state & SWIVEL_QUEUED) ? announced : 0;
        }
        *work = swivel__node_peek(node);
        if (SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire)) {
            bool armed = phase == SWIVEL_ARMED || (state & SWIVEL_MOVED);
            return phase == SWIVEL_BUSY ? SWIVEL_RUNNING
                   : armed              ? SWIVEL_CANCELLED
                                        : SWIVEL_FINISHED;
        }
    }
}

SWIVEL_ASSUME_NONNULL_END

#endif
