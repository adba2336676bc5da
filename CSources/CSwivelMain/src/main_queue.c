// SPDX-License-Identifier: Apache-2.0
// The guest that loops and waits serve: the main queue where it can be drained, and the lane.
#include "main_queue.h"

#include "internal/thread/fatal.h"
#include "internal/thread/forks.h"
#include "internal/thread/parker.h"
#include "internal/thread/thread.h"
#include "internal/turn/guest.h"

#include <pthread.h>
#include <stddef.h>

/// Wakes waits on the main queue on threads that cannot drain it.
static swivel_parker sleeper;
/// The number of forks that led to the main queue's process. A forked child has no main queue, and
/// must not touch its parent's descriptor.
static uint32_t home;

static pthread_once_t marked = PTHREAD_ONCE_INIT;

static void mark(void)
{
    dispatch_queue_set_specific(&_dispatch_main_q, &marked, &marked, NULL);
}

static bool is_on_main_queue(void)
{
    pthread_once(&marked, mark);
    return dispatch_get_specific(&marked) != NULL;
}

static bool can_drain(void)
{
    return swivel__thread_is_first() && swivel__main_exists();
}

static bool is_here(void)
{
    return swivel_forks() == home && (can_drain() || is_on_main_queue());
}

static int open_main(void)
{
    return can_drain() ? swivel__main_open() : SWIVEL_OK;
}

/// As `open_main`, for callers that cannot return an error. Returns whether it can drain.
static bool must_open(void)
{
    int status = open_main();
    if (status != SWIVEL_OK) {
        swivel__fatal("running the main queue takes four file descriptors, and the system refuses "
                      "them: %s. Raise the limit (ulimit -n), or close some.",
                      swivel_status_text(status));
    }
    return can_drain();
}

static bool serve(bool always)
{
    uint64_t block = swivel__lane_block();
    if (must_open()) {
        swivel__main_drain(always || block != 0);
    }
    // The lane's block was submitted before the drain. If it has not run, this is inside a block.
    return block != 0 && swivel__lane_run(block);
}

static void wait_for_work(swivel_mono began, swivel_mono until)
{
    if (can_drain()) {
        swivel__main_sleep(began, until);
    } else {
        swivel__parker_sleep(&sleeper, until);
    }
}

/// The wait may be on either: which thread runs the main queue can change during it.
static void notify(void)
{
    swivel__parker_wake(&sleeper);
    swivel__main_notify();
}

static int descriptor(void)
{
    return must_open() ? swivel__main_descriptor() : -1;
}

static void after_fork(void *unused)
{
    (void)unused;
    swivel__lane_forget();
}

__attribute__((constructor)) static void install(void)
{
    static swivel_fork_call call = {.run = after_fork};
    swivel__forks_call_in_child(&call);
    static const swivel_guest guest = {
        is_here, open_main, serve, wait_for_work, notify, descriptor, swivel__main_host_wait};
    home = swivel_forks();
    swivel__guest_install(&guest);
}
