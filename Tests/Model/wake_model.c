// SPDX-License-Identifier: Apache-2.0
// No wake is lost: a loop that sleeps has nothing to do before the instant until which it sleeps.
// The loop, its turn and its park are the production sources.
#include "stub.h"

#include <string.h>

static stub_work own, works[4];
static swivel_timer timers[4];
static uint64_t latest[4]; ///< The instant by which a loop that sleeps must run each work.
static SWIVEL_ATOMIC(bool) is_set; ///< The word that a closure that pumps waits for.
static bool pumps;                 ///< That closure runs.

static void arm_own(void)
{
    swivel_schedule_at(stub_loop, 1000, 0, stub_words(&own));
}

static void arm_far(void)
{
    for (int i = 0; i < 4; i++) {
        timers[i] = swivel_schedule_at(stub_loop, 5000 + (uint64_t)i, 0, stub_words(&works[i]));
    }
}

/// Called when only the loop is left, and the loop sleeps.
static void check_sleep(uint64_t until_ns)
{
    EXPLORER_CHECK(!pumps || !atomic_load(&is_set));
    for (int i = 0; i < 4; i++) {
        if (works[i].ran == 0 && latest[i] != 0) {
            EXPLORER_CHECK(until_ns <= latest[i]);
        }
    }
    uint64_t waiting = atomic_load(&stub_loop->inbox.tail) - stub_loop->inbox.cursor;
    EXPLORER_CHECK(waiting <= SWIVEL_WAITING_MAX);
}

static void reset(void)
{
    memset(&own, 0, sizeof own);
    memset(works, 0, sizeof works);
    memset(latest, 0, sizeof latest);
    stub_open();
    stub_on_loop(arm_own);
    stub_asleep = check_sleep;
}

static void check(void)
{
    EXPLORER_CHECK(own.ran == 1);
    for (int i = 0; i < 4; i++) {
        EXPLORER_CHECK(works[i].ran == (latest[i] != 0));
    }
    stub_close();
}

/// Drives the loop as production does, but for what a seeded bug changes.
static void drive(void)
{
#if SWIVEL_MODEL_BUG == 1
    // Parks without a second check of what has arrived since the drain.
    swivel__thread.loops.own = swivel__thread.loops.current = stub_loop;
    swivel__wake_unpark(&stub_loop->wake);
    while (!stub_ending) {
        if (swivel__turn(stub_loop, stub_now)) {
            continue;
        }
        uint64_t next = swivel__wheel_next_deadline(&stub_loop->wheel);
        stub_sleeps += 1;
        SWIVEL_STORE(&stub_loop->wake.parked, next, seq_cst);
        swivel__park_poll(stub_loop->park, true, (swivel_mono){next});
        swivel__wake_unpark(&stub_loop->wake);
    }
    swivel__turn(stub_loop, stub_now);
#elif SWIVEL_MODEL_BUG == 2
    // Takes the urgency away after the drain, where it can be that of an entry published since.
    swivel__thread.loops.own = swivel__thread.loops.current = stub_loop;
    swivel__wake_unpark(&stub_loop->wake);
    while (!stub_ending) {
        bool more = swivel__turn(stub_loop, stub_now);
        swivel__wake_begin_drain(&stub_loop->wake);
        swivel_mono next =
            swivel__mono_of(&stub_loop->clock, swivel__wheel_next_deadline(&stub_loop->wheel));
        swivel__park(stub_loop, !more, next);
    }
    swivel__turn(stub_loop, stub_now);
#else
    stub_drive();
#endif
}

static void post(int work)
{
    latest[work] = 100;
    EXPLORER_CHECK(swivel_post(stub_loop, stub_words(&works[work])) == SWIVEL_OK);
}

static void schedule(int work, uint64_t deadline_ns)
{
    swivel_timer timer = swivel_schedule_at(stub_loop, deadline_ns, 0, stub_words(&works[work]));
    latest[work] = deadline_ns;
    EXPLORER_CHECK(timer.loop == stub_loop);
}

/// Two threads post.
static void urgent(int thread)
{
    if (thread == 0) {
        drive();
    } else {
        post(thread);
        if (thread == 1) {
            post(0);
        }
    }
}

/// One posts; one arms a timer behind the loop's next, and one before it.
static void far(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        post(1);
    } else {
        schedule(2, 2000);
        schedule(3, 500);
    }
}

/// Two threads arm timers before the loop's next deadline.
static void nearer(int thread)
{
    if (thread == 0) {
        drive();
    } else {
        schedule(thread, thread == 1 ? 600 : 500);
    }
}

static void cancel(int work)
{
    EXPLORER_CHECK(swivel_cancel(timers[work]) == SWIVEL_CANCELLED);
}

/// Reclaims need no wake, but not any number of them may wait.
static void lazy(int thread)
{
    if (thread == 0) {
        drive();
    } else {
        cancel(thread == 1 ? 0 : 1);
        if (thread == 1) {
            cancel(2);
        }
    }
}

static void reset_lazy(void)
{
    reset();
    stub_on_loop(arm_far);
}

static void arm_one_far(void)
{
    timers[3] = swivel_schedule_at(stub_loop, 5000, 0, stub_words(&works[3]));
}

static void reset_held_up(void)
{
    reset();
    stub_on_loop(arm_one_far);
}

static void check_lazy(void)
{
    for (int i = 0; i < 4; i++) {
        EXPLORER_CHECK(works[i].released == 1);
    }
    latest[3] = 5003; // It was left alone.
    check();
}

/// A reclaim that is held up has a post behind it: it wakes the loop when it is published.
static void held_up(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        cancel(3);
    } else {
        post(1);
    }
}

/// The closure of the first post pumps; the turn inside sees more than the one outside is to.
static bool is_done(void *checks)
{
    return ++*(int *)checks > 1;
}

static void pump(void)
{
    int checks = 0;
    swivel_loop_pump(stub_loop, is_done, &checks, UINT64_MAX - 1, 0);
}

static void reset_pump(void)
{
    reset_held_up();
    works[0].body = pump;
    post(0);
}

/// The first post's closure pumps until another thread has stored a word and woken the loop. Its
/// producer has held a drain up before.
static bool is_told(void *unused)
{
    (void)unused;
    return SWIVEL_LOAD(&is_set, acquire);
}

static void pump_until_told(void)
{
    pumps = true;
    EXPLORER_CHECK(swivel_loop_pump(stub_loop, is_told, NULL, UINT64_MAX - 1, 0) == 1);
    pumps = false;
}

static void reset_told(void)
{
    reset();
    atomic_store(&is_set, false);
    pumps = false;
    works[1].body = pump_until_told;
}

static void announce(int thread)
{
    if (thread == 0) {
        drive();
    } else if (thread == 1) {
        post(1);
    } else {
        SWIVEL_STORE(&is_set, true, release);
        swivel_loop_wake(stub_loop);
    }
}

int main(void)
{
    static const explorer_model models[] = {
        {"wake: two producers of posts", 3, reset, urgent, stub_stuck, check, 3},
        {"wake: a post and far timers", 3, reset, far, stub_stuck, check, 3},
        {"wake: two nearer timers", 3, reset, nearer, stub_stuck, check, 3},
        {"wake: reclaims, which can wait", 3, reset_lazy, lazy, stub_stuck, check_lazy, 3},
        {"wake: a producer that is held up", 3, reset_held_up, held_up, stub_stuck, check, 3},
        {"wake: a pump in a drain", 3, reset_pump, held_up, stub_stuck, check, 3},
        {"wake: a word for a pump", 3, reset_told, announce, stub_stuck, check, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
