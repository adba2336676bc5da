// SPDX-License-Identifier: Apache-2.0
// Delivering events: the queue of watchers with news, and the timers that wait for it.
//
// A loop may be late: a closure took long, or the machine stood still. Then data of connections and
// the deadlines at which they would count as idle have come together. So before timers that are due
// fire, a pass takes from the poller all that is ready, and the timers wait until the last of that
// has been delivered. Both happen in steps, one in a turn, with posts in between. What becomes ready
// after the pass has begun is for the next pass: timers wait for a finite number of events.
#include "../../include/internal/park/watcher_uv.h"
#include "../../include/internal/turn/budget.h"
#include "../../include/internal/wheel/wheel.h"

void swivel__watcher_queue(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (watcher->is_queued || watcher->is_delivering || watcher->owner == NULL) {
        return;
    }
    watcher->is_queued = true;
    watcher->next_queued = NULL;
    *(all->first_queued == NULL ? &all->first_queued : &all->last_queued->next_queued) = watcher;
    all->last_queued = watcher;
    all->queued += 1;
}

/// Takes the first watcher out of the queue.
static swivel_watcher *take(swivel_watchers *all)
{
    swivel_watcher *watcher = all->first_queued;
    all->first_queued = watcher->next_queued;
    all->delivered += 1;
    watcher->is_queued = false;
    return watcher;
}

void swivel__watchers_drop_queue(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    while (all->first_queued != NULL) {
        swivel__watcher_free_unused(take(all));
    }
    swivel__watchers_forget(all);
}

/// Calls the owner.
static void deliver(swivel_loop *loop, swivel_watcher *watcher)
{
    // An owner that has changed its mind is not called for what it does not want.
    int events = watcher->heard & swivel__told_events(watcher->wanted), status = watcher->status;
    bool is_news = events != 0 || status != SWIVEL_OK || watcher->again;
    watcher->heard = 0;
    watcher->again = false;
    watcher->is_delivering = true;
    if (is_news) {
        SWIVEL_STORE(&loop->running, watcher->site, relaxed);
        SWIVEL_COUNT(&loop->posts, 1);
        watcher->calls.heard(watcher->owner, watcher->number, events, status);
    }
    watcher->is_delivering = false;
    swivel__watcher_go_on(watcher, status);
}

bool swivel__watchers_deliver(swivel_loop *loop, uint64_t now_ns)
{
    swivel_watchers *all = &loop->watchers;
    // What a nested turn queues behind these is for the next turn.
    uint64_t limit = all->queued;
    if (all->first_queued == NULL) {
        return false;
    }
    swivel_budget budget = swivel__budget_start(loop);
    do {
        swivel_watcher *watcher = take(all);
        if (watcher->owner == NULL) {
            swivel__watcher_free_unused(watcher);
        } else {
            deliver(loop, watcher);
        }
    } while (swivel__budget_lasts(loop, &budget, &now_ns) && all->first_queued != NULL &&
             all->delivered < limit);
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
        all->is_listening = true;
    }
    if (all->is_listening && swivel__descriptors_listen(loop)) {
        all->is_listening = false;
        all->pass_end = all->queued;
    }
}

bool swivel__watchers_let_fire(swivel_loop *loop, uint64_t *due_ns)
{
    swivel_watchers *all = &loop->watchers;
    *due_ns = all->pass_ns;
    if (all->pass_ns == 0 || all->is_listening || all->delivered < all->pass_end) {
        return false;
    }
    all->pass_ns = 0;
    return true;
}
