// SPDX-License-Identifier: Apache-2.0
// A watcher's life: begun, changed, closed.
#include "../../include/internal/park/watcher_uv.h"

#include <poll.h>
#include <stdlib.h>

/// Makes a record in the loop's list. `NULL` without memory.
static swivel_watcher *make(swivel_loop *loop, int number, int wanted, swivel_watcher_calls calls,
                            void *owner)
{
    swivel_watcher *watcher = calloc(1, sizeof *watcher);
    if (watcher == NULL) {
        return NULL;
    }
    swivel_watchers *all = &loop->watchers;
    all->generation += 1u + (all->generation == UINT32_MAX); // 0 is the park's own.
    *watcher = (swivel_watcher){.loop = loop, .number = number, .wanted = wanted, .calls = calls,
                                .owner = owner, .generation = all->generation, .next = all->first};
    if (all->first == NULL) {
        all->pass_ns = 0; // Timers have fired since the last pass.
    } else {
        all->first->before = watcher;
    }
    all->first = watcher;
    SWIVEL_STORE(&all->count, SWIVEL_LOAD(&all->count, relaxed) + 1, relaxed);
    swivel__park_reveal(loop->park, true);
    return watcher;
}

int swivel__watch_descriptor(swivel_loop *loop, int number, int events, swivel_watcher_calls calls,
                             void *owner, swivel_watcher **out)
{
    swivel_watcher *watcher = make(loop, number, events, calls, owner);
    if (watcher == NULL) {
        return UV_ENOMEM;
    }
    int status = swivel__descriptor_begin(watcher);
    if (status == SWIVEL_OK) {
        *out = watcher;
    } else {
        swivel__watcher_close(watcher);
    }
    return status;
}

int swivel__watch_signal(swivel_loop *loop, int number, uint32_t count, swivel_watcher_calls calls,
                         void *owner, swivel_watcher **out)
{
    swivel_watcher *watcher = make(loop, number, SWIVEL_READABLE, calls, owner);
    if (watcher == NULL) {
        swivel__signal_leave(number);
        return UV_ENOMEM;
    }
    watcher->is_signal = true;
    watcher->count = count;
    swivel__signal_begin(watcher);
    *out = watcher;
    return SWIVEL_OK;
}

static void unlink_record(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (all->unchecked == watcher) {
        all->unchecked = watcher->next;
    }
    for (int i = 0; i < SWIVEL_DOUBTED; i++) {
        all->doubted[i] = all->doubted[i] == watcher ? NULL : all->doubted[i];
    }
    *(watcher->before == NULL ? &all->first : &watcher->before->next) = watcher->next;
    if (watcher->next != NULL) {
        watcher->next->before = watcher->before;
    }
    SWIVEL_STORE(&all->count, SWIVEL_LOAD(&all->count, relaxed) - 1, relaxed);
    if (all->first == NULL) {
        all->check_at = SWIVEL_MONO_NEVER;
        swivel__park_reveal(watcher->loop->park, false);
    }
}

void swivel__watcher_close(swivel_watcher *watcher)
{
    bool is_dead = watcher->loop->dead; // Then the poller is the parent's.
    unlink_record(watcher);
    if (watcher->is_signal && !is_dead) {
        swivel__signal_end(watcher);
    } else if (!is_dead) {
        swivel__descriptor_end(watcher);
    }
    watcher->owner = NULL;
    swivel__watcher_free_unused(watcher);
}

void swivel__watcher_check(swivel_watcher *watcher)
{
    if (!watcher->is_signal && !watcher->is_queued && !watcher->is_delivering &&
        watcher->status == SWIVEL_OK) {
        swivel__descriptor_check(watcher);
    }
}

void swivel__watcher_resolve_crowd(swivel_watchers *all)
{
    struct pollfd files[SWIVEL_DOUBTED];
    for (uint32_t i = 0; i < all->doubts; i++) {
        const swivel_watcher *watcher = all->doubted[i];
        bool is_known = watcher == NULL || watcher->is_queued;
        files[i] = (struct pollfd){.fd = is_known ? -1 : watcher->number};
    }
    poll(files, all->doubts, 0);
    for (uint32_t i = 0; i < all->doubts; i++) {
        if (all->doubted[i] != NULL) {
            all->doubted[i]->doubt = 0;
            if (files[i].revents & POLLNVAL) {
                swivel__watcher_check(all->doubted[i]);
            }
        }
    }
    all->doubts = 0;
}

/// Notes that the owner was called, and may have closed the descriptor, which is checked unless it
/// has an event soon.
static void doubt(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (watcher->doubt == 0) {
        if (all->doubts == SWIVEL_DOUBTED) {
            swivel__watcher_resolve_crowd(all);
        }
        all->doubted[all->doubts++] = watcher;
    }
    watcher->doubt = SWIVEL_DOUBT_POLLS;
}

void swivel__watcher_listen(swivel_watcher *watcher)
{
    // In a forked child the poller is the parent's, and stays as it is.
    if (!watcher->is_signal && !watcher->loop->dead && watcher->status == SWIVEL_OK &&
        !swivel__descriptor_listen(watcher)) {
        doubt(watcher);
    }
}

void swivel__watcher_want(swivel_watcher *watcher, int events)
{
    watcher->wanted = events;
    if (!watcher->is_queued && !watcher->is_delivering) {
        swivel__watcher_listen(watcher);
    }
}
