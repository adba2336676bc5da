// SPDX-License-Identifier: Apache-2.0
// Signals, through uv_signal. libuv has one handler for the process, and a pipe to each loop.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/// A watcher that libuv tells, in the upper half of `noted`.
#define STARTED (UINT64_C(1) << 32)

/// How often a signal came before a loop had taken it over, and how many watchers have it.
static SWIVEL_ATOMIC(uint64_t) noted[NSIG];
/// How many loops are about to take it over.
static SWIVEL_ATOMIC(uint32_t) awaited[NSIG];

typedef struct sigaction action;

/// May run on any thread, and late: after libuv's handler has taken its place, and a loop has looked
/// for what was noted. Then the signal is libuv's. One word orders the two.
static void on_noted(int number)
{
    uint64_t before = SWIVEL_FETCH_ADD(&noted[number], 1, seq_cst);
    if (before < STARTED) {
        return;
    }
    int error = errno; // The interrupted code's.
    action now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != on_noted) {
        raise(number); // It comes when this handler has returned.
    }
    errno = error;
}

static action handler_of(int number)
{
    action now;
    memset(&now, 0, sizeof now);
    sigaction(number, NULL, &now);
    return now;
}

static bool is_handled(const action *now)
{
    return (now->sa_flags & SA_SIGINFO) ||
           (now->sa_handler != SIG_DFL && now->sa_handler != SIG_IGN &&
            now->sa_handler != on_noted);
}

uint32_t swivel__signal_expect(int number)
{
    SWIVEL_FETCH_ADD(&awaited[number], 1, relaxed);
    uint32_t before = (uint32_t)SWIVEL_LOAD(&noted[number], relaxed);
    action now = handler_of(number);
    if (!is_handled(&now)) {
        memset(&now, 0, sizeof now);
        now.sa_handler = on_noted;
        now.sa_flags = SA_RESTART;
        sigfillset(&now.sa_mask);
        sigaction(number, &now, NULL);
    }
    return before;
}

void swivel__signal_leave(int number)
{
    bool is_last = SWIVEL_FETCH_SUB(&awaited[number], 1, relaxed) == 1;
    action now = handler_of(number);
    if (is_last && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == on_noted) {
        signal(number, SIG_DFL);
    }
}

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    swivel__watcher_hears(handle->data, 0, SWIVEL_OK);
}

/// Starts the handle, unless code that does not know libuv handles the signal.
static int start(swivel_watcher *watcher)
{
    action before = handler_of(watcher->number);
    int status = uv_signal_start(&watcher->uv.signal, on_signal, watcher->number);
    action after = handler_of(watcher->number);
    if (status == 0 && is_handled(&before) && before.sa_handler != after.sa_handler) {
        uv_signal_stop(&watcher->uv.signal);
        sigaction(watcher->number, &before, NULL);
        status = UV_EBUSY;
    }
    return status;
}

static void nothing(swivel_watcher *watcher)
{
    (void)watcher; // libuv goes on listening, and a signal is in no need of a check.
}

static void leave(swivel_watcher *watcher)
{
    if (watcher->armed != 0) {
        watcher->armed = 0;
        SWIVEL_FETCH_SUB(&noted[watcher->number], STARTED, relaxed);
    }
    if (watcher->has_handle) {
        swivel__watcher_close_handle(watcher);
    }
}

static const swivel_watcher_kind signal_kind = {nothing, nothing, leave, true};

int swivel__watch_signal(swivel_loop *loop, int number, uint32_t expected,
                         swivel_watcher_calls calls, void *owner, swivel_watcher **out)
{
    swivel_watcher *watcher = swivel__watcher_make(loop, &signal_kind, number, calls, owner);
    if (watcher == NULL) {
        swivel__signal_leave(number);
        return UV_ENOMEM;
    }
    int status = uv_signal_init(swivel__park_uv(loop->park), &watcher->uv.signal);
    if (status == 0) {
        watcher->has_handle = true;
        status = start(watcher);
    }
    swivel__signal_leave(number);
    if (status < 0) {
        swivel__watcher_close(watcher);
        return status;
    }
    watcher->armed = 1;
    if ((uint32_t)SWIVEL_FETCH_ADD(&noted[number], STARTED, seq_cst) != expected) {
        swivel__watcher_hears(watcher, 0, SWIVEL_OK);
    }
    *out = watcher;
    return SWIVEL_OK;
}

void swivel__watchers_forget(swivel_loop *loop)
{
    for (swivel_watcher *watcher = loop->watchers.first; watcher != NULL; watcher = watcher->next) {
        if (watcher->kind == &signal_kind) {
            // libuv's handler would write to a pipe of the parent's.
            signal(watcher->number, SIG_DFL);
            SWIVEL_FETCH_SUB(&noted[watcher->number], STARTED, relaxed);
            watcher->armed = 0;
        }
    }
}
