// SPDX-License-Identifier: Apache-2.0
// Moving a timer: at once on the loop's own thread, else by a message that the loop waits for.
#include "../include/internal/hot.h"

/// What a rearm makes of a state: a timer that is idle or handed is armed (again), one whose
/// closure is under way is moved when that has returned.
static uint64_t rearmed(uint64_t state)
{
    switch (swivel__phase(state)) {
    case SWIVEL_IDLE:
    case SWIVEL_HANDED:
    case SWIVEL_RESTING:
        return swivel__with_phase(state, SWIVEL_ARMED);
    case SWIVEL_BUSY:
        return state | SWIVEL_AGAIN;
    default:
        return state;
    }
}

bool swivel__apply_rearm(swivel_loop *loop, uint32_t index, uint32_t generation,
                         uint64_t fire_at_ns, uint64_t announced)
{
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    // The announcement is taken back in the step that moves the timer: between the two a disarm
    // would find nothing to void, and a context could start what it was handed.
    do {
        uint32_t phase = swivel__phase(state);
        bool last = phase == SWIVEL_BUSY &&
                    (!(state & (SWIVEL_REPEAT | SWIVEL_KEPT)) || (state & SWIVEL_STOP));
        if (phase == SWIVEL_OVER || phase == SWIVEL_FREE || last ||
            swivel__generation(state) != generation ||
            (announced != 0 && !(state & SWIVEL_REARMS_MASK))) {
            return false;
        }
        next = rearmed(state) - announced;
    } while (next != state && !SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    if (state & SWIVEL_REPEAT) {
        swivel_settings *settings =
            (swivel_settings *)swivel__slab_node(&loop->wheel.slab, node->extra);
        settings->origin_ns = fire_at_ns;
        settings->jitter_ns = 0;
    }
    uint64_t aligned = swivel__aligned_deadline(fire_at_ns, node->leeway_ns);
    if (swivel__phase(next) == SWIVEL_BUSY) {
        node->fire_at_ns = aligned;
        return true;
    }
    if ((state & SWIVEL_KEPT) && node->place == SWIVEL_PLACE_NONE && aligned < node->fire_at_ns) {
        aligned = node->fire_at_ns;
    }
    loop->handed -= swivel__is_handed(state);
    loop->armed += (state & SWIVEL_KEPT) && node->place == SWIVEL_PLACE_NONE;
    swivel__wheel_refile(&loop->wheel, index, node, aligned);
    return true;
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
        return swivel__apply_rearm(loop, timer.index, timer.generation, deadline_ns, 0);
    }
    if (!swivel__node_announce_rearm(node, timer.generation)) {
        return false;
    }
    swivel_entry entry = {swivel__message(SWIVEL_REFILE, timer.index, timer.generation),
                          deadline_ns};
    uint64_t instant = deadline_ns < SWIVEL_INSTANT_LAZY ? deadline_ns : SWIVEL_INSTANT_LAZY;
    // The announcement stands: the loop waits for this message.
    int status = swivel__send_surely(loop, entry, instant);
    if (status != SWIVEL_OK) {
        swivel__node_withdraw_rearm(node, timer.generation);
        return false;
    }
    return true;
}

bool swivel_rearm(swivel_timer timer, uint64_t delay_ns)
{
    // The state comes first: a stale handle's loop may be in its next life.
    uint64_t state = swivel__state_of(timer);
    if (state == 0 || (state & SWIVEL_KEPT)) {
        return false;
    }
    swivel_loop *loop = timer.loop;
    uint64_t deadline = swivel__is_own(loop)
                            ? swivel__own_deadline(loop, delay_ns)
                            : swivel__saturating_add(swivel_loop_now(loop), delay_ns);
    return swivel__rearm_at(timer, deadline);
}

swivel_timer swivel__own_renew(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns)
{
    swivel_timer none = {NULL, 0, 0};
    swivel_loop *loop = timer.loop;
    if (loop == NULL || !swivel__is_own(loop) || timer.generation >= SWIVEL_GENERATION_MAX) {
        return none;
    }
    swivel_node *node = swivel__slab_find(&loop->wheel.slab, timer.index);
    // A flag beside the phase means that somebody else has a hand in the timer.
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    timer.generation += 1;
    uint64_t next = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    if (node == NULL || !SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire)) {
        return none;
    }
    node->leeway_ns = leeway_ns;
    swivel__wheel_refile(&loop->wheel, timer.index, node,
                         swivel__aligned_deadline(deadline_ns, leeway_ns));
    return timer;
}
