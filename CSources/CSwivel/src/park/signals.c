// SPDX-License-Identifier: Apache-2.0
// The signals that loops watch: their users, the handler's place, and their watchers. On Linux
// libdispatch may take a signal before any handler runs: then a source of its own receives it.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

// libdispatch's public interface. Weak: a program without libdispatch has none of it.
#define WEAK extern __attribute__((weak))
WEAK const char _dispatch_source_type_signal;
WEAK void *dispatch_queue_create(const char *label, void *SWIVEL_NULLABLE attributes);
WEAK void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue);
WEAK void dispatch_source_set_event_handler_f(void *source, void (*handler)(void *));
WEAK void dispatch_source_set_registration_handler_f(void *source, void (*handler)(void *));
WEAK void dispatch_source_set_cancel_handler_f(void *source, void (*handler)(void *));
WEAK void dispatch_set_context(void *object, void *context);
WEAK void dispatch_activate(void *object);
WEAK void dispatch_source_cancel(void *source);
WEAK void dispatch_release(void *object);

typedef struct used_signal {
    uint32_t users;
    uint32_t era;  ///< Uses that have ended.
    void *source;  ///< libdispatch's, or `NULL`.
    bool is_taken; ///< The source works.
} used_signal;

// Guarded by `lock`.
static used_signal signals[NSIG];
static SWIVEL_ATOMIC(uint32_t) taken; ///< Sources that have begun to work; slept on.
/// Serial, so it has a thread whatever the other queues do. Never released.
static void *queue;
static swivel_lock lock;

/// How long a call waits for libdispatch to take a source up, which takes it 0.1 ms.
#define SWIVEL_REGISTRATION_NS UINT64_C(1000000000)

/// The context of a source: a late call of libdispatch's, for an era that is over, does not count.
static void *ticket_of(int number)
{
    return (void *)((uintptr_t)signals[number].era << 8 | (uintptr_t)number);
}

/// The source works from here on, or the signal has come. On the queue.
static void receive(void *ticket, bool is_signal)
{
    int number = (int)((uintptr_t)ticket & 0xFF);
    swivel__lock(&lock);
    bool is_used = signals[number].users != 0 && ticket == ticket_of(number);
    if (is_used && !signals[number].is_taken) {
        signals[number].is_taken = true;
        swivel__handler_leave_to_dispatch(number, true);
        SWIVEL_FETCH_ADD(&taken, 1, relaxed);
        swivel__sleep_end(&taken, true);
    }
    if (is_used && is_signal) {
        swivel__signal_came(number);
    }
    swivel__unlock(&lock);
    if (is_signal) { // Even if the last use has ended: the handlers have not been called.
        swivel__handler_relay(number, true);
    }
}

static void on_registered(void *ticket)
{
    receive(ticket, false);
}

static void on_event(void *ticket)
{
    receive(ticket, true);
}

/// A signal that was on its way to the source has no other way to the handlers.
static void on_cancelled(void *ticket)
{
    swivel__handler_relay((int)((uintptr_t)ticket & 0xFF), false);
}

/// Receives a signal that libdispatch takes. Returns `SWIVEL_OK` or a negative errno.
static int follow_dispatch(int number)
{
    used_signal *signal = &signals[number];
    // libdispatch does not work in a forked child.
    if (signal->source != NULL || !swivel__handler_calls_dispatch(number) || swivel_forks() != 0) {
        return SWIVEL_OK;
    }
    // A source needs a descriptor, and libdispatch does not report that there is none.
    int status = swivel__find_descriptors(1);
    if (status != SWIVEL_OK) {
        return status;
    }
    queue = queue == NULL ? dispatch_queue_create("swivel.signals", NULL) : queue;
    void *source = queue == NULL ? NULL
                                 : dispatch_source_create(&_dispatch_source_type_signal,
                                                          (uintptr_t)number, 0, queue);
    if (source == NULL) {
        return -ENOMEM;
    }
    dispatch_set_context(source, ticket_of(number));
    dispatch_source_set_event_handler_f(source, on_event);
    dispatch_source_set_registration_handler_f(source, on_registered);
    dispatch_source_set_cancel_handler_f(source, on_cancelled);
    dispatch_activate(source);
    signal->source = source;
    return SWIVEL_OK;
}

/// Until the source works, libdispatch may take a signal that Swivel does not receive.
static void await_source(const used_signal *signal)
{
    swivel_mono until = swivel__mono_after(swivel__mono_now(), SWIVEL_REGISTRATION_NS);
    bool in_time = true;
    while (in_time && signal->source != NULL && !signal->is_taken) {
        uint32_t before = SWIVEL_LOAD(&taken, relaxed);
        swivel__unlock(&lock);
        in_time = swivel__sleep_while(&taken, before, until);
        swivel__lock(&lock);
    }
}

/// After the last user. A handler that runs on another thread still calls those of other code: the
/// next user forgets them.
static void end_use(int number)
{
    used_signal *signal = &signals[number];
    swivel__handler_restore(number);
    // Before the cancel: no signal is left to the source after that.
    swivel__handler_leave_to_dispatch(number, false);
    if (signal->source != NULL && swivel_forks() == 0) { // Else it is the parent's.
        dispatch_source_cancel(signal->source); // A call that has begun is not interrupted.
        dispatch_release(signal->source);
    }
    signal->source = NULL;
    signal->is_taken = false;
    signal->era += 1;
    signal->users = 0; // Last: a child that is forked in between restores the handler.
}

/// Ends a use. Under the lock.
static void leave(int number)
{
    if (signals[number].users == 1) {
        end_use(number);
    } else if (signals[number].users != 0) { // None: expected before a fork.
        signals[number].users -= 1;
    }
}

int swivel__signal_expect(int number, uint32_t *count)
{
    if (number < 1 || number >= NSIG) {
        return -EINVAL;
    }
    used_signal *signal = &signals[number];
    swivel__lock(&lock);
    if (signal->users == 0) {
        swivel__handler_forget_others(number);
    }
    signal->users += 1; // First, for the same reason.
    int status = swivel__handler_install(number);
    status = status == SWIVEL_OK ? follow_dispatch(number) : status;
    await_source(signal);
    *count = swivel__signal_count(number);
    if (status != SWIVEL_OK) {
        leave(number);
    }
    swivel__unlock(&lock);
    return status;
}

void swivel__signal_leave(int number)
{
    swivel__lock(&lock);
    leave(number);
    swivel__unlock(&lock);
}

static void compare(swivel_watcher *watcher)
{
    uint32_t count = swivel__signal_count(watcher->number);
    if (count != watcher->count) {
        watcher->count = count;
        // Once, however often the signal came.
        swivel__watcher_hears(watcher, SWIVEL_READABLE, SWIVEL_OK);
    }
}

void swivel__signal_begin(swivel_watcher *watcher)
{
    swivel__signals_listen(watcher->loop);
    // The other threads of the process may block the signal. The loop's own does not from here on.
    if (watcher->loop->config.drive == SWIVEL_OWN_THREAD) {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, watcher->number);
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    }
    compare(watcher);
}

void swivel__signal_end(const swivel_watcher *watcher)
{
    SWIVEL_FETCH_SUB(&watcher->loop->signals, 1, relaxed);
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

void swivel__signals_check(swivel_loop *loop)
{
    if (SWIVEL_LOAD(&loop->signals, relaxed) == 0) {
        return;
    }
    swivel__lock(&lock);
    for (int number = 1; number < NSIG; number++) {
        if (signals[number].users != 0 && swivel__handler_install(number) == SWIVEL_OK) {
            (void)follow_dispatch(number); // If that fails, the next check tries again.
        }
    }
    swivel__unlock(&lock);
}

void swivel__signals_forget(void)
{
    swivel__lock_renew(&lock);
    for (int number = 1; number < NSIG; number++) {
        if (signals[number].users != 0) {
            end_use(number);
        }
    }
}
