// SPDX-License-Identifier: Apache-2.0
// Moves of a reusable timer against its disarms and its loop.
//
// A re-arm does not store again when another has replaced its deadline:
// Mutant: remote_rearm.c: /wanted_ns, rearm->wanted_ns, seq_cst);/{n;s/return false;/return true;/}
#include "calls.h"

static void reset_own_move(void)
{
    reset_reusable_idle();
    post_own(move_in_closure);
}

static void reset_own_disarm(void)
{
    reset_reusable_idle();
    post_own(disarm);
}

/// Armed, disarmed by its owner, and armed by two others.
static void disarm_between(int thread)
{
    if (thread == 0) {
        stub_drive();
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
        stub_drive();
    } else if (thread == 1) {
        disarm();
        move(300);
    } else {
        move(250);
        disarm();
    }
}

int main(void)
{
    static const explorer_model models[] = {
        {"resolve: a reusable timer", 3, reset_reusable_due, two_moves, stub_stuck, check, 3},
        {"resolve: moved by its loop", 3, reset_own_move, two_moves, stub_stuck, check, 2},
        {"resolve: disarmed by its loop", 3, reset_own_disarm, two_moves, stub_stuck, check, 2},
        {"resolve: rearmed by its loop", 3, reset_own_rearm, two_moves, stub_stuck, check, 2},
        {"resolve: a disarm between", 3, reset_reusable_idle, disarm_between, stub_stuck, check, 3},
        {"resolve: disarms and arms", 3, reset_reusable_due, disarm_and_arm, stub_stuck, check, 2},
    };
    EXPLORER_RUN(models);
    return 0;
}
