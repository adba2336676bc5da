// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/timer/hot.h"

#include <errno.h>

void swivel__send_reclaim(swivel_timer timer, uint64_t why)
{
    swivel_loop *loop = timer.loop;
    swivel_entry entry = {swivel__message(SWIVEL_RECLAIM, timer.index, timer.generation), why};
    int counted = why == SWIVEL_WAS_ARMED;
    swivel__counter_add(&loop->counter, SWIVEL_COUNTED_CANCELS, counted);
    int status = swivel__send(loop, entry, SWIVEL_INSTANT_LAZY);
    if (SWIVEL_UNLIKELY(status == -ENOMEM)) {
        status = swivel__send_surely(loop, entry, SWIVEL_INSTANT_LAZY);
    }
    // Refused only when the loop closes, which frees all nodes.
    if (status != SWIVEL_OK) {
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_CANCELS, -counted);
    }
}

/// Cancels a one-shot whose arm message the loop has not read, and keeps its node for the calling
/// thread's next timer: the message finds another life. False: it is not such a timer, or the
/// thread arms none there or has nodes enough.
static bool recall(swivel_timer timer, swivel_node *node, swivel_work *work)
{
    // Exactly this: the timer has no other node, and no other thread is moving it.
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
    swivel__counter_add(&timer.loop->counter, SWIVEL_COUNTED_CANCELS, 1);
    return true;
}

/// Claims the node for a cancel. After `SWIVEL_CANCELLED` `*work` is the caller's, and the loop has
/// to reclaim the node. A repeat whose closure is running is stopped, and counted. Acquire pairs
/// with the release of arming; release hands the claim to the loop's reclaim.
static swivel_cancel_result claim(swivel_loop *loop, swivel_node *node, uint32_t generation,
                                  swivel_work *work, uint64_t *before)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    bool is_running;
    do {
        is_running = swivel__phase(state) == SWIVEL_BUSY;
        if (swivel__generation(state) != generation || (state & SWIVEL_REUSABLE) ||
            (!is_running && swivel__phase(state) != SWIVEL_ARMED)) {
            return SWIVEL_FINISHED;
        }
        if (is_running && (!(state & SWIVEL_REPEAT) || (state & SWIVEL_STOP))) {
            return SWIVEL_RUNNING;
        }
        if (!is_running) {
            *work = swivel__node_peek(node);
        }
        next = is_running ? state | SWIVEL_STOP : swivel__with_phase(state, SWIVEL_OVER);
    } while (!SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    *before = state;
    if (is_running) {
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_CANCELS, 1);
    }
    return is_running ? SWIVEL_RUNNING : SWIVEL_CANCELLED;
}

swivel_cancel_result swivel__cancel(swivel_timer timer, swivel_work *work)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = swivel__node_of(timer);
    if (SWIVEL_UNLIKELY(node == NULL)) {
        return SWIVEL_FINISHED;
    }
    bool is_own = swivel__is_own(loop);
    if (!is_own && recall(timer, node, work)) {
        return SWIVEL_CANCELLED;
    }
    uint64_t before;
    swivel_cancel_result result = claim(loop, node, timer.generation, work, &before);
    if (result != SWIVEL_CANCELLED) {
        return result;
    }
    if (SWIVEL_UNLIKELY(before & SWIVEL_QUEUED)) {
        // The loop reclaims it when it takes the arm message.
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_CANCELS, 1);
    } else if (is_own) {
        SWIVEL_COUNT(&loop->cancelled, 1);
        swivel__count_pending(loop, -1);
        swivel__reclaim(loop, timer.index, node);
    } else {
        swivel__send_reclaim(timer, SWIVEL_WAS_ARMED);
    }
    return result;
}

void swivel__cancel_node(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), before = SWIVEL_OVER;
    swivel_work work;
    // A free node may be armed, and so marked, by a thread that is just being refused.
    if ((state & SWIVEL_QUEUED) || swivel__phase(state) == SWIVEL_FREE) {
        return;
    }
    swivel_cancel_result result =
        (state & SWIVEL_REUSABLE)
            ? swivel__node_disarm(node, SWIVEL_OVER, 0, &work, &before)
            : claim(loop, node, swivel__generation(state), &work, &before);
    if (result == SWIVEL_RUNNING || swivel__phase(before) == SWIVEL_OVER) {
        return;
    }
    if (state & SWIVEL_REUSABLE) {
        swivel__count_reusable(loop, before, 0);
    } else {
        swivel__count_pending(loop, -1);
    }
    if (result == SWIVEL_CANCELLED) {
        loop->report.cancelled_timers += 1;
        SWIVEL_COUNT(&loop->cancelled, 1);
    }
    swivel__reclaim(loop, index, node);
    loop->hooks.release(&work);
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
    bool ticks = swivel__phase(state) == SWIVEL_BUSY && (state & SWIVEL_REPEAT);
    return !(state & SWIVEL_STOP) && (ticks || swivel__reusable_is_armed(state));
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
