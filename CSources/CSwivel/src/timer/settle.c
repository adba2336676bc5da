// SPDX-License-Identifier: Apache-2.0
// Moving a timer on its loop: it is filed anew, taken out, or left as it is.
#include "../../include/internal/hot.h"

/// The state after a rearm: a timer that is idle or handed is armed (again); one whose closure is
/// running is moved when the closure has returned.
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

/// Moves a repeat's grid.
static void move_grid(swivel_loop *loop, const swivel_node *node, uint64_t instant_ns)
{
    swivel_settings *settings =
        (swivel_settings *)swivel__slab_node(&loop->wheel.slab, node->extra);
    settings->grid.first_ns = instant_ns;
    settings->jitter_ns = 0;
}

bool swivel__apply_rearm(swivel_loop *loop, uint32_t index, uint32_t generation,
                         uint64_t fire_at_ns)
{
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    do {
        if (!swivel__is_movable(state, generation)) {
            return false;
        }
        next = rearmed(state) & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);
        next = swivel__settled(next);
    } while (next != state && !SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    if (state & SWIVEL_REPEAT) {
        move_grid(loop, node, fire_at_ns);
    }
    uint64_t aligned = swivel__aligned_deadline(fire_at_ns, node->leeway_ns);
    if (swivel__phase(next) == SWIVEL_BUSY) {
        node->fire_at_ns = aligned;
        return true;
    }
    aligned = (state & SWIVEL_KEPT) ? swivel__behind_due(loop, aligned) : aligned;
    loop->handed -= swivel__is_handed(state);
    loop->armed += (state & SWIVEL_KEPT) && !swivel__wheel_awaits(node);
    swivel__wheel_refile(&loop->wheel, index, node, aligned);
    return true;
}

bool swivel__take_wanted(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t *fire_at_ns)
{
    swivel_move *move = swivel__slab_move(&loop->wheel.slab, index);
    // Acquire pairs with the mover's store; sequentially consistent for `swivel__leave_deadline`.
    uint64_t wanted = SWIVEL_EXCHANGE(&move->wanted_ns, SWIVEL_NOTHING_NS, seq_cst);
    if (wanted == SWIVEL_NOTHING_NS) {
        return false;
    }
    if (SWIVEL_LOAD(&node->state, relaxed) & SWIVEL_REPEAT) {
        move_grid(loop, node, wanted);
    }
    *fire_at_ns = swivel__aligned_deadline(wanted, node->leeway_ns);
    // For its mover, if the timer fires before that one goes out.
    SWIVEL_STORE(&move->filed_ns, *fire_at_ns, relaxed);
    return true;
}

void swivel__show_filed(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    if (swivel__clock_is_manual(&loop->clock)) {
        return; // Instants coincide in virtual time, and each move is to keep its place among them.
    }
    swivel_move *move = swivel__slab_move(&loop->wheel.slab, index);
    SWIVEL_STORE(&move->filed_ns, node->fire_at_ns, relaxed);
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    // Release pairs with the acquire of the mover that finds the flag. One that has found none has
    // sent a message.
    while (swivel__phase(state) == SWIVEL_ARMED &&
           !SWIVEL_CAS(&node->state, &state, state | SWIVEL_FILED, release, relaxed)) {
    }
}

void swivel__follow(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t told)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    bool moves;
    do {
        uint32_t phase = swivel__phase(state);
        // The end of a running closure handles moves that came meanwhile.
        moves = (state & SWIVEL_MOVED) && phase != SWIVEL_BUSY && phase != SWIVEL_OVER;
        next = state & ~told;
        if (moves) {
            next = swivel__with_phase(next, SWIVEL_ARMED);
            next &= ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);
        }
    } while (next != state && !SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    bool awaits = swivel__wheel_awaits(node);
    if (moves) {
        // A deadline that was taken before its mover had gone out is the node's already.
        uint64_t fire_at = node->fire_at_ns;
        swivel__take_wanted(loop, index, node, &fire_at);
        fire_at = (state & SWIVEL_KEPT) ? swivel__behind_due(loop, fire_at) : fire_at;
        loop->handed -= swivel__is_handed(state);
        loop->armed += (state & SWIVEL_KEPT) && !awaits;
        swivel__wheel_refile(&loop->wheel, index, node, fire_at);
        swivel__show_filed(loop, index, node);
    } else if (swivel__phase(state) == SWIVEL_IDLE && awaits) {
        // Not voided: the deadline may be that of a mover that has not gone out.
        swivel__wheel_unfile(&loop->wheel, node);
        loop->armed -= 1;
    }
}

bool swivel__stays_due(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    do {
        if (swivel__phase(state) != SWIVEL_ARMED || !(state & SWIVEL_MOVED)) {
            return swivel__phase(state) == SWIVEL_ARMED;
        }
        next = state & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);
    } while (!SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    uint64_t fire_at = node->fire_at_ns;
    bool is_later = swivel__take_wanted(loop, index, node, &fire_at) && fire_at > node->fire_at_ns;
    node->fire_at_ns = fire_at;
    if (is_later) {
        loop->armed += (state & SWIVEL_KEPT) != 0;
        swivel__wheel_file(&loop->wheel, index, node);
        swivel__show_filed(loop, index, node);
    }
    return !is_later;
}
