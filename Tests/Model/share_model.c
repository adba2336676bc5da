// SPDX-License-Identifier: Apache-2.0
// A loop that is private when others first cancel, move and disarm its timers: its own thread's plain
// stores against their swaps. The other models begin with a loop that is shared.
//
// The one who asks goes on at once, or without the barrier:
// Mutant: share.c: s/swivel__wait_until_zero(&loop->inside);//
// Mutant: share.c: s/if (!swivel__barrier())/if (false)/
// A thread that finds the loop asked takes it for shared:
// Mutant: share.c: s/SWIVEL_CAS(&loop->sharing.*$/if (!SWIVEL_CAS(\&loop->sharing, \&sharing, SWIVEL_ASKED, seq_cst, relaxed)) return;/
// A thread does not ask:
// Mutant: cancel.c: s/swivel__share(loop);//
// Mutant: kept.c: s/swivel__share(timer.loop);//
// Mutant: mover.c: s/swivel__share(timer.loop);//
#include "calls.h"

/// How many were told that they have cancelled or disarmed the timer.
static int winners;

static void win_cancel(void)
{
    swivel_work words;
    if (swivel__cancel(timer, &words) == SWIVEL_CANCELLED) {
        EXPLORER_CHECK(words.context == (uintptr_t)&work);
        EXPLORER_CHECK(work.ran == 0);
        work.released += 1;
        winners += 1;
    }
}

static void reset_cancels(void)
{
    reset_due();
    winners = 0;
}

static void reset_own_cancel(void)
{
    reset_cancels();
    post_own(win_cancel);
}

static void cancels(int thread)
{
    thread == 0 ? stage_drive() : win_cancel();
}

static void check_cancels(void)
{
    EXPLORER_CHECK(work.ran + winners == 1);
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(swivel__pending_timers(stage_loop) == 0);
    EXPLORER_CHECK(stage_loop->wheel.slab.live == 0);
    stage_close();
}

static void cancel_and_move(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        win_cancel();
    } else {
        move(300);
    }
}

static void check_cancel_and_move(void)
{
    EXPLORER_CHECK(work.ran == 0 || work.began_ns >= 200);
    check_cancels();
}

static void win_disarm(void)
{
    winners += swivel_kept_disarm(timer) == SWIVEL_CANCELLED;
}

static void reset_disarms(void)
{
    reset_kept_due();
    winners = 0;
    post_own(win_disarm);
}

static void disarms(int thread)
{
    thread == 0 ? stage_drive() : win_disarm();
}

static void check_disarms(void)
{
    EXPLORER_CHECK(work.ticks + winners == 1);
    EXPLORER_CHECK(swivel__pending_timers(stage_loop) == 0);
    swivel_kept_free(timer);
    stage_on_loop(NULL);
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(stage_loop->wheel.slab.live == 0);
    stage_close();
}

static void one_move(int thread)
{
    thread == 0 ? stage_drive() : move(300);
}

static void move_and_disarm(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        move(300);
    } else {
        disarm();
    }
}

/// Freed by another thread while it may fire.
static void free_it(int thread)
{
    thread == 0 ? stage_drive() : swivel_kept_free(timer);
}

static void check_free(void)
{
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(work.ticks <= 1);
    EXPLORER_CHECK(swivel__pending_timers(stage_loop) == 0);
    EXPLORER_CHECK(stage_loop->wheel.slab.live == 0);
    stage_close();
}

int main(void)
{
    static const struct {
        explorer_model model;
        int preemptions;
    } models[] = {
        {{"share: a cancel and a fire", 2, reset_cancels, cancels, stage_stuck, check_cancels}, 3},
        {{"share: a cancel by the loop too", 2, reset_own_cancel, cancels, stage_stuck,
          check_cancels}, 3},
        {{"share: two cancels and a fire", 3, reset_cancels, cancels, stage_stuck, check_cancels}, 3},
        {{"share: a cancel, a move, a fire", 3, reset_cancels, cancel_and_move, stage_stuck,
          check_cancel_and_move}, 2},
        {{"share: a disarm by the loop too", 2, reset_disarms, disarms, stage_stuck,
          check_disarms}, 3},
        {{"share: rearmed by the loop", 2, reset_own_rearm, one_move, stage_stuck, check}, 3},
        {{"share: a move and a disarm", 3, reset_own_rearm, move_and_disarm, stage_stuck, check},
         2},
        {{"share: freed while it may fire", 2, reset_kept_due, free_it, stage_stuck, check_free},
         3},
    };
    stage_is_private = true;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        explorer_run(&models[i].model, models[i].preemptions);
    }
    return 0;
}
