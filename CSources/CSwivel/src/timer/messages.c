// SPDX-License-Identifier: Apache-2.0
// Messages from other threads about a timer, as its loop obeys them.
#include "../../include/internal/hot.h"

/// Takes up a timer whose arm message has come, and that nobody has cancelled. Returns true if it
/// is to be fired at once.
static bool take_up(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (node->place != SWIVEL_PLACE_NONE) {
        return false;
    }
    if (SWIVEL_UNLIKELY(loop->draining) && (state & SWIVEL_REPEAT)) {
        swivel__cancel_node(loop, index, node);
        return false;
    }
    if (SWIVEL_UNLIKELY((state & (SWIVEL_MOVED | SWIVEL_TOLD)) == SWIVEL_MOVED)) {
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
    uint32_t index = swivel__message_index(entry);
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    swivel_message kind = (swivel_message)(entry.first & 0xF);
    if (kind == SWIVEL_ARM && !swivel__meet_arm(loop, entry)) {
        return false;
    }
    if (kind == SWIVEL_RECLAIM && entry.second == SWIVEL_WAS_ARMED) {
        swivel__tally_met(&loop->tally, SWIVEL_TALLY_CANCELS);
    }
    if (!swivel__is_meant(state, entry)) {
        return false;
    }
    switch (kind) {
    case SWIVEL_ARM:
        return take_up(loop, index, node);
    case SWIVEL_LOOK:
        swivel__follow(loop, index, node, SWIVEL_TOLD);
        return false;
    case SWIVEL_DUE:
        return take_due(loop, index, node, entry.second);
    case SWIVEL_RECLAIM:
        if (SWIVEL_UNLIKELY(entry.second == SWIVEL_WAS_LEFT)) {
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
