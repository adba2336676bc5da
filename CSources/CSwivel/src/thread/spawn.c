// SPDX-License-Identifier: Apache-2.0
// The threads that Swivel starts, and closures that end theirs.
#include "../../include/internal/loop.h"
#include "../../include/internal/thread/process.h"

#include <stdio.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

static void thread_ended(void)
{
    const swivel_thread_loops *loops = &swivel__thread.loops;
    const swivel_loop *loop = loops->current != NULL ? loops->current : loops->owner;
    if (loop != NULL && !loop->dead) {
        swivel__fatal("a closure of the loop '%s' has ended its thread, by pthread_exit or "
                      "pthread_cancel: the loop can have no turn any more, and a thread that waits "
                      "for it would wait without end. Let closures return.",
                      loop->name);
    }
    if (swivel__thread.spawned_name[0] != '\0') {
        swivel__fatal("a closure has ended the thread '%s', by pthread_exit or pthread_cancel: "
                      "its pool counts on it. Let closures return.",
                      swivel__thread.spawned_name);
    }
}

__attribute__((constructor)) static void watch_ends(void)
{
    swivel__thread_end_watch();
    (void)swivel__thread_end_call(SWIVEL_END_CLOSURE, thread_ended); // Else no loop can be made.
}

void swivel__thread_configure(const char *name, uint64_t slack_ns)
{
    (void)slack_ns; // Not everywhere.
#if defined(__APPLE__)
    pthread_setname_np(name);
#elif defined(__linux__)
    pthread_setname_np(pthread_self(), name);
#if !defined(SWIVEL_PORTABLE_PARK) // Its waits are those of the poller, which the slack delays.
    // A loop that sleeps outside of the poller (park_linux.c) has none: it would be as late.
    prctl(PR_SET_TIMERSLACK, slack_ns != 0 ? slack_ns : 1, 0, 0, 0);
#endif
#endif
}

int swivel__thread_pin(pthread_t thread, int processor)
{
#if defined(__linux__)
    if (processor >= CPU_SETSIZE) {
        return -EINVAL;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)processor, &set);
    return -pthread_setaffinity_np(thread, sizeof set, &set);
#else
    (void)thread;
    (void)processor;
    return -ENOTSUP;
#endif
}

sigset_t swivel__all_but_faults(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigdelset(&set, faults[i]);
    }
    return set;
}

int swivel__thread_begin(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t blocked = swivel__all_but_faults(), before;
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int error = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return -error;
}

typedef struct spawned {
    char name[16];
    void (*run)(void *);
    void *argument;
} spawned;

static void *run_spawned(void *argument)
{
    spawned spawned = *(struct spawned *)argument;
    free(argument);
    swivel__thread_configure(spawned.name, 0);
    swivel__thread_end_expect();
    memcpy(swivel__thread.spawned_name, spawned.name, sizeof swivel__thread.spawned_name);
    spawned.run(spawned.argument);
    swivel__thread.spawned_name[0] = '\0';
    return NULL;
}

int swivel__thread_spawn(const char *name, void (*run)(void *), void *argument)
{
    spawned *spawned = calloc(1, sizeof *spawned);
    if (spawned == NULL) {
        return -ENOMEM;
    }
    snprintf(spawned->name, sizeof spawned->name, "%s", name);
    spawned->run = run;
    spawned->argument = argument;
    pthread_t thread;
    int status = swivel__thread_begin(&thread, run_spawned, spawned);
    if (status == SWIVEL_OK) {
        pthread_detach(thread);
    } else {
        free(spawned);
    }
    return status;
}
