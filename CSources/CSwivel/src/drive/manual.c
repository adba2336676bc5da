// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/drive/manual.h"
#include "../../include/internal/park/park.h"
#include "../../include/internal/queue/post.h"

/// A wait that another thread ends has ended by then, even on a heavily loaded machine.
#define SWIVEL_PATIENCE_NS UINT64_C(10000000000)

/// The share of its patience that a pump has for threads that nobody has announced.
#define SWIVEL_GRACE_SHARE 100

static bool is_awaited(swivel_loop *loop)
{
    return loop->config.manual_is_awaited != NULL &&
           loop->config.manual_is_awaited(loop->config.owner);
}

bool swivel__manual_wait(swivel_loop *loop, swivel_patience *patience, uint64_t look_ns,
                         uint64_t next_ns)
{
    uint64_t whole = loop->config.manual_patience_ns;
    whole = whole != 0 ? whole : SWIVEL_PATIENCE_NS;
    uint64_t grace = whole / SWIVEL_GRACE_SHARE;
    swivel_real now = swivel__real_now();
    if (patience->ends.ns == 0) {
        patience->ends = swivel__real_after(now, whole);
        patience->moves = swivel__real_after(now, grace);
    }
    bool may_move = next_ns != SWIVEL_NEVER_NS;
    bool is_over = !swivel__real_is_before(now, patience->ends);
    bool has_grace = swivel__real_is_before(now, patience->moves);
    if (may_move && (is_over || (!has_grace && !is_awaited(loop)))) {
        swivel__clock_set(&loop->clock, next_ns);
        patience->ends = swivel__real_after(now, whole);
        return true;
    }
    swivel_real until = look_ns == 0 ? SWIVEL_REAL_NEVER : swivel__real_after(now, look_ns);
    until = swivel__real_first(until, patience->ends);
    if (may_move) {
        swivel_real moves = has_grace ? patience->moves : swivel__real_after(now, grace);
        until = swivel__real_first(until, moves);
    }
    swivel__park(loop, true, until);
    if (!swivel__inbox_is_empty(&loop->inbox)) {
        patience->ends = SWIVEL_REAL_PAST;
        return true;
    }
    return may_move || swivel__real_is_before(swivel__real_now(), patience->ends);
}

static bool is_pending(uint64_t state)
{
    uint32_t phase = swivel__phase(state);
    return phase == SWIVEL_ARMED || phase == SWIVEL_HANDED || phase == SWIVEL_RESTING ||
           (phase == SWIVEL_IDLE && (state & SWIVEL_MOVED));
}

static swivel_pending describe(swivel_loop *loop, uint32_t index, const swivel_node *node,
                               uint64_t state)
{
    swivel_pending pending = {.timer = {loop, index, swivel__generation(state)},
                              .fire_at_ns = node->fire_at_ns,
                              .sequence = node->sequence,
                              .flags = state & SWIVEL_FLAGS_MASK};
    if (state & SWIVEL_MOVED) {
        const swivel_move *move = swivel__slab_move(&loop->wheel.slab, index);
        uint64_t wanted = SWIVEL_LOAD(&move->wanted_ns, acquire);
        pending.fire_at_ns = wanted != SWIVEL_NOTHING_NS ? wanted : pending.fire_at_ns;
    }
    if (state & SWIVEL_REPEAT) {
        const swivel_settings *settings =
            (swivel_settings *)swivel__slab_node(&loop->wheel.slab, node->extra);
        pending.interval_ns = settings->interval_ns;
        pending.is_after_completion = settings->policy == SWIVEL_AFTER_COMPLETION;
    }
    return pending;
}

size_t swivel__pending(swivel_loop *loop, swivel_pending *list, size_t room)
{
    size_t count = 0;
    uint32_t carved;
    swivel_node *nodes;
    for (uint32_t number = 0;
         (nodes = swivel__slab_carved(&loop->wheel.slab, number, &carved)) != NULL; number++) {
        for (uint32_t slot = number == 0; slot < carved; slot++) {
            // Acquire pairs with the release that arms a node: its fields were written before.
            uint64_t state = SWIVEL_LOAD(&nodes[slot].state, acquire);
            if (!is_pending(state)) {
                continue;
            }
            if (count < room && list != NULL) {
                list[count] =
                    describe(loop, (number << SWIVEL_CHUNK_SHIFT) | slot, &nodes[slot], state);
            }
            count += 1;
        }
    }
    return count;
}

uint64_t swivel__pending_posts(swivel_loop *loop)
{
    uint64_t sent = SWIVEL_LOAD(&loop->inbox.tail, seq_cst) & ~SWIVEL_CLOSED;
    return (sent - loop->inbox.cursor) + (loop->local.tail - loop->local.head);
}

void swivel__divert_posts(swivel_loop *loop)
{
    // Posts that are counted take a path of their own, which knows the poster.
    loop->counts_posts = loop->diverts_posts = true;
}

int swivel__post_diverted(swivel_loop *loop, swivel_work work)
{
    // It was counted when it was diverted; the turn that runs it takes it off.
    swivel_entry entry = {work.function, work.context};
    int status = swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
    if (status != SWIVEL_OK) {
        SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, relaxed);
        swivel__refuse(loop, status);
    }
    return status;
}

uint64_t swivel__own_posts(swivel_loop *loop)
{
    return loop->local.tail;
}

uint64_t swivel__sent(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->inbox.tail, relaxed) & ~SWIVEL_CLOSED;
}
