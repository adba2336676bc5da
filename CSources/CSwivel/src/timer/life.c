// SPDX-License-Identifier: Apache-2.0
// A timer's life on its loop's thread: its nodes, taking it over, and its end.
#include "../../include/internal/hot.h"
#include "../../include/internal/timer/magazine.h"

/// Nodes that other threads get back at most, beyond what waits for them.
#define SWIVEL_OWED_MAX (SWIVEL_BATCH * SWIVEL_DEPOT_BATCHES_MAX)

uint32_t swivel__node_take(swivel_loop *loop)
{
    if (!swivel__is_own(loop)) {
        return swivel__magazine_take(loop);
    }
    uint32_t index;
    return swivel__slab_alloc(&loop->wheel.slab, &index) == NULL ? SWIVEL_NIL : index;
}

void swivel__node_put(swivel_loop *loop, uint32_t index)
{
    if (index == SWIVEL_NIL) {
        return;
    }
    if (swivel__is_own(loop)) {
        swivel_slab *slab = &loop->wheel.slab;
        swivel__slab_free(slab, index, swivel__slab_node(slab, index));
    } else {
        swivel__magazine_put(loop, index);
    }
}

void swivel__reclaim(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    swivel_slab *slab = &loop->wheel.slab;
    uint32_t extra = node->extra;
    swivel__wheel_unfile(&loop->wheel, node);
    swivel__slab_free(slab, index, node);
    if (extra != SWIVEL_NIL) {
        swivel__slab_free(slab, extra, swivel__slab_node(slab, extra));
    }
}

/// The fate of a timer that another thread has armed.
typedef enum fate {
    TAKEN_OVER, ///< By this call.
    ENDED,      ///< By this call, because it was cancelled.
    KNOWN,      ///< It was taken over before.
    GONE,       ///< Its node has another life.
} fate;

static fate take_over(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation)
{
    swivel_slab *slab = &loop->wheel.slab;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    do {
        if (swivel__generation(state) != generation) {
            return GONE;
        }
        if (!(state & SWIVEL_QUEUED)) {
            return KNOWN;
        }
    } while (!SWIVEL_CAS(&node->state, &state, state & ~(uint64_t)SWIVEL_QUEUED, acq_rel, acquire));
    uint32_t nodes = node->extra == SWIVEL_NIL ? 1 : 2;
    slab->live += nodes;
    slab->peak = slab->peak < slab->live ? slab->live : slab->peak;
    slab->owed = slab->owed + nodes < SWIVEL_OWED_MAX ? slab->owed + nodes : SWIVEL_OWED_MAX;
    if (!(state & SWIVEL_KEPT)) {
        swivel__tally_met(&loop->tally, SWIVEL_TALLY_ARMS);
    }
    node->place = SWIVEL_PLACE_NONE;
    if (swivel__phase(state) != SWIVEL_OVER) {
        return TAKEN_OVER;
    }
    if (!(state & SWIVEL_KEPT)) {
        swivel__tally_met(&loop->tally, SWIVEL_TALLY_CANCELS);
    }
    swivel__reclaim(loop, index, node);
    return ENDED;
}

bool swivel__overtake(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation)
{
    fate found = take_over(loop, index, node, generation);
    loop->overtaken += found == TAKEN_OVER || found == ENDED;
    return found == TAKEN_OVER || found == KNOWN;
}

bool swivel__meet_arm(swivel_loop *loop, swivel_entry message)
{
    uint32_t index = swivel__message_index(message);
    uint32_t generation = swivel__message_generation(message);
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    fate found = take_over(loop, index, node, generation);
    if (message.second == SWIVEL_ARMED_HERE || found == TAKEN_OVER || found == ENDED) {
        return found == TAKEN_OVER || found == KNOWN;
    }
    // Of those that are gone the overtaken ones are not told from the recalled ones. Each is counted
    // in the end, and a recalled one's two counts make no difference before.
    if (loop->overtaken > 0) {
        loop->overtaken -= 1;
    } else {
        swivel__tally_met(&loop->tally, SWIVEL_TALLY_ARMS);
        swivel__tally_met(&loop->tally, SWIVEL_TALLY_CANCELS);
    }
    swivel__slab_note(&loop->wheel.slab, index, generation + 1);
    return found == KNOWN;
}

/// Cancels a timer that has not started. (A node whose arm message was refused still belongs to the
/// thread that tried.)
void swivel__cancel_node(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), seen = 0;
    swivel_work work;
    swivel_cancel_result result = SWIVEL_FINISHED;
    // A free node may be armed, and so marked, by a thread that is just being refused.
    if ((state & SWIVEL_QUEUED) || swivel__phase(state) == SWIVEL_FREE) {
        return;
    }
    if (state & SWIVEL_KEPT) {
        result = swivel__node_settle_kept(node, SWIVEL_OVER, 0, &work, &seen);
        if (result == SWIVEL_RUNNING || swivel__phase(seen) == SWIVEL_OVER) {
            return;
        }
        swivel__count_pending(loop, -swivel__kept_is_armed(seen));
    } else {
        result = swivel__node_cancel(node, swivel__generation(state), &work, &seen);
        if (result != SWIVEL_CANCELLED) {
            swivel__count_stop(loop, seen);
            return;
        }
        swivel__count_pending(loop, -1);
    }
    if (result == SWIVEL_CANCELLED) {
        loop->report.cancelled_timers += 1;
        SWIVEL_COUNT(&loop->cancelled, 1);
    }
    swivel__reclaim(loop, index, node);
    loop->hooks.release(&work);
}
