// SPDX-License-Identifier: Apache-2.0
// The order of events and timers in a turn. On a loop that is late, data and the deadlines that the
// data would have moved are due together. So before due timers fire, a pass takes from the poller
// all that is ready, and it is delivered, in a step per turn. See docs/design/watches.md.
#include "../../include/internal/park/watcher_uv.h"
#include "../../include/internal/turn/turn.h"

/// How long polls follow one another at most: a park checks watches and signals.
#define SWIVEL_UNSERVED_NS 10000000

/// Calls the owner with the news, and continues to listen, unless the watcher was closed.
static void call(swivel_loop *loop, swivel_watcher *watcher)
{
    // An owner that has changed its mind is not called for what it does not want.
    int events = watcher->heard & swivel__told_events(watcher->wanted), status = watcher->status;
    watcher->heard = 0;
    watcher->is_delivering = true;
    if (watcher->owner != NULL && (events != 0 || status != SWIVEL_OK)) {
        SWIVEL_STORE(&loop->running, watcher->calls.site, relaxed);
        SWIVEL_COUNT(&loop->posts, 1);
        watcher->calls.heard(watcher->owner, watcher->number, events, status);
    }
    watcher->is_delivering = false;
    if (watcher->owner == NULL) {
        swivel__watcher_free_unused(watcher);
    } else if (status != SWIVEL_OK) {
        swivel__watcher_close(watcher); // An end was its last news.
    } else if (watcher->heard != 0 || watcher->status != SWIVEL_OK) {
        swivel__watcher_queue(watcher);
    } else {
        swivel__watcher_listen(watcher);
    }
}

/// Delivers what is queued. Returns whether the budget lasts.
static bool deliver(swivel_loop *loop, swivel_budget *budget, uint64_t *now_ns)
{
    swivel_watchers *all = &loop->watchers;
    // Watchers that a nested turn queues behind these are for the next turn.
    uint64_t limit = all->queued;
    bool lasts = true;
    while (lasts && all->first_queued != NULL && all->delivered < limit) {
        call(loop, swivel__watcher_take(all));
        lasts = swivel__budget_lasts(loop, budget, now_ns);
    }
    return lasts;
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

/// Whether the turn has only to deliver events, which the watches' poll reports, but for timers.
static bool only_watches(swivel_loop *loop)
{
    return loop->depth == 1 && loop->source == NULL && !loop->dead &&
           !swivel__has_own_work(loop) && swivel__inbox_is_empty(&loop->inbox) &&
           !SWIVEL_LOAD(&loop->has_signal, relaxed) && !SWIVEL_LOAD(&loop->stop, relaxed) &&
           SWIVEL_LOAD(&loop->refusal, relaxed) == SWIVEL_OK;
}

bool swivel__watchers_deliver(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    swivel_budget budget = swivel__budget_start(loop); // Posts may have used a budget of their own.
    budget.until_reading = 2; // One event, as with few descriptors, costs no other reading.
    uint64_t now_ns = budget.read_ns, changes = 0, due_ns = 0;
    bool lasts;
    while ((lasts = deliver(loop, &budget, &now_ns)) && all->is_busy && only_watches(loop)) {
        // Closures arm timers, and those in turns that they run: one of the numbers increases.
        uint64_t sum = loop->wheel.sequence + SWIVEL_LOAD(&loop->turns, relaxed);
        due_ns = sum == changes ? due_ns : swivel__wheel_next_deadline(&loop->wheel);
        changes = sum;
        now_ns = due_ns == SWIVEL_NEVER_NS ? now_ns : swivel__loop_now(loop);
        swivel_mono now = {now_ns}; // A loop that watches has real time.
        if (now_ns >= due_ns || swivel__mono_since(loop->served, now) > SWIVEL_UNSERVED_NS) {
            break;
        }
        swivel__descriptors_listen(loop);
        all->is_busy = all->first_queued != NULL;
    }
    // If the budget is spent, the next park does not sleep: it checks no watch that it may report.
    return all->first_queued != NULL || (all->is_busy && !lasts);
}
