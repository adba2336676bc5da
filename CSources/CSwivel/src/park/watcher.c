// SPDX-License-Identifier: Apache-2.0
// The life of a watcher: made, heard, told, closed.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <stdlib.h>

static void unlink_record(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (all->unchecked == watcher) {
        all->unchecked = watcher->next;
    }
    *(watcher->before == NULL ? &all->first : &watcher->before->next) = watcher->next;
    if (watcher->next != NULL) {
        watcher->next->before = watcher->before;
    }
    SWIVEL_STORE(&all->count, SWIVEL_LOAD(&all->count, relaxed) - 1, relaxed);
}

static void free_unused(swivel_watcher *watcher)
{
    if (watcher->owner == NULL && !watcher->has_handle && !watcher->is_queued &&
        !watcher->is_telling) {
        free(watcher);
    }
}

static void on_closed(uv_handle_t *handle)
{
    swivel_watcher *watcher = handle->data;
    watcher->has_handle = false;
    free_unused(watcher);
}

void swivel__watcher_close_handle(swivel_watcher *watcher)
{
    watcher->loop->watchers.has_changed = true;
    watcher->uv.data = watcher;
    uv_close((uv_handle_t *)&watcher->uv, on_closed);
}

swivel_watcher *swivel__watcher_make(swivel_loop *loop, const swivel_watcher_kind *kind, int number,
                                     swivel_watcher_calls calls, void *owner)
{
    swivel_watcher *watcher = calloc(1, sizeof *watcher);
    if (watcher == NULL) {
        return NULL;
    }
    swivel_watchers *all = &loop->watchers;
    watcher->loop = loop;
    watcher->kind = kind;
    watcher->number = number;
    watcher->calls = calls;
    watcher->owner = owner;
    watcher->generation = ++all->generation;
    if (all->first == NULL) {
        all->check_at = SWIVEL_REAL_PAST;
    } else {
        all->first->before = watcher;
    }
    watcher->next = all->first;
    all->first = watcher;
    all->has_changed = true;
    SWIVEL_STORE(&all->count, SWIVEL_LOAD(&all->count, relaxed) + 1, relaxed);
    swivel__park_reveal(loop->park, true);
    return watcher;
}

void swivel__watcher_close(swivel_watcher *watcher)
{
    unlink_record(watcher);
    if (!watcher->loop->dead) {
        watcher->kind->leave(watcher);
    }
    watcher->owner = NULL;
    watcher->loop->watchers.has_changed = true;
    free_unused(watcher);
}

/// In a forked child the poller is the parent's, and stays as it is.
static void hear_more(swivel_watcher *watcher)
{
    if (!watcher->loop->dead) {
        watcher->kind->listen(watcher);
    }
}

void swivel__watcher_want(swivel_watcher *watcher, int events)
{
    watcher->wanted = events;
    if (!watcher->is_queued && !watcher->is_telling) {
        hear_more(watcher);
    }
}

/// Whether what was heard waits to be told.
static bool waits(const swivel_watcher *watcher)
{
    return watcher->heard != 0 || watcher->status != SWIVEL_OK || watcher->again;
}

static void post(swivel_watcher *watcher);

/// After its owner was told. An end was its last news.
static void go_on(swivel_watcher *watcher, int told)
{
    if (watcher->owner == NULL) {
        return;
    }
    if (told != SWIVEL_OK) {
        swivel__watcher_close(watcher);
    } else if (waits(watcher)) {
        post(watcher);
    } else {
        hear_more(watcher);
    }
}

static void tell(void *argument, bool runs)
{
    swivel_watcher *watcher = argument;
    watcher->is_queued = false;
    if (!runs) {
        watcher->loop->report.cancelled_posts -= 1; // Its watch is in the report.
    } else if (watcher->owner == NULL) {
        SWIVEL_COUNT(&watcher->loop->posts, UINT64_MAX); // No closure has run.
    } else {
        int told = watcher->wanted | swivel__end_events(watcher->wanted) | SWIVEL_FAULTY;
        int events = watcher->heard & told, status = watcher->status;
        bool is_signal = watcher->again;
        watcher->heard = 0;
        watcher->again = false;
        watcher->is_telling = true;
        // An owner that has changed its mind hears nothing of what it does not want.
        if (events != 0 || status != SWIVEL_OK || is_signal) {
            watcher->calls.heard(watcher->owner, watcher->number, events, status);
        }
        go_on(watcher, status);
        watcher->is_telling = false;
    }
    free_unused(watcher);
}

/// Queues the watcher behind the loop's own posts. Without memory for it, the next check does.
static void post(swivel_watcher *watcher)
{
    swivel_loop *loop = watcher->loop;
    swivel_entry entry = {swivel__callback_word((uintptr_t)tell, false, false), (uintptr_t)watcher};
    watcher->is_queued = swivel__ring_push(&loop->local, entry);
    if (watcher->is_queued && SWIVEL_UNLIKELY(loop->counts_posts)) {
        SWIVEL_FETCH_ADD(&loop->waiting_posts, 1, relaxed);
    }
}

bool swivel__watcher_waits(swivel_watcher *watcher)
{
    bool has_news = waits(watcher);
    if (has_news && !watcher->is_queued && !watcher->is_telling && watcher->owner != NULL) {
        post(watcher);
    }
    return has_news;
}

void swivel__watcher_hears(swivel_watcher *watcher, int events, int status)
{
    watcher->heard |= events;
    watcher->status = watcher->status == SWIVEL_OK ? status : watcher->status;
    watcher->again |= events == 0 && status == SWIVEL_OK;
    swivel__watcher_waits(watcher);
}
