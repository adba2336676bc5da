// SPDX-License-Identifier: Apache-2.0
// A word that another thread stores for the loop, a stop or the end of a wait, reaches it although
// nothing is posted with it: the loop is on its way to sleep, or has other posts to see to.
#include "stage.h"

#include <string.h>

static stage_work works[2];
static SWIVEL_ATOMIC(bool) is_over;

static void clear(void)
{
    memset(works, 0, sizeof works);
    SWIVEL_STORE(&is_over, false, relaxed);
    stage_open();
}

static void wake(void)
{
#if SWIVEL_MODEL_BUG == 1
    // Leaves it at that where the loop is to look at once as it is.
    swivel__wake_for(&stage_loop->wake, SWIVEL_INSTANT_NOW, 0, swivel__park_ring,
                     &stage_loop->park);
#else
    swivel_loop_wake(stage_loop);
#endif
}

static void post(int work)
{
    EXPLORER_CHECK(swivel_post(stage_loop, stage_words(&works[work])) == SWIVEL_OK);
}

static bool has_come(void *unused)
{
    (void)unused;
    return SWIVEL_LOAD(&is_over, acquire);
}

/// The closure of a post waits for what another thread says.
static void wait_in_closure(void)
{
    EXPLORER_CHECK(swivel_loop_pump(stage_loop, has_come, NULL, UINT64_MAX - 1) == 1);
}

static void end_of_a_wait(int thread)
{
    if (thread == 0) {
        stage_on_loop(wait_in_closure);
    } else if (thread == 1) {
        post(1);
    } else {
        SWIVEL_STORE(&is_over, true, release);
        wake();
    }
}

static void stop(int thread)
{
    if (thread == 0) {
        swivel__loop_drive(stage_loop);
    } else if (thread == 1) {
        post(1);
    } else {
        SWIVEL_STORE(&stage_loop->stop, true, release);
        wake();
    }
}

static void check(void)
{
    stage_on_loop(NULL);
    EXPLORER_CHECK(works[1].ran == 1);
    stage_close();
}

int main(void)
{
    static const explorer_model models[] = {
        {"stop: a wait ends beside a post", 3, clear, end_of_a_wait, stage_time_goes_on, check},
        {"stop: a run ends beside a post", 3, clear, stop, stage_time_goes_on, check},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        explorer_run(&models[i], 3);
    }
    return 0;
}
