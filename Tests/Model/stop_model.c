// SPDX-License-Identifier: Apache-2.0
// A word that another thread stores for the loop, a stop or the end of a wait, reaches it although
// nothing is posted with it: the loop is on its way to sleep, or has other posts to see to. So does a
// signal: the loop receives it, or its driver is notified.
//
// A drive that has ended, and checks first and drains then:
// Mutant: drive.c: /^int swivel_loop_run(/,/^}/{s/more = !is_idle(.*/more = swivel__watches(\&loop->watchers) \&\& swivel__watchers_serve(loop);/;s/more |= swivel__watches.*/more |= !is_idle(loop, swivel__exact_now(loop));/;}
#include "stub.h"

#include <string.h>

static stub_work works[2];
static SWIVEL_ATOMIC(bool) is_over;
static SWIVEL_ATOMIC(bool) has_signal;
static bool is_heard;

static void clear(void)
{
    memset(works, 0, sizeof works);
    SWIVEL_STORE(&is_over, false, relaxed);
    stub_open();
}

static bool hear(void)
{
    bool hears = SWIVEL_LOAD(&has_signal, relaxed) && SWIVEL_EXCHANGE(&has_signal, false, seq_cst);
    is_heard |= hears;
    return hears;
}

static void clear_watching(void)
{
    clear();
    SWIVEL_STORE(&has_signal, false, relaxed);
    is_heard = false;
    stub_serve = hear;
    stub_loop->watchers.first = (void *)&has_signal; // It watches.
    stub_sleeps += 2;                                // Its host sleeps before the run, and after it.
}

static void wake(void)
{
#if SWIVEL_MODEL_BUG == 1
    // Leaves it at that if the loop is to check at once as it is.
    swivel__wake_for(&stub_loop->wake, SWIVEL_INSTANT_NOW, 0, swivel__park_notify,
                     &stub_loop->park);
#else
    swivel_loop_wake(stub_loop);
#endif
}

static void post(int work)
{
    EXPLORER_CHECK(swivel_post(stub_loop, stub_words(&works[work])) == SWIVEL_OK);
}

static bool has_come(void *unused)
{
    (void)unused;
    return SWIVEL_LOAD(&is_over, acquire);
}

/// The closure of a post waits for what another thread says.
static void wait_in_closure(void)
{
    EXPLORER_CHECK(swivel_loop_pump(stub_loop, has_come, NULL, UINT64_MAX - 1, 0) == 1);
}

static void end_of_a_wait(int thread)
{
    if (thread == 0) {
        stub_on_loop(wait_in_closure);
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
        swivel__loop_drive(stub_loop);
    } else if (thread == 1) {
        post(1);
    } else {
        SWIVEL_STORE(&stub_loop->stop, true, release);
        wake();
    }
}

static void signal_as_a_run_ends(int thread)
{
    if (thread == 0) {
        EXPLORER_CHECK(swivel_loop_run(stub_loop) == SWIVEL_OK);
    } else if (thread == 1) {
        // As the handler in signals.c.
        SWIVEL_STORE(&has_signal, true, release);
        swivel__wake_now(&stub_loop->wake, swivel__park_notify, &stub_loop->park);
    } else {
        SWIVEL_STORE(&stub_loop->stop, true, release);
        wake();
    }
}

static void check_told(void)
{
    EXPLORER_CHECK(is_heard || stub_has_rung());
    stub_loop->watchers.first = NULL;
    stub_close();
}

static void check(void)
{
    stub_on_loop(NULL);
    EXPLORER_CHECK(works[1].ran == 1);
    stub_close();
}

int main(void)
{
    static const explorer_model models[] = {
        {"stop: a wait ends next to a post", 3, clear, end_of_a_wait, stub_time_goes_on, check, 3},
        {"stop: a run ends next to a post", 3, clear, stop, stub_time_goes_on, check, 3},
        {"stop: a signal as a run ends", 3, clear_watching, signal_as_a_run_ends, stub_time_goes_on,
         check_told, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
