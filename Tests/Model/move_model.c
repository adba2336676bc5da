// SPDX-License-Identifier: Apache-2.0
// Moves of a one-shot from several threads: its loop's, two other threads and a canceller.
//
// Taking the deadline before MOVED is cleared again loses a deadline that is stored in between:
// Mutant: timer.c: s/^    if (wanted == SWIVEL_NOTHING_NS) {/    SWIVEL_FETCH_AND(\&node->state, ~(uint64_t)SWIVEL_MOVED, acq_rel);\n&/
// An instant that is still shown while the node is filed anew costs a message:
// Mutant: timer.c: s/next &= ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);/next \&= ~(uint64_t)SWIVEL_MOVED;/
// Mutant: timer.c: s/next = state & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED);/next = state \& ~(uint64_t)SWIVEL_MOVED;/
// Mutant: timer.c: s/swivel__resolved(next & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED))/swivel__resolved(next \& ~(uint64_t)SWIVEL_MOVED)/
// The loop's own move leaves what others want:
// Mutant: timer.c: s/swivel__resolved(next & ~(uint64_t)(SWIVEL_MOVED | SWIVEL_FILED))/swivel__resolved(next \& ~(uint64_t)SWIVEL_FILED)/
// A node is freed under a re-arm:
// Mutant: slab.c: s/return (state & SWIVEL_REARMS_MASK) != 0;/return state == 0;/
// The last re-arm leaves without a word:
// Mutant: remote_rearm.c: s/swivel__send_reclaim(/(void)(/
// A re-arm says that the timer was over before, although it has moved it:
// Mutant: remote_rearm.c: s/outcome = was_taken(rearm, true) ? TAKEN : LATE;/outcome = LATE;/
// Or that it has moved it, although another one has:
// Mutant: remote_rearm.c: s/return SWIVEL_LOAD(&rearm->move->filed_ns, relaxed) == aligned;/return true;/
// Mutant: timer.c: s/^    SWIVEL_STORE(&move->filed_ns, is_now.*$//
// Resolutions go unseen:
// Mutant: remote_rearm.c: s/(state & SWIVEL_RESOLUTIONS_MASK) != resolutions/false/
// The notifier does not check again:
// Mutant: remote_rearm.c: s/&& wanted < instant_ns/\&\& false/
// Every move passes for a later one:
// Mutant: remote_rearm.c: s/rearm->wanted_ns >= SWIVEL_LOAD/true || rearm->wanted_ns >= SWIVEL_LOAD/
// A move before the arm message arrives wakes no thread:
// Mutant: remote_rearm.c: s/if (state & (SWIVEL_QUEUED | SWIVEL_ANNOUNCED)) {/if (state \& SWIVEL_ANNOUNCED) {/
#include "calls.h"
#include "memory.h"

static void two_moves_and_a_cancel(int thread)
{
    thread == 3 ? cancel() : two_moves(thread);
}

/// One thread's second move replaces its first.
static void one_after_the_other(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else if (thread == 1) {
        move(300);
        move(250);
    } else {
        move(260);
    }
}

/// One that wakes the loop, and one that does not.
static void far_and_near(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move(thread == 1 ? 600 : 250);
    }
}

static void arm_and_move(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        arm();
        move(250);
    }
}

/// Around the instant that is filed.
static void earlier_and_later(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move(thread == 1 ? 150 : 400);
        if (thread == 2) {
            move(300);
        }
    }
}

/// Later, and a little less so.
static void later_and_less(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move(400);
        move(300);
    }
}

/// A move that was not announced to the loop, as the instant that is shown has come.
static void reset_moved(void)
{
    reset_filed_due();
    move(300);
}

/// Time goes on while re-arms are inside.
static void move_as_time_goes_on(int thread)
{
    if (thread == 0) {
        stub_on_loop(NULL);
        stub_pass(250);
        stub_drive();
    } else {
        move(thread == 1 ? 250 : 280);
    }
}

/// One of them to an instant that has come, so that the loop fires at once.
static void move_to_the_past(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move(thread == 1 ? 180 : 280);
    }
}

/// The timer has run, and not before all instants that may have been promised last.
static void check_not_early(void)
{
    bool in_time = false;
    for (int i = 0; i < call_count; i++) {
        in_time |=
            calls[i].moved && !is_replaced(&calls[i]) && calls[i].wants <= work.began_ns;
    }
    EXPLORER_CHECK(work.ran == 1 && in_time);
    stub_close();
}

/// Only instants that have come.
static void due_moves(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move(200);
        move(199);
    }
}

static void reset_own(void)
{
    reset_filed();
    post_own(move_in_closure);
}

static void reset_own_queued(void)
{
    is_reusable = false;
    clear();
    post_own(move_in_closure);
    arm();
}

/// The node's next life: a re-arm that came too late for the first reaches nothing of it.
static void rearm_second(void)
{
    other = swivel_schedule_at(stub_loop, 500, 0, stub_words(&second));
    memory_give(&other);
}

static void cancel_and_begin_anew(void)
{
    cancel();
    rearm_second();
}

static stub_work renewal;

static void reset_reuse(void)
{
    is_reusable = false;
    clear();
    memset(&renewal, 0, sizeof renewal);
    renewal.body = cancel_and_begin_anew;
    stub_on_loop(arm);
    swivel_post(stub_loop, stub_words(&renewal));
}

static bool other_is_there(void *unused)
{
    (void)unused;
    return other.loop != NULL;
}

static void move_both(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else if (thread == 1) {
        move(300);
    } else {
        explorer_wait(other_is_there, NULL);
        memory_take(&other);
        EXPLORER_CHECK(swivel__rearm_at(other, 400));
    }
}

static void check_reuse(void)
{
    EXPLORER_CHECK(second.ran == 1 && second.began_ns == 400);
    check();
}

int main(void)
{
    static const explorer_model models[] = {
        {"move: two moves and a fire", 3, reset_due, two_moves, stub_stuck, check, 3},
        {"move: two moves, a cancel", 4, reset_due, two_moves_and_a_cancel, stub_stuck, check, 2},
        {"move: instants that have come", 3, reset_due, due_moves, stub_stuck, check, 2},
        {"move: before the arm arrives", 3, reset_queued, one_after_the_other, stub_stuck, check,
         2},
        {"move: one after the other", 3, reset_due, one_after_the_other, stub_stuck, check, 2},
        {"move: what is shown as filed", 3, reset_filed, earlier_and_later, stub_stuck, check, 2},
        {"move: while the loop sleeps", 3, reset_far, far_and_near, stub_stuck, check, 3},
        {"move: with its arm on its way", 2, reset_none, arm_and_move, stub_stuck, check, 3},
        {"move: as what is filed is due", 2, reset_filed_due, later_and_less, stub_stuck, check, 3},
        {"move: the loop too", 3, reset_own, earlier_and_later, stub_stuck, check, 2},
        {"move: the loop, before the arm", 3, reset_own_queued, two_moves, stub_stuck, check, 3},
        {"move: time moves during it", 3, reset_moved, move_as_time_goes_on, stub_stuck,
         check_not_early, 2},
        {"move: to the past during it", 3, reset_moved, move_to_the_past, stub_stuck,
         check_not_early, 2},
        {"move: a node that lives again", 3, reset_reuse, move_both, stub_stuck, check_reuse, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
