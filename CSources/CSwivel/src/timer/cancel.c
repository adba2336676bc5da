// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/hot.h"

swivel_cancel_result swivel_cancel(swivel_timer timer)
{
    if (timer.loop == NULL) {
        return SWIVEL_FINISHED;
    }
    // Before the claim: one that succeeds proves that these are the hooks of the timer's own loop.
    void (*release)(swivel_work *) = timer.loop->hooks.release;
    swivel_work work;
    swivel_cancel_result result = swivel__cancel(timer, &work);
    if (result == SWIVEL_CANCELLED) {
        release(&work);
    }
    return result;
}

bool swivel_is_pending(swivel_timer timer)
{
    uint64_t state = swivel__state_of(timer);
    uint32_t phase = swivel__phase(state);
    return phase == SWIVEL_ARMED || phase == SWIVEL_HANDED || phase == SWIVEL_RESTING ||
           (phase == SWIVEL_BUSY && !(state & SWIVEL_STOP) &&
            (state & (SWIVEL_REPEAT | SWIVEL_AGAIN)));
}

bool swivel_watch(swivel_timer timer)
{
    uint64_t state = swivel__state_of(timer);
    while (swivel__generation(state) == timer.generation && swivel__phase(state) == SWIVEL_BUSY) {
        swivel_node *node = swivel__slab_node(&timer.loop->wheel.slab, timer.index);
        if (SWIVEL_CAS(&node->state, &state, state | SWIVEL_WATCHED, acq_rel, acquire)) {
            return true;
        }
    }
    return false;
}
