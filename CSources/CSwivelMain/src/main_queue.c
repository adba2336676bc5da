// SPDX-License-Identifier: Apache-2.0
// The source that loops and waits serve: the main queue where it can be drained, and the lane,
// Swivel's own queue in front of it: work in order, and one block on the main queue that runs it.
// The main queue is not re-entrant, so a wait inside a block of it runs the lane directly.
#include "../include/swivel_main.h"
#include "main_queue.h"

#include "internal/queue/ring.h"
#include "internal/thread/process.h"
#include "internal/thread/thread.h"
#include "internal/park/source.h"

#include <pthread.h>
#include <string.h>

static struct {
    swivel_lock lock; ///< Guards the rest.
    swivel_ring waiting;
    void (*run)(swivel_work *work);
    uint64_t block;  ///< The number of the block that was submitted and has not ended; 0 if none.
    uint64_t blocks; ///< Numbers given to blocks so far.
} lane;

/// How many pieces of work wait. Under the lock.
static uint64_t count(void)
{
    return lane.waiting.tail - lane.waiting.head;
}

/// The number of the block that the main queue is to run for the lane; 0 if there is none.
static uint64_t current_block(void)
{
    swivel__lock(&lane.lock);
    uint64_t block = lane.block;
    swivel__unlock(&lane.lock);
    return block;
}

/// How many wait for this block; none if it has ended.
static uint64_t count_for(uint64_t block)
{
    swivel__lock(&lane.lock);
    uint64_t waiting = lane.block == block ? count() : 0;
    swivel__unlock(&lane.lock);
    return waiting;
}

/// Runs at most `limit` pieces of work; fewer if a wait inside one of them has run the next.
static void run(uint64_t limit)
{
    for (; limit > 0; limit--) {
        swivel__lock(&lane.lock);
        if (count() == 0) {
            swivel__unlock(&lane.lock);
            return;
        }
        swivel_entry entry = swivel__ring_pop(&lane.waiting);
        void (*run_one)(swivel_work *work) = lane.run;
        swivel__unlock(&lane.lock);
        swivel_work work = {(uintptr_t)entry.first, (uintptr_t)entry.second};
        run_one(&work);
    }
}

static void run_block(void *unused)
{
    (void)unused;
    run(count_for(current_block()));
    swivel__lock(&lane.lock);
    // Jobs that came since then wait behind the main queue's other blocks.
    bool is_left = count() > 0;
    lane.block = is_left ? ++lane.blocks : 0;
    swivel__unlock(&lane.lock);
    if (is_left) {
        dispatch_async_f(&_dispatch_main_q, NULL, run_block);
    }
}

void swivel_main_post(swivel_work work, void (*run_one)(swivel_work *work))
{
    swivel_entry entry = {work.function, work.context};
    swivel__lock(&lane.lock);
    bool was_empty = count() == 0, submits = lane.block == 0;
    if (submits) {
        lane.block = ++lane.blocks;
    }
    lane.run = run_one;
    bool has_memory = swivel__ring_push(&lane.waiting, entry);
    swivel__unlock(&lane.lock);
    if (!has_memory) {
        swivel__fatal("there is no memory to post to the main queue.");
    }
    if (submits) {
        dispatch_async_f(&_dispatch_main_q, NULL, run_block);
    }
    if (was_empty) {
        swivel__source_nudge();
    }
}

/// Wakes waits on the main queue on threads that cannot drain it.
static swivel_parker sleeper;
/// The number of forks that led to the main queue's process: a forked child has no main queue.
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

/// As `open_main`, for callers without an error to return. Returns whether the thread can drain it.
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
    uint64_t block = current_block();
    if (must_open()) {
        swivel__main_drain(always || block != 0);
    }
    if (block == 0) {
        return false;
    }
    // The lane's block was submitted before the drain. If it has not run, this is inside a block.
    run(count_for(block));
    return count_for(block) > 0;
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
    memset(&lane, 0, sizeof lane); // The work is the parent's.
}

__attribute__((constructor)) static void install(void)
{
    static swivel_fork_call call = {.run = after_fork};
    swivel__forks_call_in_child(&call);
    static const swivel_source source = {
        is_here, open_main, serve, wait_for_work, notify, descriptor, swivel__main_owner_wait};
    home = swivel_forks();
    swivel__source_install(&source);
}
