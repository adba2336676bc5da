// SPDX-License-Identifier: Apache-2.0
// Timers of a foreign context: the claim is made there, against a cancel, a rearm and the loop.
#include "memory.h"
#include "stage.h"

#include <string.h>

static stage_work work;
static swivel_timer timer;
static int queued; ///< Handed over, and not yet taken up by the context.
static bool repeats, drops;
static int begun, dropped, cancelled;
static bool rearmed, asked;
static uint64_t not_before;

static void hand_over(swivel_timer handed)
{
    EXPLORER_CHECK(handed.index == timer.index);
    memory_give(&queued);
    queued += 1;
}

static void arm(void)
{
    char context[SWIVEL_CONTEXT_BYTES] = {0};
    swivel_grid grid = {.first_ns = 200, .interval_ns = 100};
    timer = swivel_schedule_foreign(stage_loop, 200, 0, repeats ? &grid : NULL, context,
                                    stage_words(&work));
    EXPLORER_CHECK(timer.loop == stage_loop);
}

static void reset(void)
{
    memset(&work, 0, sizeof work);
    queued = begun = dropped = cancelled = 0;
    rearmed = drops = asked = false;
    not_before = 0;
    stage_open();
    stage_handed = hand_over;
    stage_on_loop(arm);
    stage_now = 200;
}

static void reset_one_shot(void)
{
    repeats = false;
    reset();
}

static void reset_repeat(void)
{
    repeats = true;
    reset();
}

static void reset_drops(void)
{
    repeats = false;
    reset();
    drops = true;
}

static bool has_some_or_ends(void *unused)
{
    (void)unused;
    return queued > 0 || stage_ending;
}

static bool begin(swivel_work *words)
{
#if SWIVEL_MODEL_BUG == 1
    // Looks, then acts.
    swivel_node *node = swivel__slab_node(&stage_loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (swivel__generation(state) != timer.generation || swivel__phase(state) != SWIVEL_HANDED) {
        return false;
    }
    *words = node->work;
    SWIVEL_STORE(&node->state, swivel__with_phase(state, SWIVEL_BUSY), release);
    return true;
#else
    return swivel_handed_begin(timer, words);
#endif
}

/// The context's thread, with each timer that it is handed.
static void serve(void)
{
    swivel_work words;
    for (;;) {
        explorer_wait(has_some_or_ends, NULL);
        if (queued == 0) {
            return;
        }
        memory_take(&queued);
        queued -= 1;
        if (drops) {
            if (swivel_handed_drop(timer, &words)) {
                dropped += 1;
                work.released += 1;
            }
        } else if (begin(&words)) {
            EXPLORER_CHECK(words.context == (uintptr_t)&work);
            EXPLORER_CHECK(work.released == 0);
            EXPLORER_CHECK(stage_now >= not_before);
            begun += 1;
            explorer_point(); // The closure.
            work.released += !repeats;
            swivel_handed_end(timer, &words, repeats);
        }
    }
}

static void cancel(void)
{
    swivel_work words;
    int before = begun;
    swivel_cancel_result result = swivel__cancel(timer, &words);
    if (result == SWIVEL_CANCELLED) {
        EXPLORER_CHECK(repeats || before == 0);
        work.released += 1;
        cancelled += 1;
    } else if (result == SWIVEL_RUNNING) {
        EXPLORER_CHECK(begun > 0);
        asked = swivel_watch(timer);
        // A watch is told of the end, or comes after the release.
        EXPLORER_CHECK(asked || work.released == 1);
    }
}

static void cancel_it(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        serve();
    } else {
        cancel();
    }
}

static void rearm_it(int thread)
{
    if (thread == 0) {
        stage_drive();
    } else if (thread == 1) {
        serve();
    } else if (swivel_rearm(timer, 150)) {
        rearmed = true;
        // A closure that is under way has begun before.
        not_before = 350;
        EXPLORER_CHECK(repeats || begun == 0 || stage_now >= 350);
    }
}

static void move_and_cancel(int thread)
{
    rearm_it(thread);
    if (thread == 2) {
        cancel();
    }
}

static void check(void)
{
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(stage_contexts_released == 1);
    EXPLORER_CHECK(stage_ends == asked);
    EXPLORER_CHECK(repeats || begun + dropped + cancelled == 1);
    EXPLORER_CHECK(!swivel_is_pending(timer));
    EXPLORER_CHECK(swivel__pending_timers(stage_loop) == 0);
    EXPLORER_CHECK(stage_loop->handed == 0);
    EXPLORER_CHECK(stage_loop->wheel.slab.live == 0);
    stage_close();
}

int main(void)
{
    static const explorer_model models[] = {
        {"handed: a begin and a cancel", 3, reset_one_shot, cancel_it, stage_stuck, check},
        {"handed: a drop and a cancel", 3, reset_drops, cancel_it, stage_stuck, check},
        {"handed: a repeat and its cancel", 3, reset_repeat, cancel_it, stage_stuck, check},
        {"handed: a begin and a rearm", 3, reset_one_shot, rearm_it, stage_stuck, check},
        {"handed: a repeat that is moved", 3, reset_repeat, move_and_cancel, stage_stuck, check},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        explorer_run(&models[i], 3);
    }
    return 0;
}
