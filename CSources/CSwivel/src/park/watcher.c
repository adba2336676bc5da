// SPDX-License-Identifier: Apache-2.0
// A watcher's record: made, queued with its news, freed.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <stdlib.h>

swivel_watcher *swivel__watcher_make(swivel_loop *loop, int number, int wanted,
                                     swivel_watcher_calls calls, void *owner)
{
    swivel_watcher *watcher = calloc(1, sizeof *watcher);
    if (watcher == NULL) {
        return NULL;
    }
    swivel_watchers *all = &loop->watchers;
    watcher->loop = loop;
    watcher->number = number;
    watcher->wanted = wanted;
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
    SWIVEL_STORE(&all->count, SWIVEL_LOAD(&all->count, relaxed) + 1, relaxed);
    swivel__park_reveal(loop->park, true);
    return watcher;
}

void swivel__watcher_free_unused(swivel_watcher *watcher)
{
    if (watcher->owner == NULL && !watcher->has_handle && !watcher->is_queued &&
        !watcher->is_delivering) {
        free(watcher);
    }
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

void swivel__watcher_hears(swivel_watcher *watcher, int events, int status)
{
    watcher->heard |= events;
    watcher->status = watcher->status == SWIVEL_OK ? status : watcher->status;
    swivel__watcher_queue(watcher);
}
