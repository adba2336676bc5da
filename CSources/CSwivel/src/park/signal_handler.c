// SPDX-License-Identifier: Apache-2.0
// The handler of all watched signals, and the handlers of other code that it calls. None of them
// may be left by siglongjmp(3): `inside` would stay set. See docs/design/signals.md.
#include "../../include/internal/park/park.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

typedef struct sigaction action;

/// A handler of other code. Never freed: a handler that runs may be about to call it.
typedef struct other_handler {
    action action; ///< Fixed, as `is_dispatchs` and `next` are.
    bool is_dispatchs;
    struct other_handler *next;
    SWIVEL_ATOMIC(bool) is_called;
} other_handler;

typedef struct handled_signal {
    SWIVEL_ATOMIC(uint32_t) count;
    SWIVEL_ATOMIC(other_handler *) others;
    SWIVEL_ATOMIC(bool) leaves_to_dispatch;
    SWIVEL_ATOMIC(bool) is_left; ///< To libdispatch, whose source has not reported it yet.
    action former; ///< Was installed before. Guarded by the lock of signals.c.
} handled_signal;

static handled_signal signals[NSIG];

/// The loops that have ever watched signals.
static SWIVEL_ATOMIC(swivel_loop *) listeners;

/// A bit per signal whose other handlers are on the calling thread's stack: one that was installed
/// over Swivel's may call it, and the two would call each other without end.
static SWIVEL_THREAD_LOCAL uint64_t inside;
_Static_assert(NSIG <= 65, "a bit for each signal");

void swivel__signals_listen(swivel_loop *loop)
{
    if (!loop->is_listener) {
        loop->is_listener = true;
        loop->next_listener = SWIVEL_LOAD(&listeners, relaxed);
        while (!SWIVEL_CAS(&listeners, &loop->next_listener, loop, seq_cst, relaxed)) {
        }
    }
    SWIVEL_FETCH_ADD(&loop->signals, 1, seq_cst);
}

uint32_t swivel__signal_count(int number)
{
    return SWIVEL_LOAD(&signals[number].count, seq_cst);
}

void swivel__signal_came(int number)
{
    // The count comes first: a loop that is missed here has yet to compare it.
    SWIVEL_FETCH_ADD(&signals[number].count, 1, seq_cst);
    swivel_loop *loop = SWIVEL_LOAD(&listeners, seq_cst);
    for (; loop != NULL; loop = loop->next_listener) {
        if (SWIVEL_LOAD(&loop->signals, seq_cst) != 0) {
            SWIVEL_STORE(&loop->has_signal, true, release);
            // Not `loop->notify`: a host's functions are not for handlers. close.c waits until no
            // thread is about to write to the wake-up fd.
            swivel__wake_now(&loop->wake, swivel__park_notify, &loop->park);
        }
    }
}

typedef enum called { ALL, DISPATCHS, ALL_BUT_DISPATCHS } called;

/// Calls handlers of other code.
static void call_others(int number, siginfo_t *info, void *context, called called)
{
    uint64_t bit = UINT64_C(1) << (number - 1);
    inside |= bit;
    // Acquire: pairs with the store in `remember`, which publishes the record.
    other_handler *other = SWIVEL_LOAD(&signals[number].others, acquire);
    for (; other != NULL; other = other->next) {
        if (called == (other->is_dispatchs ? ALL_BUT_DISPATCHS : DISPATCHS)) {
            continue;
        }
        bool is_once = (unsigned)other->action.sa_flags & (unsigned)SA_RESETHAND;
        bool is_called = is_once ? SWIVEL_EXCHANGE(&other->is_called, false, acq_rel)
                                 : SWIVEL_LOAD(&other->is_called, acquire);
        if (is_called && other->action.sa_flags & SA_SIGINFO) {
            other->action.sa_sigaction(number, info, context);
        } else if (is_called) {
            other->action.sa_handler(number);
        }
    }
    inside &= ~bit;
}

bool swivel__handler_calls_dispatch(int number)
{
    other_handler *other = SWIVEL_LOAD(&signals[number].others, acquire);
    while (other != NULL && !other->is_dispatchs) {
        other = other->next;
    }
    return other != NULL && SWIVEL_LOAD(&other->is_called, acquire);
}

static bool has_source(int number)
{
    return SWIVEL_LOAD(&signals[number].leaves_to_dispatch, seq_cst) &&
           swivel__handler_calls_dispatch(number);
}

/// Leaves the signal to libdispatch's source, if there is one, which counts it and calls all other
/// handlers: libdispatch's sends the signal again, and the kernel may merge it with a later one.
static bool leave_to_source(int number)
{
    if (!has_source(number)) {
        return false;
    }
    // The last use may end now. Either its end finds the mark, or this the end.
    SWIVEL_STORE(&signals[number].is_left, true, seq_cst);
    return has_source(number) || !SWIVEL_EXCHANGE(&signals[number].is_left, false, seq_cst);
}

/// Runs on any thread, between any two instructions.
static void on_signal(int number, siginfo_t *info, void *context)
{
    int error = errno; // The interrupted code's.
    if (!(inside & UINT64_C(1) << (number - 1))) {
        bool is_left = leave_to_source(number);
        if (!is_left) {
            swivel__signal_came(number);
        }
        call_others(number, info, context, is_left ? DISPATCHS : ALL);
    }
    errno = error;
}

void swivel__handler_forget_others(int number)
{
    other_handler *other = SWIVEL_LOAD(&signals[number].others, relaxed);
    for (; other != NULL; other = other->next) {
        SWIVEL_STORE(&other->is_called, false, relaxed);
    }
}

#if defined(__linux__)

// Weak: a program without libdispatch has neither. The second is in the object file of the handler
// of libdispatch, and is seen only if that is linked statically.
extern __attribute__((weak)) void *dispatch_source_create(const void *type, uintptr_t handle,
                                                          uintptr_t mask, void *queue);
extern __attribute__((weak)) char _dispatch_unote_register_muxed(void);

/// More than the size of the code of that object file.
#define SWIVEL_DISPATCH_FILE_BYTES 65536

#endif

/// Whether libdispatch has installed the handler, for its signal sources. It has no visible name.
static bool is_dispatchs(const action *found)
{
#if defined(__linux__)
    uintptr_t handler = (uintptr_t)found->sa_handler;
    uintptr_t near_by = (uintptr_t)_dispatch_unote_register_muxed;
    if ((found->sa_flags & SA_SIGINFO) || dispatch_source_create == NULL) {
        return false;
    }
    if (near_by != 0) {
        return handler - near_by < SWIVEL_DISPATCH_FILE_BYTES ||
               near_by - handler < SWIVEL_DISPATCH_FILE_BYTES;
    }
    Dl_info its, dispatchs;
    return dladdr((const void *)handler, &its) != 0 &&
           dladdr((const void *)(uintptr_t)dispatch_source_create, &dispatchs) != 0 &&
           its.dli_fbase == dispatchs.dli_fbase;
#else
    (void)found; // On other systems libdispatch installs no handler.
    return false;
#endif
}

/// Calls a handler that was found from here on. SIG_DFL and SIG_IGN: other code handles the signal
/// no more. False: no memory.
static bool remember(int number, const action *found)
{
    handled_signal *signal = &signals[number];
    other_handler *other = SWIVEL_LOAD(&signal->others, relaxed);
    while (other != NULL && other->action.sa_handler != found->sa_handler) {
        other = other->next;
    }
    if (found->sa_handler == SIG_DFL || found->sa_handler == SIG_IGN) {
        swivel__handler_forget_others(number);
    } else if (other != NULL) {
        SWIVEL_STORE(&other->is_called, true, release);
    } else if ((other = calloc(1, sizeof *other)) != NULL) {
        other->action = *found;
        other->is_dispatchs = is_dispatchs(found);
        other->next = SWIVEL_LOAD(&signal->others, relaxed);
        SWIVEL_STORE(&other->is_called, true, relaxed);
        SWIVEL_STORE(&signal->others, other, release);
    } else {
        return false;
    }
    signal->former = *found;
    return true;
}

int swivel__handler_install(int number)
{
    action own = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    own.sa_mask = swivel__all_but_faults(); // The other handlers may rely on masks of theirs.
    action found;
    int status = sigaction(number, NULL, &found);
    // The other one is called from the first signal on; another may be installed in between.
    while (status == 0 && found.sa_sigaction != on_signal) {
        if (!remember(number, &found)) {
            return -ENOMEM;
        }
        status = sigaction(number, &own, &found);
    }
    return status == 0 ? SWIVEL_OK : -errno;
}

void swivel__handler_restore(int number)
{
    action found;
    if (sigaction(number, NULL, &found) == 0 && found.sa_sigaction == on_signal &&
        sigaction(number, &signals[number].former, &found) == 0 &&
        found.sa_sigaction != on_signal) {
        sigaction(number, &found, NULL); // It came in between.
    }
}

void swivel__handler_leave_to_dispatch(int number, bool leaves)
{
    SWIVEL_STORE(&signals[number].leaves_to_dispatch, leaves, seq_cst);
}

void swivel__handler_relay(int number, bool has_come)
{
    siginfo_t info = {.si_signo = number, .si_code = SI_USER};
    ucontext_t context = {0}; // No code was interrupted.
    if (SWIVEL_EXCHANGE(&signals[number].is_left, false, seq_cst) || has_come) {
        call_others(number, &info, &context, ALL_BUT_DISPATCHS);
    }
}
