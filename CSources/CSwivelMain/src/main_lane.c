// SPDX-License-Identifier: Apache-2.0
// Swivel's own queue in front of the main queue: work in order, and one block on the main queue
// that runs it.
//
// The main queue is not re-entrant: what is submitted to it while one of its blocks waits runs
// after that block. A wait inside a block runs the lane directly, so that work for `.main` is done
// while `.main` waits for it.
#include "../include/swivel_main.h"
#include "main_queue.h"

#include "internal/thread/fatal.h"
#include "internal/turn/guest.h"
#include "internal/thread/lock.h"
#include "internal/queue/ring.h"

#include <string.h>

static struct {
    swivel_lock lock; ///< Guards the rest.
    swivel_ring waiting;
    void (*run)(swivel_work *work);
    uint64_t block;  ///< The number of the block that was submitted and has not ended; 0 if none.
    uint64_t blocks; ///< Numbers given to blocks so far.
} lane;

void swivel__lane_forget(void)
{
    memset(&lane, 0, sizeof lane);
}

/// How many pieces of work wait. Under the lock.
static uint64_t count(void)
{
    return lane.waiting.tail - lane.waiting.head;
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
    run(count_for(swivel__lane_block()));
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
        swivel__guest_nudge();
    }
}

uint64_t swivel__lane_block(void)
{
    swivel__lock(&lane.lock);
    uint64_t block = lane.block;
    swivel__unlock(&lane.lock);
    return block;
}

bool swivel__lane_run(uint64_t block)
{
    run(count_for(block));
    return count_for(block) > 0;
}
