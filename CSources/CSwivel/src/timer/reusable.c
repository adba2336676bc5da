// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/timer/hot.h"

bool swivel__reusable_move(swivel_timer timer, uint64_t fire_at_ns)
{
    if (swivel__node_of(timer) == NULL) {
        return false;
    }
    if (swivel__is_own(timer.loop)) {
        // A timer that is gone has left its node to another one.
        return (swivel__state_of(timer) & SWIVEL_REUSABLE) && swivel__rearm_at(timer, fire_at_ns);
    }
    bool is_left = swivel__leave_deadline(timer, fire_at_ns);
    int refusal = is_left ? SWIVEL_OK : SWIVEL_LOAD(&timer.loop->refusal, acquire);
    if (refusal != SWIVEL_OK) {
        swivel__refuse(timer.loop, refusal);
    }
    return is_left;
}

bool swivel_reusable_arm(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns)
{
    if (timer.loop == NULL) {
        return false;
    }
    uint64_t deadline = swivel__due_or_post(timer.loop, deadline_ns);
    return swivel__reusable_move(timer, swivel__aligned_deadline(deadline, leeway_ns));
}

swivel_cancel_result swivel_reusable_disarm(swivel_timer timer)
{
    swivel_node *node = swivel__node_of(timer);
    if (node == NULL) {
        return SWIVEL_FINISHED;
    }
    bool is_own = swivel__is_own(timer.loop);
    swivel_work work;
    uint64_t before;
    swivel_cancel_result result =
        swivel__node_disarm(node, SWIVEL_IDLE, is_own ? 0 : SWIVEL_ANNOUNCED, &work, &before);
    if (result != SWIVEL_FINISHED) {
        swivel__count_reusable(timer.loop, before, 0);
    }
    if (is_own) {
        if (result == SWIVEL_CANCELLED && swivel__wheel_has_deadline(node)) {
            swivel__wheel_never_fires(&timer.loop->wheel, node);
        }
    } else if (swivel__phase(before) == SWIVEL_ARMED &&
               !(before & (SWIVEL_QUEUED | SWIVEL_ANNOUNCED))) {
        swivel__announce(timer, SWIVEL_INSTANT_LAZY);
    }
    return result;
}

bool swivel_reusable_is_armed(swivel_timer timer)
{
    uint64_t state = swivel__state_of(timer);
    return (state & SWIVEL_REUSABLE) && swivel__reusable_is_armed(state);
}

void swivel_reusable_free(swivel_timer timer)
{
    swivel_node *node = swivel__node_of(timer);
    swivel_work work;
    uint64_t before;
    if (node == NULL) {
        return;
    }
    swivel_cancel_result result = swivel__node_disarm(node, SWIVEL_OVER, 0, &work, &before);
    if (!(before & SWIVEL_REUSABLE) || swivel__phase(before) == SWIVEL_OVER) {
        return; // Released by the shutdown.
    }
    swivel__count_reusable(timer.loop, before, 0);
    if (result == SWIVEL_RUNNING) {
        return; // Released by the loop when the closure returns.
    }
    if (!(before & SWIVEL_QUEUED)) {
        if (swivel__is_own(timer.loop)) {
            swivel__reclaim(timer.loop, timer.index, node);
        } else {
            swivel__send_reclaim(timer, SWIVEL_WAS_REUSABLE);
        }
    }
    timer.loop->hooks.release(&work);
}

void swivel__reusable_end(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    do {
        uint32_t phase = (state & (SWIVEL_AGAIN | SWIVEL_MOVED)) ? SWIVEL_ARMED : SWIVEL_IDLE;
        next = swivel__with_phase(state, (state & SWIVEL_STOP) ? SWIVEL_OVER : phase);
        next &= ~(uint64_t)(SWIVEL_AGAIN | SWIVEL_MOVED);
    } while (!SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    if (state & SWIVEL_STOP) {
        swivel_work work = node->work;
        swivel__reclaim(loop, index, node);
        loop->hooks.release(&work);
    } else if (state & SWIVEL_MOVED) {
        uint64_t fire_at = node->fire_at_ns, number = node->sequence;
        swivel__take_wanted(loop, index, node, &fire_at, &number);
        swivel__refile(loop, index, node, swivel__behind_due(loop, fire_at), number);
        swivel__show_filed(loop, index, node);
    } else if (state & SWIVEL_AGAIN) {
        swivel__file_again(loop, index, node);
    } else {
        node->place = SWIVEL_PLACE_NONE; // It was due at once, and was disarmed.
    }
}
