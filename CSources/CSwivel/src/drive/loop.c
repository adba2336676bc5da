// SPDX-License-Identifier: Apache-2.0
// A loop as others see it: its progress, deadline, descriptor and counters, and what is pending.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/timer/hot.h"
#include "../../include/internal/park/park.h"

#include <stdlib.h>

bool swivel__loop_progress(swivel_loop *loop, swivel_progress *progress)
{
    // A loop that wakes stores `awake_ns` first: its sleep is not taken for the time of a closure.
    uint64_t parked = SWIVEL_LOAD(&loop->wake.parked, acquire);
    bool rests = SWIVEL_LOAD(&loop->rests, acquire);
    bool is_awake = parked == SWIVEL_AWAKE && !rests;
    progress->due_ns = rests ? parked : SWIVEL_NEVER_NS;
    uint64_t turn_ns = SWIVEL_LOAD(&loop->turn_ns, relaxed);
    uint64_t awake_ns = SWIVEL_LOAD(&loop->awake_ns, relaxed);
    progress->running = SWIVEL_LOAD(&loop->running, relaxed);
    progress->turns = SWIVEL_LOAD(&loop->turns, relaxed);
    progress->since_ns = turn_ns > awake_ns ? turn_ns : awake_ns;
    return is_awake;
}

bool swivel__loop_is_idle(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->wake.parked, acquire) != SWIVEL_AWAKE &&
           swivel__pending_timers(loop) == 0 &&
           SWIVEL_LOAD(&loop->watchers.count, relaxed) == 0 &&
           swivel_loop_refusal(loop) == SWIVEL_OK;
}

uint64_t swivel_loop_next_deadline(swivel_loop *loop)
{
    bool work = swivel__has_own_work(loop) || !swivel__inbox_is_empty(&loop->inbox);
    if (work) {
        return 0;
    }
    bool is_mixed = SWIVEL_LOAD(&loop->has_timeless, relaxed);
    return is_mixed ? swivel__next_timed(loop) : swivel__wheel_next_deadline(&loop->wheel);
}

int swivel_loop_fd(swivel_loop *loop)
{
    return loop->park == NULL ? -1 : swivel__park_fd(loop->park);
}

void swivel_loop_counters(swivel_loop *loop, swivel_counters *counters)
{
#define SWIVEL_COPY(name) counters->name = SWIVEL_LOAD(&loop->name, relaxed)
    SWIVEL_COPY(turns);
    SWIVEL_COPY(posts);
    SWIVEL_COPY(wakes);
    SWIVEL_COPY(parks);
    SWIVEL_COPY(refused);
    for (int bucket = 0; bucket < SWIVEL_LATENESS_BUCKETS; bucket++) {
        SWIVEL_COPY(lateness[bucket]);
    }
#undef SWIVEL_COPY
    counters->fired = SWIVEL_LOAD(&loop->fired, relaxed) +
                      swivel__counter_of(&loop->counter, SWIVEL_COUNTED_RUNS);
    counters->cancelled = SWIVEL_LOAD(&loop->cancelled, relaxed) +
                          swivel__counter_of(&loop->counter, SWIVEL_COUNTED_CANCELS) +
                          swivel__counter_of(&loop->counter, SWIVEL_COUNTED_DROPS);
    counters->missed = SWIVEL_LOAD(&loop->missed, relaxed) +
                       swivel__counter_of(&loop->counter, SWIVEL_COUNTED_MISSED);
    counters->pending = swivel__pending_timers(loop);
    counters->busy_ns = swivel__stopwatch_read(&loop->busy);
    counters->life_ns = swivel__stopwatch_read(&loop->life);
}

uint64_t swivel__ran(const swivel_loop *loop)
{
    // News without a listener was counted for a moment, maybe the moment of the request.
    uint64_t ran = loop->posts + loop->fired;
    return ran > loop->ran_before ? ran - loop->ran_before : 0;
}

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
