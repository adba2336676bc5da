// SPDX-License-Identifier: Apache-2.0
// Moves of a timer on its loop's thread, its own and those of other threads; the end of its node.
#include "../../include/internal/timer/timer.h"

void swivel__refile(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t fire_at_ns,
                    uint64_t number)
{
    if (SWIVEL_LIKELY(fire_at_ns != 0)) {
        swivel__wheel_refile(&loop->wheel, index, node, fire_at_ns, number);
        return;
    }
    swivel__wheel_unfile(&loop->wheel, node);
    node->fire_at_ns = 0;
    node->sequence = number;
    node->place = SWIVEL_PLACE_POST;
}

/// Posts the due message of a timer that the loop's own thread has moved to now.
static void post_due(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    uint64_t message = swivel__message(SWIVEL_DUE, index, swivel__generation(state));
    swivel_entry due = {message, node->sequence};
    if (SWIVEL_LIKELY(swivel__ring_renew(&loop->local, due))) {
        return;
    }
    // Without memory it comes behind what is due.
    node->place = SWIVEL_PLACE_NONE;
    node->fire_at_ns = swivel__behind_due(loop, 1);
    if (swivel__phase(state) != SWIVEL_BUSY) {
        swivel__wheel_stage(&loop->wheel, index, node);
    }
}

void swivel__file_again(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    if (node->fire_at_ns != 0) {
        swivel__refile(loop, index, node, swivel__behind_due(loop, node->fire_at_ns),
                       node->sequence);
    } else if (node->place != SWIVEL_PLACE_POST) {
        // Its due message has come, while the closure was running.
        swivel__refile(loop, index, node, 0, node->sequence);
        post_due(loop, index, node);
    }
}

/// Moves a repeat's grid to an instant; 0: to now.
static void move_grid(swivel_loop *loop, const swivel_node *node, uint64_t instant_ns)
{
    swivel_settings *settings = swivel__settings(loop, node);
    settings->grid.first_ns = instant_ns != 0 ? instant_ns : swivel__loop_now(loop);
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
        // A timer whose closure is running is moved when that has returned.
        next = swivel__phase(state) == SWIVEL_BUSY ? state | SWIVEL_AGAIN
                                                   : swivel__with_phase(state, SWIVEL_ARMED);
        next = swivel__resolved(next & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED));
    } while (next != state && !SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    swivel__count_reusable(loop, state, next);
    if (state & SWIVEL_REPEAT) {
        move_grid(loop, node, fire_at_ns);
    }
    uint64_t aligned = swivel__aligned_deadline(fire_at_ns, node->leeway_ns);
    uint64_t number = loop->wheel.sequence++;
    if (swivel__phase(next) == SWIVEL_BUSY && aligned != 0) {
        node->place = SWIVEL_PLACE_NONE;
        node->fire_at_ns = aligned;
        node->sequence = number;
        return true;
    }
    aligned = (state & SWIVEL_REUSABLE) ? swivel__behind_due(loop, aligned) : aligned;
    swivel__refile(loop, index, node, aligned, number);
    if (aligned == 0) {
        post_due(loop, index, node);
    }
    return true;
}

bool swivel__take_wanted(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t *fire_at_ns,
                         uint64_t *number)
{
    swivel_move *move = swivel__slab_move(&loop->wheel.slab, index);
    // Acquire pairs with the re-arm's store; sequentially consistent for `swivel__leave_deadline`.
    uint64_t wanted = SWIVEL_EXCHANGE(&move->wanted_ns, SWIVEL_NOTHING_NS, seq_cst);
    if (wanted == SWIVEL_NOTHING_NS) {
        return false;
    }
    bool is_now = wanted == SWIVEL_DUE_NS;
    if (SWIVEL_LOAD(&node->state, relaxed) & SWIVEL_REPEAT) {
        move_grid(loop, node, is_now ? 0 : wanted);
    }
    *fire_at_ns = is_now ? 0 : swivel__aligned_deadline(wanted, node->leeway_ns);
    // Relaxed: not before that of the deadline's re-arm, which stored it first.
    *number = is_now ? SWIVEL_LOAD(&move->due_order, relaxed) : SWIVEL_LOAD(&move->order, relaxed);
    // For that re-arm, if the timer fires before it ends.
    SWIVEL_STORE(&move->filed_ns, is_now ? ~*number : *fire_at_ns, relaxed);
    return true;
}

void swivel__show_filed(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    if (node->place == SWIVEL_PLACE_POST || swivel__clock_is_manual(&loop->clock)) {
        return; // It waits for a message; or virtual time stops at no instant but those of timers.
    }
    swivel_move *move = swivel__slab_move(&loop->wheel.slab, index);
    SWIVEL_STORE(&move->filed_ns, node->fire_at_ns, relaxed);
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    // Release pairs with the acquire of a re-arm that finds the flag; others have sent a message.
    while (swivel__phase(state) == SWIVEL_ARMED &&
           !SWIVEL_CAS(&node->state, &state, state | SWIVEL_FILED, release, relaxed)) {
    }
}

void swivel__follow(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t announced)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    bool moves;
    do {
        uint32_t phase = swivel__phase(state);
        // The end of a running closure handles moves that came in between.
        moves = (state & SWIVEL_MOVED) && phase != SWIVEL_BUSY && phase != SWIVEL_OVER;
        next = state & ~announced;
        if (moves) {
            next = swivel__with_phase(next, SWIVEL_ARMED);
            next &= ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);
        }
    } while (next != state && !SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    if (moves) {
        // A deadline that was taken before its re-arm had ended is the node's already.
        uint64_t fire_at = node->fire_at_ns, number = node->sequence;
        swivel__take_wanted(loop, index, node, &fire_at, &number);
        swivel__refile(loop, index, node, fire_at, number);
        swivel__show_filed(loop, index, node);
    } else if (swivel__phase(state) == SWIVEL_IDLE && swivel__wheel_has_deadline(node)) {
        // Kept: the deadline may be that of a re-arm that has not ended.
        swivel__wheel_unfile(&loop->wheel, node);
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
    uint64_t fire_at = node->fire_at_ns, number = node->sequence;
    // Behind another timer only if there is one: moves without pause do not keep it from firing.
    bool waits = swivel__take_wanted(loop, index, node, &fire_at, &number) &&
                 (fire_at == 0 || fire_at > node->fire_at_ns ||
                  swivel__wheel_has_before(&loop->wheel, fire_at, number));
    if (waits) {
        swivel__refile(loop, index, node, fire_at, number);
        swivel__show_filed(loop, index, node);
    } else {
        node->fire_at_ns = fire_at;
    }
    return !waits;
}

void swivel__reclaim(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    swivel_slab *slab = &loop->wheel.slab;
    uint32_t extra = node->extra;
    swivel__wheel_unfile(&loop->wheel, node);
    node->extra = SWIVEL_NIL; // For a node that is left to the last of its re-arms.
    swivel__slab_free(slab, index, node);
    if (extra != SWIVEL_NIL) {
        swivel__slab_free(slab, extra, swivel__slab_node(slab, extra));
    }
}
