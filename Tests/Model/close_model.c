// SPDX-License-Identifier: Apache-2.0
// A loop that is shut down while others use it: every closure runs or is released or is refused,
// the wake-up fd is not written once it is closed, and no thread waits forever. The whole drive and the whole
// shutdown are the production sources.
//
// A loop that does not wait for re-arms is reached by them in its record's next life:
// Mutant: close.c: s/while (state & SWIVEL_REARMS_MASK) {/while (false) {/
// A loop's own thread closes as soon as it sees the refusal, without the lock of those that ask:
// Mutant: shutdown.c: s/^    swivel__inbox_close(&loop->inbox);/    SWIVEL_STORE(\&loop->refusal, SWIVEL_ESHUTDOWN, release);\n&/
#include "stub.h"

#include <string.h>

enum { POST, TIMER, OLD, WORKS };

static stub_work works[WORKS];
static bool accepted[WORKS];
static swivel_timer old;
static bool cancelled;
static swivel_shutdown_mode mode;
static swivel_report report, second_report;

static void arm_old(void)
{
    old = swivel_schedule_at(stub_loop, 5000, 0, stub_words(&works[OLD]));
    accepted[OLD] = true;
}

static void reset(void)
{
    memset(works, 0, sizeof works);
    memset(accepted, 0, sizeof accepted);
    memset(&report, 0, sizeof report);
    cancelled = false;
    stub_open();
    arm_old();
    stub_on_loop(NULL);
}

static void reset_cancelling(void)
{
    mode = SWIVEL_CANCEL_PENDING;
    reset();
}

static void reset_draining(void)
{
    mode = SWIVEL_DRAIN;
    reset();
}

/// As a loop that has a thread.
static void reset_own(void)
{
    reset_cancelling();
    stub_loop->has_thread = stub_loop->joined = true;
}

static void drive(void)
{
    if (stub_loop->has_thread) {
        swivel__loop_drive(stub_loop);
        swivel__close(stub_loop);
        return;
    }
    EXPLORER_CHECK(swivel_loop_run(stub_loop) == SWIVEL_ESHUTDOWN);
}

static void shut_down(swivel_report *result)
{
    swivel_loop_shutdown(stub_loop, mode, 1000, result);
    EXPLORER_CHECK(result->complete);
    for (int i = 0; i < WORKS; i++) {
        // Accepted work has come to its end, except work that its sender is about to release.
        EXPLORER_CHECK(i == OLD || !accepted[i] || works[i].released == 1);
    }
}

#if SWIVEL_MODEL_BUG == 1
/// Notifies without counting itself before.
static void send(swivel_entry entry)
{
    uint64_t waiting;
    if (swivel__inbox_push(&stub_loop->inbox, entry, &waiting) != SWIVEL_OK) {
        return;
    }
    accepted[POST] = true;
    SWIVEL_STORE(&stub_loop->wake.urgent, SWIVEL_INSTANT_NOW, seq_cst);
    uint64_t parked = SWIVEL_LOAD(&stub_loop->wake.parked, seq_cst);
    if (parked != SWIVEL_AWAKE &&
        SWIVEL_CAS(&stub_loop->wake.parked, &parked, SWIVEL_AWAKE, seq_cst, seq_cst)) {
        swivel__park_notify(&stub_loop->park);
    }
}
#endif

static void post(void)
{
    swivel_work words = stub_words(&works[POST]);
#if SWIVEL_MODEL_BUG == 1
    swivel_entry entry = {words.function, words.context};
    send(entry);
#else
    int status = swivel_post(stub_loop, words);
    EXPLORER_CHECK(status == SWIVEL_OK || status == SWIVEL_ESHUTDOWN);
    accepted[POST] = status == SWIVEL_OK;
#endif
}

static void schedule(void)
{
    accepted[TIMER] =
        swivel_schedule_at(stub_loop, 300, 0, stub_words(&works[TIMER])).loop != NULL;
}

static void cancel(void)
{
    cancelled = swivel_cancel(old) == SWIVEL_CANCELLED;
}

static void move(void)
{
    swivel__rearm_at(old, 6000);
}

/// Nothing of what other threads wanted is left for the record's next life.
static void check_moves(void)
{
    for (uint32_t index = 0; index < 64; index++) {
        const swivel_move *move = swivel__slab_move(&stub_loop->wheel.slab, index);
        EXPLORER_CHECK(atomic_load(&move->wanted_ns) == SWIVEL_NOTHING_NS);
    }
}

static void check(void)
{
    check_moves();
    for (int i = 0; i < WORKS; i++) {
        EXPLORER_CHECK(works[i].released == accepted[i]);
        EXPLORER_CHECK(works[i].ran <= accepted[i]);
    }
    EXPLORER_CHECK(!cancelled || works[OLD].ran == 0);
    if (mode == SWIVEL_DRAIN) {
        // Due within the limit, and accepted: drains run it.
        EXPLORER_CHECK(works[POST].ran == accepted[POST]);
        EXPLORER_CHECK(works[TIMER].ran == accepted[TIMER]);
    }
    int ended = works[POST].ran + works[TIMER].ran + (int)report.cancelled_posts +
                (int)report.cancelled_timers + cancelled;
    EXPLORER_CHECK(ended == accepted[POST] + accepted[TIMER] + accepted[OLD]);
    stub_close();
}

static void posting(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        shut_down(&report);
    } else {
        post();
    }
}

static void scheduling(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        shut_down(&report);
    } else {
        schedule();
    }
}

static void cancelling(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        shut_down(&report);
    } else {
        cancel();
    }
}

static void moving(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        shut_down(&report);
    } else {
        move();
    }
}

/// Two threads shut it down; both get the same report.
static void twice(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        shut_down(&report);
    } else {
        shut_down(&second_report);
    }
}

static void check_twice(void)
{
    EXPLORER_CHECK(memcmp(&report, &second_report, sizeof report) == 0);
    check();
}

int main(void)
{
    static const explorer_model models[] = {
        {"close: a post", 3, reset_cancelling, posting, stub_time_goes_on, check, 3},
        {"close: a post, own thread", 3, reset_own, posting, stub_time_goes_on, check, 3},
        {"close: a new timer", 3, reset_cancelling, scheduling, stub_time_goes_on, check, 3},
        {"close: a cancel", 3, reset_cancelling, cancelling, stub_time_goes_on, check, 3},
        {"close: a move", 3, reset_cancelling, moving, stub_time_goes_on, check, 3},
        {"close: two shutdowns", 3, reset_cancelling, twice, stub_time_goes_on, check_twice, 2},
        {"close: a drain and a post", 3, reset_draining, posting, stub_time_goes_on, check, 2},
        {"close: a drain and a timer", 3, reset_draining, scheduling, stub_time_goes_on, check, 2},
    };
    EXPLORER_RUN(models);
    return 0;
}
