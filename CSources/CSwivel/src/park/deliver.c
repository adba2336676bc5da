// SPDX-License-Identifier: Apache-2.0
// Delivering events: the owner of the first watcher in the queue is called.
#include "../../include/internal/park/watcher_uv.h"

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
static void call(swivel_loop *loop, swivel_watcher *watcher)
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

/// Takes the first watcher out of the queue and calls its owner, unless it was closed meanwhile.
static void deliver_first(swivel_loop *loop)
{
    swivel_watcher *watcher = take(&loop->watchers);
    if (watcher->owner == NULL) {
        swivel__watcher_free_unused(watcher);
    } else {
        call(loop, watcher);
    }
}

const swivel_turn_calls swivel__turn_calls = {swivel__descriptors_listen, deliver_first};
