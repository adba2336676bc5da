// SPDX-License-Identifier: Apache-2.0
// Messages about a timer, as the loop obeys them.
#include "../../include/internal/timer/timer.h"

/// Nodes that other threads get back at most, beyond what waits for them.
#define SWIVEL_OWED_MAX (SWIVEL_BATCH * SWIVEL_DEPOT_BATCHES_MAX)

/// Adopts a timer that another thread has armed, if that is still to be done (`*is_first`). False:
/// it was cancelled on the way, or its node has another life.
static bool adopt(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation,
                  bool *is_first)
{
    swivel_slab *slab = &loop->wheel.slab;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    *is_first = false;
    do {
        if (swivel__generation(state) != generation || !(state & SWIVEL_QUEUED)) {
            return swivel__generation(state) == generation;
        }
    } while (!SWIVEL_CAS(&node->state, &state, state & ~(uint64_t)SWIVEL_QUEUED, acq_rel, acquire));
    *is_first = true;
    uint32_t nodes = node->extra == SWIVEL_NIL ? 1 : 2;
    slab->live += nodes;
    slab->peak = slab->peak < slab->live ? slab->live : slab->peak;
    slab->owed = slab->owed + nodes < SWIVEL_OWED_MAX ? slab->owed + nodes : SWIVEL_OWED_MAX;
    bool counts = !(state & SWIVEL_REUSABLE), is_over = swivel__phase(state) == SWIVEL_OVER;
    if (counts) {
        SWIVEL_COUNT(&loop->counter.acknowledged[SWIVEL_COUNTED_ARMS], 1);
    }
    node->place = SWIVEL_PLACE_NONE;
    if (is_over && counts) {
        SWIVEL_COUNT(&loop->counter.acknowledged[SWIVEL_COUNTED_CANCELS], 1);
    }
    if (is_over) {
        swivel__reclaim(loop, index, node);
    }
    return !is_over;
}

bool swivel__adopt_early(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation)
{
    bool is_first, lives = adopt(loop, index, node, generation, &is_first);
    loop->adopted_early += is_first;
    return lives;
}

/// The generation of the timer that a message is about.
static uint32_t generation_of(swivel_entry message)
{
    return (uint32_t)(message.first >> 32) & SWIVEL_GENERATION_MAX;
}

bool swivel__adopt_timer(swivel_loop *loop, swivel_entry message)
{
    uint32_t index = swivel__message_index(message.first), generation = generation_of(message);
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    bool is_first, lives = adopt(loop, index, node, generation, &is_first);
    if (is_first) {
        return lives;
    }
    // Of those that are gone, those adopted early are like the recalled ones. Each is counted in
    // the end, and a recalled one's two counts make no difference before.
    if (loop->adopted_early > 0) {
        loop->adopted_early -= 1;
    } else {
        SWIVEL_COUNT(&loop->counter.acknowledged[SWIVEL_COUNTED_ARMS], 1);
        SWIVEL_COUNT(&loop->counter.acknowledged[SWIVEL_COUNTED_CANCELS], 1);
    }
    return lives;
}

/// Files a timer that was adopted, and that was not cancelled. True: the caller fires it at once.
static bool file_adopted(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (node->place != SWIVEL_PLACE_NONE) {
        return false;
    }
    if (SWIVEL_UNLIKELY(loop->draining) && (state & SWIVEL_REPEAT)) {
        swivel__cancel_node(loop, index, node);
        return false;
    }
    if (SWIVEL_UNLIKELY((state & (SWIVEL_MOVED | SWIVEL_ANNOUNCED)) == SWIVEL_MOVED)) {
        swivel__follow(loop, index, node, 0);
    } else if (SWIVEL_UNLIKELY(state & SWIVEL_MOVED)) {
        return false; // A message about the move is behind this one.
    } else if (node->fire_at_ns == 0) {
        return true;
    } else if (swivel__phase(state) == SWIVEL_ARMED) {
        swivel__wheel_stage(&loop->wheel, index, node);
    }
    return false;
}

/// Acts on a due message. True: its call is the last about the timer, which the caller fires.
static bool take_due(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t number)
{
    swivel__follow(loop, index, node, 0);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    const swivel_move *move = swivel__slab_move(&loop->wheel.slab, index);
    if (swivel__phase(state) == SWIVEL_BUSY && (state & SWIVEL_MOVED) &&
        SWIVEL_LOAD(&move->wanted_ns, acquire) == SWIVEL_DUE_NS &&
        SWIVEL_SETTING(&move->due_order) == number) {
        // It comes again when the closure has returned.
        swivel__apply_rearm(loop, index, swivel__generation(state), 0);
        return false;
    }
    if (node->place != SWIVEL_PLACE_POST || node->sequence != number) {
        return false;
    }
    node->place = SWIVEL_PLACE_NONE; // While the closure runs its end sees that this has come.
    return swivel__phase(state) == SWIVEL_ARMED;
}

/// Whether a message is for the life that the node has now. A node that was left to its last re-arm
/// waits for the message of that one only.
static bool is_meant(uint64_t state, swivel_entry message)
{
    return swivel__generation(state) == generation_of(message) &&
           (!(state & SWIVEL_OUTSTANDING) || message.second == SWIVEL_WAS_OUTSTANDING);
}

bool swivel__obey(swivel_loop *loop, swivel_entry entry)
{
    uint32_t index = swivel__message_index(entry.first);
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    swivel_message kind = (swivel_message)(entry.first & 0xF);
    if (kind == SWIVEL_ARM && !swivel__adopt_timer(loop, entry)) {
        return false;
    }
    if (kind == SWIVEL_RECLAIM && entry.second == SWIVEL_WAS_ARMED) {
        SWIVEL_COUNT(&loop->counter.acknowledged[SWIVEL_COUNTED_CANCELS], 1);
    }
    if (!is_meant(state, entry)) {
        return false;
    }
    switch (kind) {
    case SWIVEL_ARM:
        return file_adopted(loop, index, node);
    case SWIVEL_CHECK:
        swivel__follow(loop, index, node, SWIVEL_ANNOUNCED);
        return false;
    case SWIVEL_DUE:
        return take_due(loop, index, node, entry.second);
    case SWIVEL_RECLAIM:
        swivel__reclaim(loop, index, node);
        return false;
    case SWIVEL_JOB:
    case SWIVEL_FENCE:
        break; // Not about a node.
    }
    return false;
}
