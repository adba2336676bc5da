// SPDX-License-Identifier: Apache-2.0
// The signals that loops watch: who uses them, and how their handler stays in place. The handler
// is in signal_handler.c.
#include "../../include/internal/park/signals.h"

#include <errno.h>

typedef struct used_signal {
    uint32_t users;
    uint32_t era; ///< Changes before the first user and after the last.
    void *source; ///< libdispatch's, or `NULL`.
} used_signal;

// Guarded by `lock`.
static used_signal signals[NSIG];
static swivel_lock lock;
static swivel_condition registered;

/// How long a call waits for libdispatch to take a source up, which takes it 0.1 ms.
#define SWIVEL_REGISTRATION_NS UINT64_C(1000000000)

/// For libdispatch: what it calls late, for an era that is over, does not count.
static uintptr_t ticket_of(int number)
{
    return (uintptr_t)signals[number].era << 8 | (uintptr_t)number;
}

static void heard_by_dispatch(uintptr_t ticket, bool is_first)
{
    int number = (int)(ticket & 0xFF);
    swivel__lock(&lock);
    bool is_used = signals[number].users != 0 && ticket == ticket_of(number);
    if (is_used) {
        swivel__handler_leave_to_dispatch(number, true);
        if (!is_first) {
            swivel__signal_came(number);
        }
        swivel__condition_broadcast(&registered);
    }
    swivel__unlock(&lock);
    if (is_used && !is_first) {
        swivel__handler_relay(number);
    }
}

/// Receives a signal that libdispatch takes through a source of its own. Returns `SWIVEL_OK` or a
/// negative errno.
static int follow_dispatch(int number)
{
    used_signal *signal = &signals[number];
    return signal->source != NULL || !swivel__handler_calls_dispatch(number)
               ? SWIVEL_OK
               : swivel__dispatch_source(number, ticket_of(number), heard_by_dispatch,
                                         &signal->source);
}

/// Until the source works, libdispatch may take a signal that Swivel does not receive.
static void await_source(int number)
{
    swivel_mono until = swivel__mono_after(swivel__mono_now(), SWIVEL_REGISTRATION_NS);
    bool in_time = true;
    while (in_time && signals[number].source != NULL &&
           !swivel__handler_leaves_to_dispatch(number)) {
        in_time = swivel__condition_wait(&registered, &lock, until);
    }
}

/// After the last user. A handler that runs on another thread still calls the handlers of other
/// code: they are forgotten by the next user. Returns the source, to be ended without the lock.
static void *end_use(int number)
{
    void *source = signals[number].source;
    signals[number].source = NULL;
    signals[number].era += 1;
    swivel__handler_restore(number);
    swivel__handler_leave_to_dispatch(number, false);
    signals[number].users = 0; // Last: a child that is forked in between restores the handler.
    return source;
}

/// Ends a use. Returns the source if it was the last one.
static void *leave(int number)
{
    used_signal *signal = &signals[number];
    if (signal->users == 1) {
        return end_use(number);
    }
    signal->users -= signal->users != 0; // None: expected before a fork.
    return NULL;
}

int swivel__signal_expect(int number, uint32_t *count)
{
    if (number < 1 || number >= NSIG) {
        return -EINVAL;
    }
    swivel__lock(&lock);
    if (signals[number].users == 0) {
        swivel__handler_forget_others(number);
        signals[number].era += 1;
    }
    signals[number].users += 1; // First, for the same reason.
    int status = swivel__handler_install(number);
    status = status == SWIVEL_OK ? follow_dispatch(number) : status;
    await_source(number);
    *count = swivel__signal_count(number);
    void *unused = status == SWIVEL_OK ? NULL : leave(number);
    swivel__unlock(&lock);
    if (unused != NULL) {
        swivel__dispatch_source_end(unused);
    }
    return status;
}

void swivel__signal_leave(int number)
{
    swivel__lock(&lock);
    void *source = leave(number);
    swivel__unlock(&lock);
    if (source != NULL) {
        swivel__dispatch_source_end(source);
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
            (void)end_use(number); // The source is the parent's, and is left alone.
        }
    }
    swivel__handler_forget_loops();
}
