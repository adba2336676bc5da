// SPDX-License-Identifier: Apache-2.0
// A pool's monitor: no push is lost on workers that block in a way that the pool does not see, whether
// the monitor is armed, is about to be disarmed, sleeps, or ends.
#include "stub_pool.h"

// Mutant: pool.c: s/ || reports(pool) || !is_armed(pool);/ || reports(pool);/
// Mutant: pool.c: s/actions = is_armed(pool) ? 0 : arm(pool, unparked);/actions = 0;/
// Mutant: pool.c: s/pool->blocked - pool->unseen < swivel__pool_room/pool->blocked < swivel__pool_room/

static void block_for(int work)
{
    blocks[explorer_thread()] = true;
    explorer_wait(has_run, &ran[work]);
    blocks[explorer_thread()] = false;
}

static void block_for_the_next(int work)
{
    note(work);
    if (work % 2 == 0) block_for(work + 1);
}

static void open_monitored(uint32_t limit, void (*body)(int))
{
    open_with(1, limit);
    has_monitor = true;
    run = body;
}

static void reset_unseen(void)
{
    open_monitored(2, block_for_the_next);
    early_periods = 1;
}

/// The first work blocks until the second one has run: only the monitor can have another worker run it.
static void blocks_unseen(int thread)
{
    if (thread < 2) {
        serve_as(thread);
    } else if (thread == 2) {
        push(0);
        push(1);
    } else {
        monitor();
    }
}

static void reset_unseen_twice(void)
{
    open_monitored(2, block_for_the_next);
    early_periods = 1;
    early_ends = 1;
}

/// The monitor may have ended, or be about to, when it is needed again. The first worker pushes, so
/// that it begins later.
static void blocks_twice(int thread)
{
    if (thread == 0) {
        for (int work = 0; work < 4; work++) push(work);
        serve_as(0);
    } else if (thread == 1) {
        serve_as(1);
    } else {
        monitor();
    }
}

static void block_for_the_third(int work)
{
    note(work);
    if (work < 2) block_for(2);
}

static void reset_stages(void)
{
    open_monitored(3, block_for_the_third);
}

/// Two works block until a third has run: each check has one more worker run.
static void blocks_in_stages(int thread)
{
    if (thread < 3) {
        if (thread == 0) {
            push(0);
            push(1);
            push(2);
        }
        serve_as(thread);
    } else {
        monitor();
    }
}

int main(void)
{
    static const explorer_model models[] = {
        {"monitor: a work that blocks", 4, reset_unseen, blocks_unseen, stuck, check, 2},
        {"monitor: a monitor that ends", 3, reset_unseen_twice, blocks_twice, stuck, check, 2},
        {"monitor: two works that block", 4, reset_stages, blocks_in_stages, stuck, check, 2},
    };
    EXPLORER_RUN(models);
    return 0;
}
