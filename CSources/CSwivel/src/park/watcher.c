// SPDX-License-Identifier: Apache-2.0
// The life of a watcher: made, heard, queued, closed.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <stdlib.h>

void swivel__watcher_forget_doubt(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (!watcher->has_doubt) {
        return;
    }
    swivel_watcher *before = watcher->before_doubt, *next = watcher->next_doubt;
    *(before == NULL ? &all->first_doubt : &before->next_doubt) = next;
    *(next == NULL ? &all->last_doubt : &next->before_doubt) = before;
    watcher->has_doubt = false;
    all->doubts -= 1;
}

void swivel__watcher_doubts(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    swivel__watcher_forget_doubt(watcher);
    watcher->before_doubt = all->last_doubt;
    watcher->next_doubt = NULL;
    *(all->last_doubt == NULL ? &all->first_doubt : &all->last_doubt->next_doubt) = watcher;
    all->last_doubt = watcher;
    watcher->has_doubt = true;
    all->doubts += 1;
    watcher->polls = all->polls;
}

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

void swivel__watcher_free_unused(swivel_watcher *watcher)
{
    if (watcher->owner == NULL && !watcher->has_handle && !watcher->is_queued &&
        !watcher->is_delivering) {
        free(watcher);
    }
}

static void on_closed(uv_handle_t *handle)
{
    swivel_watcher *watcher = handle->data;
    watcher->has_handle = false;
    swivel__watcher_free_unused(watcher);
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
    all->generation += 1u + (all->generation == UINT32_MAX); // 0 is the park's own.
    watcher->generation = all->generation;
    if (all->first == NULL) {
        all->pass_ns = 0; // Timers have fired since the last pass.
        all->is_listening = false;
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
    swivel__watcher_forget_doubt(watcher);
    if (!watcher->loop->dead) {
        watcher->kind->leave(watcher);
    }
    watcher->owner = NULL;
    watcher->loop->watchers.has_changed = true;
    swivel__watcher_free_unused(watcher);
}

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
    if (!watcher->is_queued && !watcher->is_delivering) {
        hear_more(watcher);
    }
}

void swivel__watcher_set_site(swivel_watcher *watcher, uint64_t site)
{
    watcher->site = site;
}

/// Whether what was heard is yet to be delivered.
static bool has_news(const swivel_watcher *watcher)
{
    return watcher->heard != 0 || watcher->status != SWIVEL_OK || watcher->again;
}

void swivel__watcher_go_on(swivel_watcher *watcher, int status)
{
    if (watcher->owner == NULL) {
        swivel__watcher_free_unused(watcher);
    } else if (status != SWIVEL_OK) {
        swivel__watcher_close(watcher); // An end was its last news.
    } else if (has_news(watcher)) {
        swivel__watcher_queue(watcher);
    } else {
        hear_more(watcher);
    }
}

void swivel__watcher_hears(swivel_watcher *watcher, int events, int status)
{
    watcher->heard |= events;
    watcher->status = watcher->status == SWIVEL_OK ? status : watcher->status;
    watcher->again |= events == 0 && status == SWIVEL_OK;
    swivel__watcher_queue(watcher);
}
