// SPDX-License-Identifier: Apache-2.0
#include "main_queue.h"
#include "../include/swivel_main.h"

#include "internal/thread/atomics.h"
#include "internal/turn/guest.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#if defined(__linux__)
#define SWIVEL_WEAK __attribute__((weak))
#else
#define SWIVEL_WEAK
#endif

// Of libdispatch's public interface; its headers need blocks, which C11 does not have.
struct swivel_dispatch_queue;
extern struct swivel_dispatch_queue _dispatch_main_q SWIVEL_WEAK;
extern void dispatch_queue_set_specific(struct swivel_dispatch_queue *queue, const void *key,
                                        void *value, void (*release)(void *)) SWIVEL_WEAK;
extern void *dispatch_get_specific(const void *key) SWIVEL_WEAK;

static SWIVEL_ATOMIC(const swivel_main_lane *) lane;
/// Whether a wait was on the main queue and not where it can be drained: the lane's bell counts.
static SWIVEL_ATOMIC(bool) is_elsewhere;
/// A forked child has no main queue, nor may it touch its parent's descriptor.
static pid_t home;

static pthread_once_t marked = PTHREAD_ONCE_INIT;

static void mark(void)
{
    dispatch_queue_set_specific(&_dispatch_main_q, &marked, &marked, NULL);
}

static bool is_on_main_queue(void)
{
    if (dispatch_queue_set_specific == NULL || dispatch_get_specific == NULL) {
        return false;
    }
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
    // Without a lane there is nothing that a wait here could do.
    bool here = SWIVEL_LOAD(&lane, acquire) != NULL && is_on_main_queue();
    if (here) {
        SWIVEL_STORE(&is_elsewhere, true, seq_cst);
    }
    return here;
}

static void drain(void)
{
    if (can_drain()) {
        swivel__main_drain();
    }
}

static bool serve(void)
{
    const swivel_main_lane *served = SWIVEL_LOAD(&lane, acquire);
    if (served != NULL) {
        return served->serve(drain);
    }
    drain();
    return false;
}

static void wait_for_work(swivel_real until)
{
    if (can_drain()) {
        swivel__main_sleep(until);
    } else {
        SWIVEL_LOAD(&lane, acquire)->park(until.ns);
    }
}

static void ring(void)
{
    if (SWIVEL_LOAD(&is_elsewhere, seq_cst)) {
        SWIVEL_LOAD(&lane, acquire)->ring();
    } else {
        swivel__main_ring();
    }
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

void swivel_main_set_lane(const swivel_main_lane *set)
{
    SWIVEL_STORE(&lane, set, release);
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
