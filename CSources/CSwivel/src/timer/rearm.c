// SPDX-License-Identifier: Apache-2.0
// Moving a timer: at once on the loop's own thread, else as remote_rearm.c has left it.
#include "../../include/internal/timer/arm.h"

bool swivel__rearm_at(swivel_timer timer, uint64_t deadline_ns)
{
    swivel_loop *loop = timer.loop;
    uint64_t state = swivel__state_of(timer);
    if (swivel__phase(state) == SWIVEL_FREE) {
        return false;
    }
    if (!swivel__is_own(loop)) {
        return swivel__leave_deadline(timer, deadline_ns);
    }
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, timer.index);
    if ((state & SWIVEL_QUEUED) &&
        !swivel__adopt_early(loop, timer.index, node, timer.generation)) {
        return false;
    }
    return swivel__apply_rearm(loop, timer.index, timer.generation, deadline_ns);
}

bool swivel_rearm(swivel_timer timer, uint64_t delay_ns)
{
    // The state comes first: a stale handle's loop may be in its next life.
    uint64_t state = swivel__state_of(timer);
    if (state == 0 || (state & SWIVEL_REUSABLE)) {
        return false;
    }
    swivel_loop *loop = timer.loop;
    if (delay_ns == 0) {
        return swivel__rearm_at(timer, 0);
    }
    return swivel__rearm_at(timer, swivel__own_deadline(loop, delay_ns));
}

swivel_timer swivel__own_renew(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns)
{
    swivel_timer none = {NULL, 0, 0};
    swivel_loop *loop = timer.loop;
    if (loop == NULL || !swivel__is_own(loop) || timer.generation >= SWIVEL_GENERATION_MAX) {
        return none;
    }
    swivel_node *node = swivel__slab_find(&loop->wheel.slab, timer.index);
    // A flag next to the phase means that another thread is changing the timer.
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    timer.generation += 1;
    uint64_t next = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    if (node == NULL || !SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire)) {
        return none;
    }
    // A deadline that has passed does not wait for the leeway.
    bool is_due = leeway_ns != 0 && deadline_ns <= swivel__loop_now(loop);
    node->leeway_ns = leeway_ns;
    swivel__wheel_refile(&loop->wheel, timer.index, node,
                         is_due ? deadline_ns : swivel__aligned_deadline(deadline_ns, leeway_ns));
    return timer;
}
