// SPDX-License-Identifier: Apache-2.0
// Moving a timer: at once on the loop's own thread, else by a message that the loop waits for.
#include "../include/internal/hot.h"

#include <errno.h>
#include <sched.h>

void swivel__apply_rearm(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t fire_at_ns)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    uint32_t phase = swivel__phase(state);
    if (phase == SWIVEL_OVER || phase == SWIVEL_FREE) {
        return;
    }
    if (state & SWIVEL_REPEAT) {
        swivel_settings *settings =
            (swivel_settings *)swivel__slab_node(&loop->wheel.slab, node->extra);
        settings->origin_ns = fire_at_ns;
        settings->jitter_ns = 0;
    }
    uint64_t aligned = swivel__aligned_deadline(fire_at_ns, node->leeway_ns);
    while (phase == SWIVEL_IDLE || phase == SWIVEL_HANDED) {
        // A handed timer is taken back; one that starts in this moment has won.
        if (SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, SWIVEL_ARMED), acq_rel,
                       acquire)) {
            loop->handed -= phase == SWIVEL_HANDED;
            phase = SWIVEL_ARMED;
        } else if ((state & SWIVEL_KEPT) && swivel__phase(state) == phase) {
            return; // Disarmed by another thread in this moment.
        } else {
            phase = swivel__phase(state);
        }
    }
    if (phase == SWIVEL_ARMED) {
        loop->armed += (state & SWIVEL_KEPT) && node->place == SWIVEL_PLACE_NONE;
        swivel__wheel_refile(&loop->wheel, index, node, aligned);
    } else if (phase == SWIVEL_BUSY) {
        // Moved once the closure has returned.
        node->fire_at_ns = aligned;
        SWIVEL_FETCH_OR(&node->state, SWIVEL_AGAIN, acq_rel);
    }
}

bool swivel__rearm_at(swivel_timer timer, uint64_t deadline_ns)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = swivel__slab_find(&loop->wheel.slab, timer.index);
    if (node == NULL) {
        return false;
    }
    uint64_t state = swivel__state_of(timer);
    // Behind messages that are under way, or an older one would have the last word.
    if (swivel__is_own(loop) && !(state & (SWIVEL_QUEUED | SWIVEL_REARMS_MASK))) {
        uint32_t phase = swivel__phase(state);
        bool repeats = (state & SWIVEL_REPEAT) && !(state & SWIVEL_STOP);
        if (phase != SWIVEL_ARMED && phase != SWIVEL_HANDED && !(repeats && phase == SWIVEL_BUSY)) {
            return false;
        }
        swivel__apply_rearm(loop, timer.index, node, deadline_ns);
        return true;
    }
    if (!swivel__node_announce_rearm(node, timer.generation)) {
        return false;
    }
    swivel_entry entry = {swivel__message(SWIVEL_REFILE, timer.index, timer.generation),
                          deadline_ns};
    uint64_t instant = deadline_ns < SWIVEL_INSTANT_LAZY ? deadline_ns : SWIVEL_INSTANT_LAZY;
    int status;
    while ((status = swivel__send(loop, entry, instant)) == -ENOMEM) {
        sched_yield(); // The announcement stands: the loop waits for this message.
    }
    if (status != SWIVEL_OK) {
        swivel__node_rearm_arrived(node, timer.generation);
        return false;
    }
    return true;
}

bool swivel_rearm(swivel_timer timer, uint64_t delay_ns)
{
    if (timer.loop == NULL || (swivel__state_of(timer) & SWIVEL_KEPT)) {
        return false;
    }
    uint64_t now = swivel_loop_now(timer.loop);
    return swivel__rearm_at(timer, swivel__saturating_add(now, delay_ns));
}
