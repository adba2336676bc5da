// SPDX-License-Identifier: Apache-2.0
// Moves of a kept timer against its disarms and its loop, and of one whose closure runs elsewhere.
//
// A mover does not store again when another has replaced its deadline:
// Mutant: mover.c: s/return left == SWIVEL_NOTHING_NS;/return left != mover->wanted_ns;/
// A handed timer starts whatever is wanted:
// Mutant: handed.c: s/&& !takes_wanted(timer)/\&\& false/
#include "calls.h"
#include "memory.h"

static void reset_own_move(void)
{
    reset_kept_idle();
    post_own(move_in_closure);
}

static void reset_own_disarm(void)
{
    reset_kept_idle();
    post_own(disarm);
}

/// Armed, disarmed by whoever owns it, and armed by two others.
static void disarm_between(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        move(300);
        disarm();
    } else {
        move(250);
    }
}

static void disarm_and_arm(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        disarm();
        move(300);
    } else {
        move(250);
        disarm();
    }
}

// On a foreign context.

static int handed; ///< Handed over, and not yet taken up by the context.

static void hand_over(swivel_timer what)
{
    EXPLORER_CHECK(what.index == timer.index);
    memory_give(&handed);
    handed += 1;
}

static void arm_foreign(void)
{
    char context[SWIVEL_CONTEXT_BYTES] = {0};
    end(begin(200), true);
    timer = swivel_schedule_foreign(stage_loop, 200, 0, NULL, context, stage_words(&work));
}

static void reset_foreign(void)
{
    kept = false;
    clear();
    handed = 0;
    stage_handed = hand_over;
    stage_on_loop(arm_foreign);
    stage_now = 200;
}

static bool has_some_or_ends(void *unused)
{
    (void)unused;
    return handed > 0 || stage_ending;
}

static void serve(void)
{
    swivel_work words;
    for (explorer_wait(has_some_or_ends, NULL); handed > 0;
         explorer_wait(has_some_or_ends, NULL)) {
        memory_take(&handed);
        handed -= 1;
        if (swivel_handed_begin(timer, &words)) {
            on_run();
            begun += 1;
            work.began_ns = stage_now;
            work.released += 1;
            swivel_handed_end(timer, &words, false);
        }
    }
}

static void serve_two_moves(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        serve();
    } else {
        move(thread == 2 ? 300 : 250);
    }
}

int main(void)
{
    static const struct {
        explorer_model model;
        int preemptions;
    } models[] = {
        {{"settle: a kept timer", 3, reset_kept_due, two_moves, stage_stuck, check}, 3},
        {{"settle: moved by its loop", 3, reset_own_move, two_moves, stage_stuck, check}, 2},
        {{"settle: disarmed by its loop", 3, reset_own_disarm, two_moves, stage_stuck, check}, 2},
        {{"settle: rearmed by its loop", 3, reset_own_rearm, two_moves, stage_stuck, check}, 2},
        {{"settle: a disarm between", 3, reset_kept_idle, disarm_between, stage_stuck, check}, 3},
        {{"settle: disarms and arms", 3, reset_kept_due, disarm_and_arm, stage_stuck, check}, 2},
        {{"settle: on a context", 4, reset_foreign, serve_two_moves, stage_stuck, check}, 2},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        explorer_run(&models[i].model, models[i].preemptions);
    }
    return 0;
}
