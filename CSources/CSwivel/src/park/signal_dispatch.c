// SPDX-License-Identifier: Apache-2.0
// Signals that libdispatch takes. On Linux a DispatchSource for a signal reads a signalfd(2), and
// the first of them to take the signal has it. The handler that libdispatch installs for that, and never
// removes, passes the signal to libdispatch in any case; Swivel receives it through a source of its
// own. On Darwin a source reads a kqueue, which takes no signal from a handler. See
// docs/design/signals.md.
#if defined(__linux__)

#include "../../include/internal/park/signals.h"
#include "../../include/internal/thread/atomics.h"
#include "../../include/internal/thread/forks.h"
#include "../../include/swivel_loop.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

// Weak: a program without libdispatch has none of them.
#define WEAK __attribute__((weak))
extern WEAK const char _dispatch_source_type_signal;
extern WEAK void *dispatch_queue_create(const char *label, void *SWIVEL_NULLABLE attributes);
extern WEAK void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask,
                                         void *queue);
extern WEAK void dispatch_source_set_event_handler_f(void *source, void (*handler)(void *));
extern WEAK void dispatch_source_set_registration_handler_f(void *source, void (*handler)(void *));
extern WEAK void dispatch_set_context(void *object, void *context);
extern WEAK void dispatch_activate(void *object);
extern WEAK void dispatch_source_cancel(void *source);
extern WEAK void dispatch_release(void *object);
/// In the same object file as libdispatch's handler; seen only if libdispatch is linked statically.
extern WEAK char _dispatch_unote_register_muxed(void);

/// More than the size of the code of that object file.
#define SWIVEL_DISPATCH_FILE_BYTES 65536

bool swivel__is_dispatchs_handler(const struct sigaction *found)
{
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
}

static SWIVEL_ATOMIC(swivel_dispatch_heard *) call;

static void on_registered(void *ticket)
{
    SWIVEL_LOAD(&call, relaxed)((uintptr_t)ticket, true);
}

static void on_event(void *ticket)
{
    SWIVEL_LOAD(&call, relaxed)((uintptr_t)ticket, false);
}

/// A serial queue, which has a thread whatever the other queues do. One for the process; never
/// released. `NULL` without memory.
static void *queue_of_signals(void)
{
    static SWIVEL_ATOMIC(void *) queue;
    void *shared = SWIVEL_LOAD(&queue, acquire);
    if (shared == NULL) {
        void *made = dispatch_queue_create("swivel.signals", NULL);
        if (made != NULL && SWIVEL_CAS(&queue, &shared, made, acq_rel, acquire)) {
            shared = made;
        } else if (made != NULL) {
            dispatch_release(made);
        }
    }
    return shared;
}

/// libdispatch does not say that it was out of descriptors.
static int probe(void)
{
    sigset_t none;
    sigemptyset(&none);
    int descriptor = signalfd(-1, &none, SFD_CLOEXEC);
    if (descriptor < 0) {
        return -errno;
    }
    close(descriptor);
    return SWIVEL_OK;
}

int swivel__dispatch_source(int number, uintptr_t ticket, swivel_dispatch_heard *heard, void **out)
{
    SWIVEL_STORE(&call, heard, relaxed);
    if (swivel_forks() != 0) {
        return SWIVEL_OK; // libdispatch does not work in a forked child.
    }
    int status = probe();
    void *queue = status == SWIVEL_OK ? queue_of_signals() : NULL;
    void *source = queue == NULL ? NULL
                                 : dispatch_source_create(&_dispatch_source_type_signal,
                                                          (uintptr_t)number, 0, queue);
    if (source != NULL) {
        dispatch_set_context(source, (void *)ticket);
        dispatch_source_set_event_handler_f(source, on_event);
        dispatch_source_set_registration_handler_f(source, on_registered);
        dispatch_activate(source);
        *out = source;
    }
    return status == SWIVEL_OK && source == NULL ? -ENOMEM : status;
}

void swivel__dispatch_source_end(void *source)
{
    dispatch_source_cancel(source);
    dispatch_release(source);
}

#else

#include "../../include/internal/park/signals.h"

bool swivel__is_dispatchs_handler(const struct sigaction *found)
{
    (void)found;
    return false;
}

int swivel__dispatch_source(int number, uintptr_t ticket, swivel_dispatch_heard *heard, void **out)
{
    (void)number;
    (void)ticket;
    (void)heard;
    (void)out;
    return SWIVEL_OK;
}

void swivel__dispatch_source_end(void *source)
{
    (void)source;
}

#endif
