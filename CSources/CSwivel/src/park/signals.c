// SPDX-License-Identifier: Apache-2.0
// libuv has a handler of its own, and gives the signal back to the system with the last handle for
// it. So each signal in use has a handle here, which keeps libuv from changing the system's entry:
// neither a loop that begins to watch a signal nor one that ends lets it go for a moment.
#include "../../include/internal/park/signals.h"
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/uv.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct sigaction action;
typedef void handler(int number);

/// A signal that is expected or watched.
typedef struct used_signal {
    uv_signal_t uv; ///< In `keeper`. Never heard.
    action beneath; ///< libuv's entry, which the handler stands for.
    bool was_ignored; ///< The system's entry said so before.
    uint32_t users;
    bool has_closed;
} used_signal;

// Guarded by `lock`.
static swivel_lock lock;
static used_signal *signals[NSIG];
static uv_loop_t *keeper; ///< While there is one of them.
static uint32_t used_count;

static SWIVEL_ATOMIC(uint32_t) counts[NSIG];
/// The handlers that are called after this one.
static SWIVEL_ATOMIC(handler *) beneath[NSIG];
/// The loops that have ever watched signals. Their records are never freed.
static SWIVEL_ATOMIC(swivel_loop *) listeners;

uint32_t swivel__signal_count(int number)
{
    return SWIVEL_LOAD(&counts[number], seq_cst);
}

/// Runs on any thread, between any two instructions of it.
static void on_signal(int number)
{
    int error = errno; // The interrupted code's.
    // The count comes first: a loop that is missed here has yet to compare it.
    SWIVEL_FETCH_ADD(&counts[number], 1, seq_cst);
    swivel_loop *loop = SWIVEL_LOAD(&listeners, seq_cst);
    for (; loop != NULL; loop = loop->next_listener) {
        if (SWIVEL_LOAD(&loop->signals, seq_cst) != 0) {
            SWIVEL_STORE(&loop->has_signal, true, release);
            // The bell, whoever drives the loop: a host's own functions are not for handlers. It
            // watches the descriptor of a loop that watches anything.
            swivel__wake_now(&loop->wake, swivel__park_ring, &loop->park);
        }
    }
    handler *next = SWIVEL_LOAD(&beneath[number], acquire);
    if (next != NULL) {
        next(number);
    }
    errno = error;
}

static action action_of(int number)
{
    action now;
    memset(&now, 0, sizeof now);
    sigaction(number, NULL, &now);
    return now;
}

static bool is_default(const action *now)
{
    return !(now->sa_flags & SA_SIGINFO) &&
           (now->sa_handler == SIG_DFL || now->sa_handler == SIG_IGN);
}

static bool is_ours(const action *now)
{
    return !(now->sa_flags & SA_SIGINFO) && now->sa_handler == on_signal;
}

static void on_closed(uv_handle_t *handle)
{
    ((used_signal *)handle->data)->has_closed = true;
}

/// libuv changes the system's entry here, if no other handle of the process is for the signal.
static void close_handle(used_signal *used)
{
    used->uv.data = used;
    uv_close((uv_handle_t *)&used->uv, on_closed);
    while (!used->has_closed) {
        uv_run(keeper, UV_RUN_NOWAIT);
    }
    free(used);
}

static void close_keeper(void)
{
    if (used_count == 0) {
        swivel__uv_close(keeper);
        free(keeper);
        keeper = NULL;
    }
}

static int open_keeper(void)
{
    if (keeper != NULL) {
        return SWIVEL_OK;
    }
    uv_loop_t *uv = calloc(1, sizeof *uv);
    int status = uv == NULL ? UV_ENOMEM : swivel__uv_open(uv);
    if (status < 0) {
        free(uv);
        return status;
    }
    keeper = uv;
    return SWIVEL_OK;
}

static void nothing(uv_signal_t *handle, int number)
{
    (void)handle;
    (void)number; // The keeper never runs but to close a handle.
}

/// Starts libuv's handle, and sees whose the signal was before.
static int start(used_signal *used, int number)
{
    action before = action_of(number);
    used->was_ignored = is_default(&before) && before.sa_handler == SIG_IGN;
    int status = uv_signal_start(&used->uv, nothing, number);
    used->beneath = action_of(number);
    bool is_libuvs =
        !(before.sa_flags & SA_SIGINFO) && before.sa_handler == used->beneath.sa_handler;
    if (status == 0 && !is_default(&before) && !is_libuvs) {
        uv_signal_stop(&used->uv);
        sigaction(number, &before, NULL);
        status = UV_EBUSY;
    }
    return status;
}

/// Puts the handler before libuv's.
static void install(const used_signal *used, int number)
{
    handler *next = is_default(&used->beneath) ? NULL : used->beneath.sa_handler;
    SWIVEL_STORE(&beneath[number], next, release);
    action own;
    memset(&own, 0, sizeof own);
    own.sa_handler = on_signal;
    own.sa_flags = SA_RESTART;
    sigfillset(&own.sa_mask);
    sigaction(number, &own, NULL);
}

/// The signal's first use. Returns `SWIVEL_OK` or a negative status.
static int take(int number)
{
    int status = open_keeper();
    if (status < 0) {
        return status;
    }
    used_signal *used = calloc(1, sizeof *used);
    status = used == NULL ? UV_ENOMEM : uv_signal_init(keeper, &used->uv);
    if (status == 0 && (status = start(used, number)) < 0) {
        close_handle(used);
        used = NULL;
    }
    if (status < 0) {
        free(used);
        close_keeper();
        return status;
    }
    used_count += 1;
    signals[number] = used;
    install(used, number);
    return SWIVEL_OK;
}

int swivel__signal_expect(int number, uint32_t *count)
{
    swivel__lock(&lock);
    int status = SWIVEL_OK;
    if (signals[number] == NULL) {
        status = take(number);
    } else {
        action now = action_of(number);
        status = is_ours(&now) ? SWIVEL_OK : UV_EBUSY;
    }
    if (status == SWIVEL_OK) {
        signals[number]->users += 1;
        *count = swivel__signal_count(number);
    }
    swivel__unlock(&lock);
    return status;
}

/// The end of the signal's use: the system's entry is what it would be without it.
static void give_back(used_signal *used, int number)
{
    action before = action_of(number), libuvs = used->beneath;
    bool was_ignored = used->was_ignored;
    close_handle(used);
    action now = action_of(number);
    if (!is_ours(&before)) {
        sigaction(number, &before, NULL); // Other code's, which has taken the signal over.
    } else if (is_ours(&now)) {
        sigaction(number, &libuvs, NULL); // Other handles of libuv's are for it.
    } else if (was_ignored) {
        signal(number, SIG_IGN);
    }
}

void swivel__signal_leave(int number)
{
    swivel__lock(&lock);
    used_signal *used = signals[number];
    if (used != NULL && --used->users == 0) { // None: expected before a fork.
        signals[number] = NULL;
        used_count -= 1;
        give_back(used, number);
        close_keeper();
    }
    swivel__unlock(&lock);
}

void swivel__signals_listen_begin(swivel_loop *loop)
{
    if (!loop->is_listener) {
        loop->is_listener = true;
        swivel__lock(&lock);
        loop->next_listener = SWIVEL_LOAD(&listeners, relaxed);
        SWIVEL_STORE(&listeners, loop, seq_cst);
        swivel__unlock(&lock);
    }
    SWIVEL_FETCH_ADD(&loop->signals, 1, seq_cst);
}

void swivel__signals_listen_end(swivel_loop *loop)
{
    SWIVEL_FETCH_SUB(&loop->signals, 1, relaxed);
}

/// libuv's handler would write to pipes of the parent's, and its handles are the parent's, too: they
/// are left alone.
void swivel__signals_forget(void)
{
    for (int number = 1; number < NSIG; number++) {
        if (signals[number] == NULL) {
            continue;
        }
        action now = action_of(number);
        if (is_ours(&now)) {
            signal(number, signals[number]->was_ignored ? SIG_IGN : SIG_DFL);
        }
        signals[number] = NULL;
    }
    used_count = 0;
    keeper = NULL;
    swivel_loop *loop = SWIVEL_LOAD(&listeners, relaxed);
    for (; loop != NULL; loop = loop->next_listener) {
        SWIVEL_STORE(&loop->signals, 0, relaxed);
    }
}
