// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/timer/state.h"

#include <stdlib.h>

static bool is_pending(uint64_t state)
{
    uint32_t phase = swivel__phase(state);
    return phase == SWIVEL_ARMED || (phase == SWIVEL_IDLE && (state & SWIVEL_MOVED));
}

/// Another thread may recall a timer that is on its way, and use its node again during this.
SWIVEL_NO_TSAN static swivel_pending describe(swivel_loop *loop, uint32_t index,
                                              const swivel_node *node, uint64_t state)
{
    swivel_pending pending = {.timer = {loop, index, swivel__generation(state)},
                              .fire_at_ns = node->fire_at_ns,
                              .sequence = node->sequence,
                              .work = swivel__node_peek(node),
                              .flags = state & SWIVEL_FLAGS_MASK};
    if (state & SWIVEL_MOVED) {
        const swivel_move *move = swivel__slab_move(&loop->wheel.slab, index);
        uint64_t wanted = SWIVEL_LOAD(&move->wanted_ns, acquire);
        if (wanted != SWIVEL_NOTHING_NS) {
            pending.fire_at_ns = wanted != SWIVEL_DUE_NS ? wanted : 0;
            pending.sequence = SWIVEL_SETTING(&move->order);
        }
    }
    if (state & SWIVEL_REPEAT) {
        const swivel_settings *settings =
            (swivel_settings *)swivel__slab_node(&loop->wheel.slab, node->extra);
        pending.interval_ns = settings->grid.interval_ns;
        pending.is_after_completion = settings->grid.missed == SWIVEL_AFTER_COMPLETION;
    }
    return pending;
}

/// In the order in which timers fire; for qsort(3).
static int by_instant(const void *one, const void *other)
{
    const swivel_pending *a = one, *b = other;
    if (a->fire_at_ns != b->fire_at_ns) {
        return a->fire_at_ns < b->fire_at_ns ? -1 : 1;
    }
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

size_t swivel__pending(swivel_loop *loop, swivel_pending *list, size_t room, uint64_t flags)
{
    size_t count = 0, kept = 0;
    uint32_t carved;
    swivel_node *nodes;
    for (uint32_t number = 0;
         (nodes = swivel__slab_carved(&loop->wheel.slab, number, &carved)) != NULL; number++) {
        for (uint32_t slot = number == 0; slot < carved; slot++) {
            // Acquire pairs with the release that arms a node: its fields were written before.
            uint64_t state = SWIVEL_LOAD(&nodes[slot].state, acquire);
            if (!is_pending(state) || (state & flags)) {
                continue;
            }
            uint32_t index = (number << SWIVEL_CHUNK_SHIFT) | slot;
            list[kept] = describe(loop, index, &nodes[slot], state);
            SWIVEL_THREAD_FENCE(acquire);
            uint64_t now = SWIVEL_LOAD(&nodes[slot].state, relaxed);
            if (swivel__generation(now) != swivel__generation(state)) {
                continue;
            }
            kept += 1;
            count += 1;
            if (kept == room) { // The later half goes.
                qsort(list, kept, sizeof *list, by_instant);
                kept = room / 2;
            }
        }
    }
    qsort(list, kept, sizeof *list, by_instant);
    return count;
}

uint64_t swivel__next_timed(swivel_loop *loop)
{
    swivel_pending first[64]; // The room for one would sort at each timer.
    size_t count = swivel__pending(loop, first, 64, SWIVEL_TIMELESS);
    return count > 0 ? first[0].fire_at_ns : SWIVEL_NEVER_NS;
}

bool swivel__resting_enter(swivel_loop *loop)
{
    swivel__lock(&loop->lock);
    bool rests = swivel_loop_refusal(loop) == SWIVEL_OK && !loop->has_thread && !loop->driven;
    if (!rests) {
        swivel__unlock(&loop->lock);
    }
    return rests;
}

void swivel__resting_leave(swivel_loop *loop)
{
    swivel__unlock(&loop->lock);
}
