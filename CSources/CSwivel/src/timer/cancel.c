// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/timer/cancel.h"

/// Cancels a one-shot of which its loop has not heard yet, and keeps its node for the calling thread's
/// next timer: the arm message finds another life. False: it is not such a timer, or the thread arms
/// none there or has nodes enough.
static bool recall(swivel_timer timer, swivel_node *node, swivel_work *work)
{
    // Exactly this: no other node belongs to the timer, and no other thread is moving it.
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT |
                     (SWIVEL_ARMED | SWIVEL_QUEUED);
    uint32_t next_generation = timer.generation + 1;
    if (SWIVEL_LOAD(&node->state, acquire) != state || next_generation >= SWIVEL_GENERATION_MAX) {
        return false;
    }
    struct swivel_magazine *magazine = swivel__magazine_with_room(timer.loop);
    if (magazine == NULL) {
        return false;
    }
    *work = swivel__node_peek(node);
    // The next life begins as one that the loop has ended would.
    uint64_t freed = (uint64_t)next_generation << SWIVEL_GENERATION_SHIFT;
    if (!SWIVEL_CAS(&node->state, &state, freed, acq_rel, relaxed)) {
        return false;
    }
    // The next life's fields come behind its number, for the list of what is pending.
    SWIVEL_THREAD_FENCE(release);
    swivel__magazine_keep(magazine, timer.index);
    swivel__counter_add(&timer.loop->counter, SWIVEL_COUNTED_CANCELS);
    return true;
}

swivel_cancel_result swivel__cancel(swivel_timer timer, swivel_work *work)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = loop == NULL ? NULL : swivel__slab_find(&loop->wheel.slab, timer.index);
    if (SWIVEL_UNLIKELY(node == NULL)) {
        return SWIVEL_FINISHED;
    }
    bool is_own = swivel__is_own(loop);
    if (!is_own && recall(timer, node, work)) {
        return SWIVEL_CANCELLED;
    }
    uint64_t before = 0;
    swivel_cancel_result result = swivel__node_cancel(node, timer.generation, work, &before);
    if (result != SWIVEL_CANCELLED) {
        swivel__count_stop(loop, before);
    } else if (SWIVEL_UNLIKELY(before & SWIVEL_QUEUED)) {
        // The loop reclaims it when it takes the arm message.
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_CANCELS);
    } else if (is_own) {
        SWIVEL_COUNT(&loop->cancelled, 1);
        swivel__count_pending(loop, -1);
        swivel__reclaim(loop, timer.index, node);
    } else {
        swivel__send_reclaim(loop, timer.index, timer.generation, SWIVEL_WAS_ARMED);
    }
    return result;
}

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
    return phase == SWIVEL_ARMED ||
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
