// SPDX-License-Identifier: Apache-2.0
// Arming a timer: inline on the loop's own thread; `arm.c` has all other ways, and moves.
#ifndef SWIVEL_INTERNAL_ARM_H
#define SWIVEL_INTERNAL_ARM_H

#include "timer.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Gives the node its flags and its phase, and returns its handle.
static inline swivel_timer swivel__arm_node(swivel_loop *loop, uint32_t index, swivel_node *node,
                                            uint64_t flags)
{
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    SWIVEL_STORE(&node->state, state | flags, release);
    return (swivel_timer){loop, index, swivel__generation(state)};
}

/// A timer, and where its work goes: `NULL` without memory, and then the timer is none.
///
/// It is returned: Swift guards the stack of a function that gives an address of its own away,
/// which takes up to a tenth of the time of these paths.
typedef struct swivel_armed {
    swivel_timer timer;
    swivel_work *SWIVEL_NULLABLE work;
} swivel_armed;

/// Arms a one-shot on the loop's own thread. The caller stores the work before it does anything
/// else. Always inline: left alone, the compiler makes a function of it, 29 instructions longer.
__attribute__((always_inline)) static inline swivel_armed
swivel__own_schedule(swivel_loop *loop, uint64_t deadline_ns, uint64_t leeway_ns)
{
    uint32_t index;
    swivel_armed armed = {{NULL, 0, 0}, NULL};
    swivel_node *node = swivel__slab_alloc(&loop->wheel.slab, &index);
    if (SWIVEL_UNLIKELY(node == NULL)) {
        swivel__refuse(loop, SWIVEL_EFULL);
        return armed;
    }
    node->extra = SWIVEL_NIL;
    node->leeway_ns = leeway_ns;
    node->fire_at_ns = swivel__aligned_deadline(deadline_ns, leeway_ns);
    swivel__count_pending(loop, 1);
    armed.work = &node->work;
    armed.timer = swivel__arm_node(loop, index, node, SWIVEL_ARMED);
    node->sequence = loop->wheel.sequence++;
    swivel__wheel_stage(&loop->wheel, index, node);
    return armed;
}

/// The instant `delay_ns` from now, inline on the loop's own thread. **Thread:** any.
static inline uint64_t swivel__own_deadline(swivel_loop *loop, uint64_t delay_ns)
{
    return swivel__saturating_add(swivel__loop_now(loop), delay_ns);
}

SWIVEL_ASSUME_NONNULL_END

#endif
