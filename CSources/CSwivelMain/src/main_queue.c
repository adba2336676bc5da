// SPDX-License-Identifier: Apache-2.0
// The guest that loops and waits serve: the main queue where it can be drained, and the lane.
#include "main_queue.h"

#include "internal/thread/atomics.h"
#include "internal/turn/guest.h"
#include "internal/thread/lock.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

/// Wakes waits on the main queue on threads that cannot drain it.
static struct {
    swivel_lock lock; ///< Guards the rest.
    swivel_condition rung;
    bool is_rung;
} bell;
/// Whether there was such a wait: `bell` counts from then on.
static SWIVEL_ATOMIC(bool) is_elsewhere;
/// The process of the main queue. A forked child has none, and must not touch its parent's
/// descriptor.
static pid_t home;

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
    return swivel__main_is_first() && swivel__main_open();
}

static bool is_here(void)
{
    if (getpid() != home) {
        return false;
    }
    if (can_drain()) {
        return true;
    }
    bool here = is_on_main_queue();
    if (here) {
        SWIVEL_STORE(&is_elsewhere, true, seq_cst);
    }
    return here;
}

static bool serve(void)
{
    uint64_t block = swivel__lane_block();
    if (can_drain()) {
        swivel__main_drain();
    }
    // The lane's block was submitted before the drain. If it has not run, this is inside a block.
    return block != 0 && swivel__lane_run(block);
}

static void wait_for_work(swivel_real until)
{
    if (can_drain()) {
        swivel__main_sleep(until);
        return;
    }
    swivel__lock(&bell.lock);
    if (!bell.is_rung) {
        swivel__condition_wait(&bell.rung, &bell.lock, until);
    }
    bell.is_rung = false;
    swivel__unlock(&bell.lock);
}

static void ring(void)
{
    if (!SWIVEL_LOAD(&is_elsewhere, seq_cst)) {
        swivel__main_ring();
        return;
    }
    swivel__lock(&bell.lock);
    bell.is_rung = true;
    swivel__condition_broadcast(&bell.rung);
    swivel__unlock(&bell.lock);
}

static int descriptor(void)
{
    return can_drain() ? swivel__main_descriptor() : -1;
}

static bool host_wait(int descriptor, swivel_real until)
{
    if (can_drain()) {
        swivel__main_host_wait(descriptor, until);
        return true;
    }
    return false;
}

__attribute__((constructor)) static void install(void)
{
    static swivel_guest guest = {is_here, serve, wait_for_work, ring, descriptor, NULL};
    if (!swivel__main_is_watched) {
        guest.host_wait = host_wait;
    }
    home = getpid();
    swivel__guest_install(&guest);
}
