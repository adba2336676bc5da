// SPDX-License-Identifier: Apache-2.0
// Reusable timers: after an arm has returned, no tick begins before its deadline; after a disarm that
// found no closure under way, none begins at all; and the last arm is never lost.
//
// The loop forgets the deadline that it took from a re-arm which has not gone out:
// Mutant: timer.c: s/^        swivel__wheel_unfile(.*);/        swivel__wheel_never_fires(\&loop->wheel, node);/
#include "stub.h"

#include <string.h>

static stub_work work;
static swivel_timer timer;
static uint64_t not_before; ///< No tick may begin before this instant.
static int ticks_at_last_arm;
static bool is_armed_last; ///< Whether the owner's last call armed it.

static void on_tick(void)
{
    EXPLORER_CHECK(stub_now >= not_before);
}

static void create(void)
{
    timer = swivel_reusable_create(stub_loop, stub_words(&work));
    EXPLORER_CHECK(timer.loop == stub_loop);
}

static void arm(uint64_t deadline_ns)
{
    EXPLORER_CHECK(swivel_reusable_arm(timer, deadline_ns, 0));
    not_before = deadline_ns;
    ticks_at_last_arm = work.ticks;
    is_armed_last = true;
}

static void disarm(void)
{
#if SWIVEL_MODEL_BUG == 1
    // Forgets the deadline that was left for the loop.
    swivel_node *node = swivel__slab_node(&stub_loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    while (swivel__phase(state) == SWIVEL_ARMED &&
           !SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, SWIVEL_IDLE), acq_rel,
                       acquire)) {
    }
    bool runs = swivel__phase(state) == SWIVEL_BUSY;
#else
    bool runs = swivel_reusable_disarm(timer) == SWIVEL_RUNNING;
#endif
    not_before = SWIVEL_NEVER_NS;
    is_armed_last = false;
    EXPLORER_CHECK(!runs || work.began_ns != 0);
}

static void reset(void)
{
    memset(&work, 0, sizeof work);
    work.body = on_tick;
    not_before = 0;
    ticks_at_last_arm = 0;
    is_armed_last = false;
    stub_open();
}

static void create_and_arm(void)
{
    create();
    arm(200);
}

/// Armed and due.
static void reset_due(void)
{
    reset();
    stub_on_loop(create_and_arm);
    stub_now = 200;
}

/// Made by another thread; the loop has not heard of it.
static void reset_new(void)
{
    reset();
    create();
}

/// Armed by a message that the loop has not drained.
static void reset_sent(void)
{
    reset();
    stub_on_loop(create);
    arm(150);
    stub_now = 200;
}

static void check(void)
{
    if (is_armed_last) {
        EXPLORER_CHECK(work.ticks == ticks_at_last_arm + 1);
        EXPLORER_CHECK(work.began_ns >= not_before);
    }
    EXPLORER_CHECK(!swivel_reusable_is_armed(timer));
    EXPLORER_CHECK(swivel__pending_timers(stub_loop) == 0);
    EXPLORER_CHECK(work.released == 0);
    swivel_reusable_free(timer);
    EXPLORER_CHECK(work.released == 1);
    stub_on_loop(NULL);
    EXPLORER_CHECK(stub_loop->wheel.slab.live == 0);
    stub_close();
    EXPLORER_CHECK(work.released == 1);
}

static void disarm_and_arm(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        disarm();
        arm(300);
    }
}

static void arm_disarm_arm(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        arm(250);
        disarm();
        arm(300);
    }
}

static void arm_twice(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        arm(300);
        arm(250);
    }
}

/// Freed while it may fire, by its owner; another thread disarms it.
static void free_it(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else if (thread == 1) {
        EXPLORER_CHECK(swivel_reusable_arm(timer, 200, 0));
        swivel_reusable_free(timer);
    } else {
        swivel_reusable_disarm(timer);
    }
}

static void check_free(void)
{
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(work.ticks <= 2);
    EXPLORER_CHECK(swivel__pending_timers(stub_loop) == 0);
    EXPLORER_CHECK(stub_loop->wheel.slab.live == 0);
    stub_close();
    EXPLORER_CHECK(work.released == 1);
}

/// Two threads arm and disarm as they like: nothing is lost and all counts stay right.
static void anyhow(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else if (thread == 1) {
        swivel_reusable_arm(timer, 250, 0);
    } else {
        swivel_reusable_disarm(timer);
        swivel_reusable_arm(timer, 300, 0);
    }
}

static void check_anyhow(void)
{
    EXPLORER_CHECK(work.ticks <= 3);
    is_armed_last = false;
    check();
}

static void reset_anyhow(void)
{
    reset_sent();
    not_before = 0;
}

int main(void)
{
    static const explorer_model models[] = {
        {"reusable: disarmed and armed while due", 2, reset_due, disarm_and_arm, stub_stuck, check,
         3},
        {"reusable: with an arm on its way", 2, reset_sent, disarm_and_arm, stub_stuck, check, 3},
        {"reusable: armed, disarmed and armed", 2, reset_due, arm_disarm_arm, stub_stuck, check, 3},
        {"reusable: before the loop knows it", 2, reset_new, arm_disarm_arm, stub_stuck, check, 3},
        {"reusable: armed earlier again", 2, reset_sent, arm_twice, stub_stuck, check, 3},
        {"reusable: freed while it may fire", 3, reset_due, free_it, stub_stuck, check_free, 3},
        {"reusable: two threads at will", 3, reset_anyhow, anyhow, stub_stuck, check_anyhow, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
