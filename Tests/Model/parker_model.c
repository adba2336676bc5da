// SPDX-License-Identifier: Apache-2.0
// Threads that sleep on a word: no wake is lost, and none comes from nowhere. The parker and the
// latch are the production sources; the system's sleep compares and falls asleep in one step, as a
// futex does.
//
// A wake that makes a call though no thread sleeps:
// Mutant: parker.c: s/bool slept = before \& SWIVEL_PARKER_ASLEEP;/bool slept = before == SWIVEL_PARKER_AWAKE;/
// A sleep that takes no notice of a wake that came before:
// Mutant: parker.c: s/if (SWIVEL_CAS(&parker->word, &awake, asleep, acquire, acquire)) {/(void)awake; SWIVEL_STORE(\&parker->word, asleep, relaxed); {/
// A sleeper of whom the latch knows nothing:
// Mutant: latch.c: s/bool open = !enter(latch, SWIVEL_LATCH_SLEPT | swivel__sleep_cpu());/bool open = false;/
// A latch that forgets loops where threads sleep as well:
// Mutant: latch.c: s/if (before \& SWIVEL_LATCH_PUMPED)/if (before == SWIVEL_LATCH_PUMPED)/
// A latch that opens without what led to it:
// Mutant: latch.c: s/SWIVEL_FETCH_OR(&latch->word, SWIVEL_LATCH_OPEN, acq_rel)/SWIVEL_FETCH_OR(\&latch->word, SWIVEL_LATCH_OPEN, relaxed)/
// A wait that sees the latch open, and not what led to it, before its sleep and after:
// Mutant: latch.c: s/SWIVEL_FETCH_OR(&latch->word, flag, acquire)/SWIVEL_FETCH_OR(\&latch->word, flag, relaxed)/
// Mutant: latch.c: s/uint32_t word = SWIVEL_LOAD(&latch->word, acquire);/uint32_t word = SWIVEL_LOAD(\&latch->word, relaxed);/
// A read of the latch that does not acquire what led to it:
// Mutant: latch.c: s/return SWIVEL_LOAD(&latch->word, acquire) & SWIVEL_LATCH_OPEN;/return SWIVEL_LOAD(\&latch->word, relaxed) \& SWIVEL_LATCH_OPEN;/
// A wake without what came before it, for a sleeper and for one that takes it:
// Mutant: parker.c: s/SWIVEL_PARKER_WOKEN, acq_rel)/SWIVEL_PARKER_WOKEN, relaxed)/
// Mutant: parker.c: /^bool swivel__parker_sleep/,/^}/s/SWIVEL_PARKER_AWAKE, acquire)/SWIVEL_PARKER_AWAKE, relaxed)/
// Mutant: parker.c: /^bool swivel__parker_take/,/^}/s/SWIVEL_PARKER_AWAKE, acquire)/SWIVEL_PARKER_AWAKE, relaxed)/
#include "explorer.h"
#include "internal/thread/parker.h"
#include "internal/thread/thread.h"
#include "internal/park/source.h"
#include "internal/park/latch.h"

#include <string.h>

_Thread_local swivel_thread swivel__thread;

static swivel_parker parker;
static swivel_latch latch;
static void *asleep[EXPLORER_THREADS_MAX]; ///< The word on which each thread sleeps.
/// Steps of each thread before its wake. Their order is the wake's affair alone.
static SWIVEL_ATOMIC(int) done[EXPLORER_THREADS_MAX];
static bool woke[EXPLORER_THREADS_MAX];    ///< The thread has made its wake.
static bool woken;                         ///< The pumping loop was.
static SWIVEL_ATOMIC(uint32_t) urgency;       ///< A loop's wake and its next drain meet in one word.
static int notifications;

void swivel__point(void)
{
    explorer_point();
}

static bool is_awake(void *sleeper)
{
    return *(void **)sleeper == NULL;
}

bool swivel__sleep_while(SWIVEL_ATOMIC(uint32_t) *word, uint32_t value, swivel_mono until)
{
    void **own = &asleep[explorer_thread()];
    // The newest value, as the system reads it.
    if (SWIVEL_FETCH_ADD(word, 0, relaxed) != value) {
        return true;
    }
    if (until.ns != SWIVEL_NEVER_NS && explorer_choose(2) == 0) {
        return false;
    }
    *own = (void *)word;
    explorer_wait(is_awake, own);
    return true;
}

void swivel__sleep_end(SWIVEL_ATOMIC(uint32_t) *word, bool all)
{
    explorer_point();
    for (int thread = 0; thread < EXPLORER_THREADS_MAX; thread++) {
        if (asleep[thread] == (void *)word) {
            asleep[thread] = NULL;
            if (!all) {
                return;
            }
        }
    }
}

uint32_t swivel__sleep_cpu(void)
{
    return (uint32_t)(explorer_thread() + 1) << SWIVEL_SLEEP_CPU_SHIFT;
}

int stub_sched_yield(void)
{
    explorer_point();
    return 0;
}

swivel_mono swivel__mono_now(void)
{
    return SWIVEL_MONO_PAST;
}

void swivel_loop_wake(swivel_loop *loop)
{
    (void)loop;
    SWIVEL_EXCHANGE(&urgency, 1, seq_cst);
    woken = true;
}

void swivel__source_notify(void)
{
    explorer_point();
    notifications += 1;
}

int swivel__source_pump(bool (*done)(void *), void *argument, swivel_mono deadline)
{
    (void)deadline;
    return done(argument); // Not modelled here: see source_model.c.
}

static void reset(void)
{
    memset(&parker, 0, sizeof parker);
    memset(&latch, 0, sizeof latch);
    memset((void *)&urgency, 0, sizeof urgency);
    memset(asleep, 0, sizeof asleep);
    memset((void *)done, 0, sizeof done);
    memset(woke, 0, sizeof woke);
    woken = false;
    notifications = 0;
}

static void check(void)
{
    EXPLORER_CHECK(asleep[0] == NULL && asleep[1] == NULL && asleep[2] == NULL);
}

static bool is_done(int thread)
{
    return SWIVEL_LOAD(&done[thread], relaxed) == 1;
}

/// Thread 0 goes on only when it was woken; each wake is for one thing that was done.
static void park(int thread)
{
    if (thread == 0) {
        EXPLORER_CHECK(swivel__parker_sleep(&parker, SWIVEL_MONO_NEVER));
        EXPLORER_CHECK(is_done(1));
    } else {
        SWIVEL_STORE(&done[thread], 1, relaxed);
        swivel__parker_wake(&parker);
    }
}

static void check_spent(void)
{
    check();
    // One wake ended the sleep, and nothing is left of it.
    EXPLORER_CHECK(!swivel__parker_take(&parker));
}

/// A wake at the end of the time ends this wait, or the next.
static void park_for_a_time(int thread)
{
    if (thread == 0) {
        if (!swivel__parker_sleep(&parker, SWIVEL_MONO_PAST)) {
            EXPLORER_CHECK(swivel__parker_sleep(&parker, SWIVEL_MONO_NEVER));
        }
        EXPLORER_CHECK(is_done(1));
    } else {
        SWIVEL_STORE(&done[thread], 1, relaxed);
        swivel__parker_wake(&parker);
    }
}

/// Takes the wakes of two threads as a loop does that does not sleep: what came before a wake that
/// has been made is seen, for both of the word's reasons.
static void take(int thread)
{
    if (thread == 0) {
        bool first = woke[1], second = woke[2];
        bool taken = swivel__parker_take(&parker);
        EXPLORER_CHECK(!taken || !first || is_done(1));
        EXPLORER_CHECK(!taken || !second || is_done(2));
    } else {
        SWIVEL_STORE(&done[thread], 1, relaxed);
        swivel__parker_wake(&parker);
        woke[thread] = true;
    }
}

/// Two threads sleep until the third opens the latch.
static void sleep_both(int thread)
{
    if (thread == 2) {
        SWIVEL_STORE(&done[2], 1, relaxed);
        swivel__latch_wake(&latch, swivel__latch_open(&latch));
    } else {
        bool open = swivel__latch_sleep(&latch, thread == 0 ? SWIVEL_MONO_PAST : SWIVEL_MONO_NEVER);
        EXPLORER_CHECK(open || thread == 0);
        EXPLORER_CHECK(!open || is_done(2));
    }
}

static bool is_woken(void *unused)
{
    (void)unused;
    return woken;
}

/// One pumps, one sleeps, one opens.
static void pump_and_sleep(int thread)
{
    if (thread == 0) {
        swivel_latch_pump pump = {.loop = (swivel_loop *)&parker};
        if (swivel__latch_enter(&latch, &pump)) {
            explorer_wait(is_woken, NULL);
            SWIVEL_EXCHANGE(&urgency, 0, seq_cst);
            EXPLORER_CHECK(swivel__latch_is_open(&latch));
            swivel__latch_leave(&latch, &pump);
        }
        EXPLORER_CHECK(is_done(2));
    } else {
        sleep_both(thread);
    }
}

static void check_left(void)
{
    check();
    EXPLORER_CHECK(latch.pumps == NULL);
}

int main(void)
{
    static const explorer_model models[] = {
        {"parker: a sleep and a wake", 2, reset, park, NULL, check_spent, 3},
        {"parker: a wake at the end of the time", 2, reset, park_for_a_time, NULL, check_spent, 3},
        {"parker: two wakes that are taken", 3, reset, take, NULL, check, 3},
        {"parker: a latch and two sleepers", 3, reset, sleep_both, NULL, check, 3},
        {"parker: a latch, a loop and a sleeper", 3, reset, pump_and_sleep, NULL, check_left, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
