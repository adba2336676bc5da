// SPDX-License-Identifier: Apache-2.0
// The order of moves: to now among posts, and of two timers with equal deadlines.
//
// The loop takes a place that an earlier move has had:
// Mutant: remote_rearm.c: s/uint64_t number = swivel__order_next(rearm->timer.loop);/uint64_t number = 1;/
// A due message carries its own number, though the loop waits for a later one:
// Mutant: remote_rearm.c: s/SWIVEL_FETCH_ADD(&rearm->move->due_order, 0, acq_rel);/SWIVEL_LOAD(\&rearm->move->order, relaxed) - 1;/
// The loop that has taken a move to now waits for a message that does not come:
// Mutant: remote_rearm.c: s/return !is_now || announce(&rearm);/return true;/
#include "calls.h"

/// Now, as a post.
static void move_to_now(void)
{
    call *call = begin(stub_now);
    end(call, is_reusable ? swivel__reusable_move(timer, 0) : swivel__rearm_at(timer, 0));
}

static void now_and_later(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else if (thread == 1) {
        move_to_now();
    } else {
        move(400);
        move_to_now();
    }
}

static void later_and_now(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else if (thread == 1) {
        move_to_now();
        move(300);
    } else {
        move_to_now();
    }
}

/// A reusable timer whose closure runs when it is moved to now, once more.
static void now_twice(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move_to_now();
        if (thread == 1) {
            move_to_now();
        }
    }
}

/// Two timers with equal deadlines: the one that was moved last comes last.
static void on_second(void)
{
    EXPLORER_CHECK(work.ran == 0);
}

static void arm_both(void)
{
    arm();
    other = swivel_schedule_at(stub_loop, armed_ns, 0, stub_words(&second));
}

static void reset_both(void)
{
    is_reusable = false;
    clear();
    second.body = on_second;
    stub_on_loop(arm_both);
}

/// Filed, so that later instants are only stored.
static void reset_both_filed(void)
{
    reset_both();
    move(190);
    EXPLORER_CHECK(swivel__rearm_at(other, 190));
    stub_on_loop(NULL);
}

static void reset_both_queued(void)
{
    is_reusable = false;
    clear();
    second.body = on_second;
    arm_both();
}

static void move_one_twice(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move(300);
        EXPLORER_CHECK(swivel__rearm_at(other, 300));
        move(300);
    }
}

static void check_both(void)
{
    EXPLORER_CHECK(second.ran == 1 && second.began_ns == 300);
    check();
}

int main(void)
{
    static const explorer_model models[] = {
        {"order: to now and later", 3, reset_due, now_and_later, stub_stuck, check, 2},
        {"order: later and to now", 3, reset_filed, later_and_now, stub_stuck, check, 2},
        {"order: to now as it runs", 3, reset_reusable_due, now_twice, stub_stuck, check, 2},
        {"order: one of two twice", 2, reset_both, move_one_twice, stub_stuck, check_both, 3},
        {"order: one of two, filed", 2, reset_both_filed, move_one_twice, stub_stuck, check_both,
         3},
        {"order: one of two, on its way", 2, reset_both_queued, move_one_twice, stub_stuck,
         check_both, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
