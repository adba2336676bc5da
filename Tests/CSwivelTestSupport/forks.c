// SPDX-License-Identifier: Apache-2.0
// The state of a loop after a fork, in the child and in the parent.
#include "cells.h"
#include "include/process.h"
#include "spin.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOUR_NS (UINT64_C(3600) * 1000 * 1000 * 1000)
#define MS UINT64_C(1000000)

/// In the child a failed expectation is its exit code: the line.
#define CHILD_EXPECT(condition)                                                                    \
    if (!(condition)) {                                                                            \
        fprintf(stderr, "forks.c:%d: %s\n", __LINE__, #condition);                                 \
        _exit(1);                                                                                  \
    }
#define EXPECT(condition)                                                                          \
    if (!(condition)) {                                                                            \
        return "forks.c: " #condition;                                                             \
    }

/// Whether the child ended well, in time.
static bool ends_well(pid_t child)
{
    int status = 0;
    for (int i = 0; i < 10000; i++) {
        if (waitpid(child, &status, WNOHANG) == child) {
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        poll(NULL, 0, 1);
    }
    return false;
}

static swivel_loop *make_loop(void)
{
    swivel_config config = {.name = "forked", .hooks = swivel_cell_hooks()};
    swivel_loop *loop;
    return swivel_loop_create(&config, &loop) == SWIVEL_OK ? loop : NULL;
}

static bool is_over(void *argument)
{
    (void)argument;
    return false;
}

/// Everything that a child may do with a loop that it has inherited.
static void use_inherited(swivel_loop *loop, swivel_timer timer, swivel_cell *work,
                          swivel_timer kept)
{
    swivel_cell refused = {0};
    swivel_report report;
    CHILD_EXPECT(swivel_loop_refusal(loop) == SWIVEL_EFORKED);
    CHILD_EXPECT(swivel_post(loop, swivel_cell_work(&refused)) == SWIVEL_EFORKED);
    CHILD_EXPECT(swivel_try_post(loop, swivel_cell_work(&refused)) == SWIVEL_EFORKED);
    CHILD_EXPECT(swivel_schedule(loop, 1, 0, swivel_cell_work(&refused)).loop == NULL);
    CHILD_EXPECT(swivel_kept_create(loop, swivel_cell_work(&refused)).loop == NULL);
    CHILD_EXPECT(!swivel_kept_arm(kept, 1, 0));
    CHILD_EXPECT(!swivel_rearm(timer, 1));
    CHILD_EXPECT(swivel_cancel(timer) == SWIVEL_CANCELLED);
    CHILD_EXPECT(swivel_cell_released(work) == 1);
    CHILD_EXPECT(swivel_cancel(timer) == SWIVEL_FINISHED);
    CHILD_EXPECT(swivel_loop_run(loop) == SWIVEL_EFORKED);
    CHILD_EXPECT(swivel_loop_run_once(loop, true, NULL) == SWIVEL_EFORKED);
    swivel_loop_wake(loop);
    swivel_loop_stop(loop);
    swivel_kept_free(kept);
    swivel_loop_shutdown(loop, SWIVEL_DRAIN, HOUR_NS, &report);
    swivel_loop_release(loop);
    CHILD_EXPECT(swivel_cell_ran(&refused) == 0 && swivel_cell_released(&refused) == 0);
}

const char *swivel_fork_beside_a_loop(void)
{
    swivel_loop *loop = make_loop();
    swivel_cell work = {0}, held = {0}, last = {0};
    EXPECT(loop != NULL)
    swivel_timer timer = swivel_schedule(loop, HOUR_NS, 0, swivel_cell_work(&work));
    swivel_timer kept = swivel_kept_create(loop, swivel_cell_work(&held));
    poll(NULL, 0, 50);
    swivel_counters before, after;
    swivel_loop_counters(loop, &before);
    pid_t child = fork();
    if (child == 0) {
        use_inherited(loop, timer, &work, kept);
        _exit(0);
    }
    EXPECT(ends_well(child))
    // The child has not touched what it shares with its parent: nobody was woken.
    swivel_loop_counters(loop, &after);
    EXPECT(after.wakes == before.wakes && after.turns == before.turns)
    EXPECT(swivel_is_pending(timer))
    EXPECT(swivel_post(loop, swivel_cell_work(&last)) == SWIVEL_OK)
    spin_for(&last.ran, 1);
    EXPECT(swivel_cancel(timer) == SWIVEL_CANCELLED)
    swivel_kept_free(kept);
    swivel_loop_release(loop);
    EXPECT(swivel_cell_released(&work) == 1 && swivel_cell_released(&held) == 1)
    return NULL;
}

typedef struct forking {
    swivel_loop *loop;
    _Atomic pid_t child;
} forking;

static void fork_here(void *argument, const swivel_tick *tick)
{
    forking *forking = argument;
    swivel_cell refused = {0};
    (void)tick;
    pid_t child = fork();
    if (child == 0) {
        // The closure goes on in the child, on a loop that is dead there.
        swivel_end_child_after(5);
        CHILD_EXPECT(swivel_post(forking->loop, swivel_cell_work(&refused)) == SWIVEL_EFORKED);
        CHILD_EXPECT(swivel_loop_pump(forking->loop, is_over, NULL, swivel_now_ns() + MS) == 0);
        return; // The thread ends, and with it the child, whose only one it is.
    }
    atomic_store(&forking->child, child);
}

const char *swivel_fork_inside_a_closure(void)
{
    swivel_loop *loop = make_loop();
    EXPECT(loop != NULL)
    forking forking = {loop, 0};
    swivel_cell forks = {0}, next = {0};
    forks.body = fork_here;
    forks.argument = &forking;
    swivel_post(loop, swivel_cell_work(&forks));
    swivel_post(loop, swivel_cell_work(&next));
    spin_for(&next.ran, 1);
    EXPECT(ends_well(atomic_load(&forking.child)))
    swivel_loop_release(loop);
    return NULL;
}

const char *swivel_fork_and_make_a_loop(void)
{
    swivel_loop *loop = make_loop(), *spare = make_loop();
    EXPECT(loop != NULL && spare != NULL)
    swivel_loop_release(spare); // A record that the child may reuse.
    pid_t child = fork();
    if (child == 0) {
        swivel_cell posted = {0}, timed = {0}, elsewhere = {0};
        swivel_loop *own = make_loop();
        CHILD_EXPECT(own != NULL && own != loop);
        swivel_post(own, swivel_cell_work(&posted));
        swivel_schedule(own, MS, 0, swivel_cell_work(&timed));
        swivel_post(loop, swivel_cell_work(&elsewhere));
        spin_for(&posted.ran, 1);
        spin_for(&timed.ran, 1);
        CHILD_EXPECT(swivel_cell_ran(&elsewhere) == 0);
        swivel_loop_release(own);
        // A fork of a fork: both loops are dead there.
        own = make_loop();
        CHILD_EXPECT(own != NULL);
        pid_t grandchild = fork();
        if (grandchild == 0) {
            CHILD_EXPECT(swivel_loop_refusal(own) == SWIVEL_EFORKED);
            CHILD_EXPECT(swivel_loop_refusal(loop) == SWIVEL_EFORKED);
            swivel_loop *third = make_loop();
            CHILD_EXPECT(third != NULL);
            swivel_loop_release(third);
            _exit(0);
        }
        CHILD_EXPECT(ends_well(grandchild));
        swivel_loop_release(own);
        _exit(0);
    }
    EXPECT(ends_well(child))
    swivel_cell last = {0};
    EXPECT(swivel_post(loop, swivel_cell_work(&last)) == SWIVEL_OK)
    spin_for(&last.ran, 1);
    swivel_loop_release(loop);
    return NULL;
}
