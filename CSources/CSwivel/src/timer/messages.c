// SPDX-License-Identifier: Apache-2.0
// Messages from other threads about a timer: how they are sent, and how the loop obeys them.
#include "../../include/internal/timer/timer.h"

#include <errno.h>

/// Nodes that other threads get back at most, beyond what waits for them.
#define SWIVEL_OWED_MAX (SWIVEL_BATCH * SWIVEL_DEPOT_BATCHES_MAX)

/// The fate of a timer that another thread has armed.
typedef enum fate {
    ADOPTED,    ///< By this call.
    ENDED,      ///< By this call, because it was cancelled.
    KNOWN,      ///< It was adopted before.
    GONE,       ///< Its node has another life.
} fate;

static fate adopt(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation)
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
    if (!(state & SWIVEL_REUSABLE)) {
        swivel__counter_acknowledge(&loop->counter, SWIVEL_COUNTED_ARMS);
    }
    node->place = SWIVEL_PLACE_NONE;
    if (swivel__phase(state) != SWIVEL_OVER) {
        return ADOPTED;
    }
    if (!(state & SWIVEL_REUSABLE)) {
        swivel__counter_acknowledge(&loop->counter, SWIVEL_COUNTED_CANCELS);
    }
    swivel__reclaim(loop, index, node);
    return ENDED;
}

bool swivel__adopt_early(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation)
{
    fate found = adopt(loop, index, node, generation);
    loop->adopted_early += found == ADOPTED || found == ENDED;
    return found == ADOPTED || found == KNOWN;
}

bool swivel__adopt_timer(swivel_loop *loop, swivel_entry message)
{
    uint32_t index = swivel__message_index(message.first);
    uint32_t generation = swivel__message_generation(message);
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    fate found = adopt(loop, index, node, generation);
    if (message.second == SWIVEL_ARMED_HERE || found == ADOPTED || found == ENDED) {
        return found == ADOPTED || found == KNOWN;
    }
    // Of those that are gone, those adopted early are like the recalled ones. Each is counted in the
    // end, and a recalled one's two counts make no difference before.
    if (loop->adopted_early > 0) {
        loop->adopted_early -= 1;
    } else {
        swivel__counter_acknowledge(&loop->counter, SWIVEL_COUNTED_ARMS);
        swivel__counter_acknowledge(&loop->counter, SWIVEL_COUNTED_CANCELS);
    }
    return found == KNOWN;
}

/// Files a timer that was adopted, and that was not cancelled. Returns true if it
/// is to be fired at once.
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

/// Acts on a due message. Returns true if its call is the last about the timer, which is to be fired
/// then.
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
        swivel__counter_acknowledge(&loop->counter, SWIVEL_COUNTED_CANCELS);
    }
    if (!swivel__is_meant(state, entry)) {
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
        if (SWIVEL_UNLIKELY(entry.second == SWIVEL_WAS_OUTSTANDING)) {
            swivel__slab_free(&loop->wheel.slab, index, node);
        } else {
            swivel__reclaim(loop, index, node);
        }
        return false;
    case SWIVEL_JOB:
    case SWIVEL_FENCE:
        break; // Not about a node.
    }
    return false;
}

int swivel__send_message(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns)
{
    if (!swivel__is_own(loop)) {
        return swivel__send_surely(loop, entry, instant_ns);
    }
    int status = swivel__send(loop, entry, instant_ns);
    if (status != -ENOMEM) {
        return status;
    }
    // It may come before what the inbox holds about its node: that is dropped then.
    if (!swivel__ring_push(&loop->local, entry)) {
        swivel__obey(loop, entry); // It brings no timer, so there is none to fire.
    }
    return SWIVEL_OK;
}

void swivel__send_reclaim(swivel_loop *loop, uint32_t index, uint32_t generation, uint64_t why)
{
    swivel_entry entry = {swivel__message(SWIVEL_RECLAIM, index, generation), why};
    bool counts = why == SWIVEL_WAS_ARMED;
    if (counts) {
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_CANCELS);
    }
    // Refused only when the loop closes, which frees all nodes.
    if (swivel__send_message(loop, entry, SWIVEL_INSTANT_LAZY) != SWIVEL_OK && counts) {
        swivel__counter_take_back(&loop->counter, SWIVEL_COUNTED_CANCELS);
    }
}
