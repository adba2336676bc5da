// SPDX-License-Identifier: Apache-2.0
// Watchers of signals: each is called when the process's count of its signal has changed.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/signals.h"
#include "../../include/internal/park/watcher_uv.h"

#include <pthread.h>

static void nothing(swivel_watcher *watcher)
{
    (void)watcher; // The handler still counts, and all signals are checked together.
}

static void leave(swivel_watcher *watcher)
{
    swivel__signals_listen_end(watcher->loop);
    swivel__signal_leave(watcher->number);
}

static const swivel_watcher_kind signal_kind = {nothing, nothing, leave, true};

static void compare(swivel_watcher *watcher)
{
    uint32_t count = swivel__signal_count(watcher->number);
    if (count != watcher->count) {
        watcher->count = count;
        swivel__watcher_hears(watcher, 0, SWIVEL_OK); // Once, however often the signal came.
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
    swivel_watcher *watcher = swivel__watcher_make(loop, &signal_kind, number, calls, owner);
    if (watcher == NULL) {
        swivel__signal_leave(number);
        return UV_ENOMEM;
    }
    watcher->count = count;
    swivel__signals_listen_begin(loop);
    unblock(loop, number);
    compare(watcher);
    *out = watcher;
    return SWIVEL_OK;
}

void swivel__signals_hear(swivel_loop *loop)
{
    if (!SWIVEL_LOAD(&loop->has_signal, relaxed)) {
        return;
    }
    SWIVEL_EXCHANGE(&loop->has_signal, false, seq_cst);
    for (swivel_watcher *watcher = loop->watchers.first; watcher != NULL; watcher = watcher->next) {
        if (watcher->kind == &signal_kind) {
            compare(watcher);
        }
    }
}
