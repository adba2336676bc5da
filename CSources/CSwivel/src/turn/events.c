// SPDX-License-Identifier: Apache-2.0
// The order of events and timers in a turn. On a loop that is late, data and the deadlines that the
// data would have moved are due together. So before due timers fire, a pass takes from the poller
// all that is ready, and it is delivered, in a step per turn. See docs/design/watches.md.
#include "../../include/internal/turn/turn.h"

/// Polls for events that follow one another, at most: then the checks of a park have their turn.
#define SWIVEL_FOLLOWED 64

/// Delivers what is queued, within the budget. Returns whether some of it is left.
static bool deliver(swivel_loop *loop, uint64_t now_ns)
{
    swivel_watchers *all = &loop->watchers;
    // Watchers that a nested turn queues behind these are for the next turn.
    uint64_t limit = all->queued;
    if (all->first_queued == NULL) {
        return false;
    }
    swivel__watchers_deliver_first(loop);
    if (all->first_queued == NULL) {
        return false; // One event, as with few descriptors, costs no reading of the clock.
    }
    swivel_budget budget = swivel__budget_start(loop);
    while (swivel__budget_lasts(loop, &budget, &now_ns) && all->first_queued != NULL &&
           all->delivered < limit) {
        swivel__watchers_deliver_first(loop);
    }
    return all->first_queued != NULL;
}

void swivel__watchers_listen_for_timers(swivel_loop *loop, uint64_t now_ns)
{
    swivel_watchers *all = &loop->watchers;
    if (loop->dead) {
        return;
    }
    if (all->pass_ns == 0) {
        if (swivel__wheel_next_deadline(&loop->wheel) > now_ns) {
            return;
        }
        all->pass_ns = now_ns;
        all->pass += 1;
        all->pass_end = UINT64_MAX;
    }
    if (all->pass_end == UINT64_MAX && swivel__descriptors_listen(loop)) {
        all->pass_end = all->queued;
    }
}

/// Whether the turn has only to deliver events, which the watches' poll reports. Reads the time.
static bool only_watches(swivel_loop *loop, uint64_t *now_ns)
{
    *now_ns = swivel__clock_ahead(&loop->clock);
    return loop->depth == 1 && loop->source == NULL && !loop->dead &&
           !swivel__has_own_work(loop) && swivel__inbox_is_empty(&loop->inbox) &&
           !SWIVEL_LOAD(&loop->has_signal, relaxed) && !SWIVEL_LOAD(&loop->stop, relaxed) &&
           SWIVEL_LOAD(&loop->refusal, relaxed) == SWIVEL_OK &&
           *now_ns < swivel__wheel_next_deadline(&loop->wheel);
}

bool swivel__watchers_deliver(swivel_loop *loop, uint64_t now_ns)
{
    swivel_watchers *all = &loop->watchers;
    uint64_t ends_ns = swivel__saturating_add(now_ns, loop->config.turn_ns);
    bool more = deliver(loop, now_ns);
    for (int left = SWIVEL_FOLLOWED; all->is_busy && only_watches(loop, &now_ns); left--) {
        if (left == 0 || now_ns >= ends_ns) {
            return true; // A park that does not sleep: it checks no watch that the poll may report.
        }
        swivel__descriptors_listen(loop);
        all->is_busy = all->first_queued != NULL;
        more = deliver(loop, now_ns);
    }
    return more;
}
