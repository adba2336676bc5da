// SPDX-License-Identifier: Apache-2.0
// Fire, cancel and rearm of one timer, from three threads: exactly one of fire and cancel wins, the
// work is released exactly once, and what was rearmed does not fire before its new deadline.
//
// A thread that recalls what the loop has adopted:
// Mutant: cancel.c: s/(SWIVEL_ARMED | SWIVEL_QUEUED)/SWIVEL_ARMED/
// A loop that counts what it has adopted once more when the message comes:
// Mutant: messages.c: s/if (loop->adopted_early > 0) {/if (false) {/
// A recall that leaves the timer's life as it was:
// Mutant: cancel.c: s/uint32_t next_generation = timer.generation + 1;/uint32_t next_generation = timer.generation;/
#include "stub.h"

#include <string.h>

#define DEADLINE 200
#define REARMED 300

static stub_work work;
static swivel_timer timer;
static bool cancelled[3], rearmed[3];

static void arm(void)
{
    timer = swivel_schedule_at(stub_loop, DEADLINE, 0, stub_words(&work));
}

static void clear(void)
{
    memset(&work, 0, sizeof work);
    memset(cancelled, 0, sizeof cancelled);
    memset(rearmed, 0, sizeof rearmed);
    timer = (swivel_timer){NULL, 0, 0};
    stub_open();
}

/// The deadline has come: the loop is about to fire.
static void reset_due(void)
{
    clear();
    stub_on_loop(arm);
    stub_now = DEADLINE;
}

/// A timer of another thread, whose arm message is still in the inbox.
static void reset_queued(void)
{
    clear();
    arm();
    stub_now = DEADLINE;
}

static void cancel(int thread)
{
    swivel_work words;
#if SWIVEL_MODEL_BUG == 1
    // Looks, then acts.
    swivel_node *node = swivel__slab_node(&stub_loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    bool armed =
        swivel__generation(state) == timer.generation && swivel__phase(state) == SWIVEL_ARMED;
    if (armed) {
        words = node->work;
        SWIVEL_STORE(&node->state, swivel__with_phase(state, SWIVEL_OVER), release);
        swivel__send_reclaim(timer, SWIVEL_WAS_ARMED);
    }
    cancelled[thread] = armed;
#else
    cancelled[thread] = swivel__cancel(timer, &words) == SWIVEL_CANCELLED;
#endif
    if (cancelled[thread]) {
        // The winner has the work, and no other thread has begun it.
        EXPLORER_CHECK(words.context == (uintptr_t)&work);
        EXPLORER_CHECK(work.ran == 0);
        work.released += 1;
    }
}

static void rearm(int thread)
{
#if SWIVEL_MODEL_BUG == 2
    // Leaves the deadline and notifies the loop, but not the state.
    swivel_move *move = swivel__slab_move(&stub_loop->wheel.slab, timer.index);
    SWIVEL_STORE(&move->wanted_ns, REARMED, seq_cst);
    rearmed[thread] = swivel_is_pending(timer) && swivel__announce(timer, REARMED) == SWIVEL_OK;
#else
    rearmed[thread] = swivel_rearm(timer, REARMED - stub_now);
#endif
    EXPLORER_CHECK(!rearmed[thread] || work.ran == 0 || work.began_ns >= REARMED);
}

static void check(void)
{
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(work.ran + cancelled[0] + cancelled[1] + cancelled[2] == 1);
    if (rearmed[0] || rearmed[1] || rearmed[2]) {
        EXPLORER_CHECK(work.ran == 0 || work.began_ns >= REARMED);
    }
    EXPLORER_CHECK(swivel_cancel(timer) == SWIVEL_FINISHED);
    EXPLORER_CHECK(!swivel_is_pending(timer));
    EXPLORER_CHECK(swivel__pending_timers(stub_loop) == 0);
    // One node is counted for each timer that the loop has adopted.
    EXPLORER_CHECK(stub_loop->wheel.slab.live == 0);
    stub_close();
}

static void two_cancels(int thread)
{
    thread == 0 ? stub_drive() : cancel(thread);
}

/// The loop's own closure cancels or moves a timer whose arm message comes after it.
static stub_work own;

static void cancel_in_closure(void)
{
    cancel(0);
}

static void rearm_in_closure(void)
{
    rearm(0);
}

static void reset_own(void (*body)(void))
{
    memset(&own, 0, sizeof own);
    own.body = body;
    clear();
    swivel_post(stub_loop, stub_words(&own));
    arm();
    stub_now = DEADLINE;
}

static void reset_own_cancel(void)
{
    reset_own(cancel_in_closure);
}

static void reset_own_rearm(void)
{
    reset_own(rearm_in_closure);
}

/// It cancels a timer that the loop has adopted, and that is about to fire.
static void reset_own_due(void)
{
    memset(&own, 0, sizeof own);
    own.body = cancel_in_closure;
    reset_due();
    swivel_post(stub_loop, stub_words(&own));
}

static void cancel_and_rearm(int thread)
{
    thread == 0 ? stub_drive() : thread == 1 ? cancel(1) : rearm(2);
}

static void two_rearms(int thread)
{
    thread == 0 ? stub_drive() : rearm(thread);
}

/// The node's next life, started while a cancel of the former one reads it.
static stub_work second;

static void arm_second(void)
{
    swivel_schedule_at(stub_loop, 100, 0, stub_words(&second));
}

static void reset_reuse(void)
{
    memset(&second, 0, sizeof second);
    clear();
    work.body = arm_second;
    stub_on_loop(arm);
    stub_now = DEADLINE;
}

static void check_reuse(void)
{
    // A cancel of the first timer must not touch what its closure has started.
    EXPLORER_CHECK(second.ran == (cancelled[1] || cancelled[2] ? 0 : 1));
    check();
}

/// The node's next life starts as soon as the loop has taken a cancelled arm message.
static stub_work reuse;
static uint32_t in_batch_before, batches_before;

/// Says that other threads have nodes enough: the loop keeps what it reclaims.
static void keep_nodes(uint32_t in_batch, uint32_t batches)
{
    stub_loop->wheel.slab.batch_count = in_batch;
    stub_loop->wheel.slab.depot_batches = batches;
}

static void reset_queued_reuse(void)
{
    memset(&second, 0, sizeof second);
    memset(&reuse, 0, sizeof reuse);
    reuse.body = arm_second;
    reset_queued();
    swivel_post(stub_loop, stub_words(&reuse));
    batches_before = stub_loop->wheel.slab.depot_batches;
    in_batch_before = stub_loop->wheel.slab.batch_count;
    keep_nodes(SWIVEL_BATCH, SWIVEL_DEPOT_BATCHES_MAX);
}

static void check_queued_reuse(void)
{
    EXPLORER_CHECK(second.ran == 1);
    keep_nodes(in_batch_before, batches_before);
    check();
}

/// A thread recalls a timer of which the loop has not heard, and arms its next one in the same node.
static void reset_recall(void)
{
    memset(&second, 0, sizeof second);
    reset_queued();
}

static void recall_and_arm(int thread)
{
    if (thread == 1) {
        cancel(1);
        arm_second();
    } else {
        thread == 0 ? stub_drive() : rearm(2);
    }
}

static void check_recall(void)
{
    EXPLORER_CHECK(second.ran == 1 && second.released == 1);
    check();
}

/// The loop's own closure moves a timer and gives it a new handle, while others use the old one.
static stub_work own_renewal;
static swivel_timer renewed;

static void renew_in_closure(void)
{
#if SWIVEL_MODEL_BUG == 3
    // Looks, then acts.
    swivel_node *node = swivel__slab_node(&stub_loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (swivel__generation(state) == timer.generation && swivel__phase(state) == SWIVEL_ARMED) {
        renewed = timer;
        renewed.generation += 1;
        SWIVEL_STORE(&node->state, state + (UINT64_C(1) << SWIVEL_GENERATION_SHIFT), release);
        swivel__wheel_refile(&stub_loop->wheel, timer.index, node, REARMED,
                             stub_loop->wheel.sequence++);
    }
#else
    renewed = swivel__own_renew(timer, REARMED, 0);
#endif
}

static void reset_renewal(void)
{
    memset(&own_renewal, 0, sizeof own_renewal);
    own_renewal.body = renew_in_closure;
    renewed = (swivel_timer){NULL, 0, 0};
    clear();
    stub_on_loop(arm);
    swivel_post(stub_loop, stub_words(&own_renewal));
    stub_now = DEADLINE;
}

static void check_renewal(void)
{
    bool moved = renewed.loop != NULL;
    EXPLORER_CHECK(!moved || (!cancelled[1] && !rearmed[2]));
    EXPLORER_CHECK(!moved || (work.ran == 1 && work.began_ns >= REARMED));
    EXPLORER_CHECK(swivel_cancel(renewed) == SWIVEL_FINISHED);
    check();
}

int main(void)
{
    static const explorer_model models[] = {
        {"cancel: two cancels and a fire", 3, reset_due, two_cancels, stub_stuck, check, 3},
        {"cancel: a cancel, a rearm, a fire", 3, reset_due, cancel_and_rearm, stub_stuck, check, 3},
        {"cancel: two rearms and a fire", 3, reset_due, two_rearms, stub_stuck, check, 3},
        {"cancel: before the arm arrives", 3, reset_queued, two_cancels, stub_stuck, check, 3},
        {"cancel: a rearm before the arm", 3, reset_queued, cancel_and_rearm, stub_stuck, check, 3},
        {"cancel: by the loop, before the arm", 3, reset_own_cancel, cancel_and_rearm, stub_stuck,
         check, 3},
        {"cancel: by the loop too", 3, reset_own_due, cancel_and_rearm, stub_stuck, check, 3},
        {"cancel: a rearm by the loop before the arm", 3, reset_own_rearm, two_cancels, stub_stuck,
         check, 3},
        {"cancel: a renewal by the loop", 3, reset_renewal, cancel_and_rearm, stub_stuck,
         check_renewal, 3},
        {"cancel: a node that lives again", 3, reset_reuse, two_cancels, stub_stuck, check_reuse,
         3},
        {"cancel: before it lives again", 3, reset_queued_reuse, two_cancels, stub_stuck,
         check_queued_reuse, 3},
        {"cancel: recalled, and armed again", 3, reset_recall, recall_and_arm, stub_stuck,
         check_recall, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
