// SPDX-License-Identifier: Apache-2.0
// Watchers of signals: each is called when the process's count of its signal has changed.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/signals.h"
#include "../../include/internal/park/watcher_uv.h"

#include <pthread.h>

static void compare(swivel_watcher *watcher)
{
    uint32_t count = swivel__signal_count(watcher->number);
    if (count != watcher->count) {
        watcher->count = count;
        // Once, however often the signal came.
        swivel__watcher_hears(watcher, SWIVEL_READABLE, SWIVEL_OK);
    }
}

/// The other threads of the process may block the signal. The loop's own does not from here on.
static void unblock(const swivel_loop *loop, int number)
{
    if (loop->config.drive == SWIVEL_OWN_THREAD) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, number);
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
}

int swivel__watch_signal(swivel_loop *loop, int number, uint32_t count, swivel_watcher_calls calls,
                         void *owner, swivel_watcher **out)
{
    swivel_watcher *watcher = swivel__watcher_make(loop, number, SWIVEL_READABLE, calls, owner);
    if (watcher == NULL) {
        swivel__signal_leave(number);
        return UV_ENOMEM;
    }
    watcher->is_signal = true;
    watcher->count = count;
    swivel__signals_listen_begin(loop);
    unblock(loop, number);
    compare(watcher);
    *out = watcher;
    return SWIVEL_OK;
}

void swivel__signal_end(const swivel_watcher *watcher)
{
    swivel__signals_listen_end(watcher->loop);
    swivel__signal_leave(watcher->number);
}

void swivel__signals_hear(swivel_loop *loop)
{
    if (!SWIVEL_LOAD(&loop->has_signal, relaxed)) {
        return;
    }
    SWIVEL_EXCHANGE(&loop->has_signal, false, seq_cst);
    for (swivel_watcher *watcher = loop->watchers.first; watcher != NULL; watcher = watcher->next) {
        if (watcher->is_signal) {
            compare(watcher);
        }
    }
}
