// SPDX-License-Identifier: Apache-2.0
// A loop's time, descriptor and counters.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/hot.h"
#include "../../include/internal/park/park.h"

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
    SWIVEL_COPY(busy_ns);
    SWIVEL_COPY(idle_ns);
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
}

uint64_t swivel__ran(const swivel_loop *loop)
{
    // News without a listener was counted for a moment, maybe the moment of the request.
    uint64_t ran = loop->posts + loop->fired;
    return ran > loop->ran_before ? ran - loop->ran_before : 0;
}
