// SPDX-License-Identifier: Apache-2.0
// A stub for models of a pool's queue, its workers and its monitor. The parker sleeps in the
// explorer. The monitor's period is over when no thread can continue, and at some instant before; the idle
// time of those asleep is over when the monitor sleeps too. A probe reports a thread that blocks.
#ifndef SWIVEL_MODEL_STUB_POOL_H
#define SWIVEL_MODEL_STUB_POOL_H

#include "explorer.h"
#include "internal/memory/slab.h"
#include "internal/queue/pool.h"
#include "stub_spin.h"
#include "stub_pages.h"

#include <string.h>

#define WORKS 4
#define WOKEN 2

_Thread_local swivel_thread swivel__thread;

static swivel_pool *pool;
static int pushed[WORKS], ran[WORKS], arrived, threads_started, last_of_producer[2], waits;
static bool ending, times_out, refuses, one_by_one;
static void (*run)(int work);
static bool blocks[EXPLORER_THREADS_MAX]; // In a way that the pool does not see.
static int monitors_asked, monitors, periods, early_periods, early_ends;
static bool has_monitor, in_period;
static swivel_worker *workers[EXPLORER_THREADS_MAX]; // The worker that a thread is.

// The stub of the parker.

void swivel__point(void)
{
    explorer_point();
}

typedef struct sleeping {
    swivel_parker *parker;
    bool has_end;
    int period; // The number of the period until whose end it sleeps; negative: it is no period.
} sleeping;

static bool is_over(void *argument)
{
    sleeping *sleep = argument;
    return SWIVEL_SETTING(&sleep->parker->word) == WOKEN || (sleep->has_end && ending) ||
           (sleep->period >= 0 && periods > sleep->period);
}

/// Whether the time is over at once.
static bool is_late(const sleeping *sleep)
{
    if (sleep->period >= 0) {
        return early_periods > 0 && explorer_choose(2) == 1 && early_periods-- > 0;
    }
    if (sleep->parker == &pool->monitor_parker) {
        return early_ends > 0 && explorer_choose(2) == 1 && early_ends-- > 0;
    }
    return times_out && sleep->has_end && explorer_thread() == 0 && explorer_choose(2) == 1;
}

bool swivel__parker_sleep(swivel_parker *parker, swivel_mono until)
{
    // Time stands still, and workers and the monitor may be idle for 1 ns.
    bool is_period = parker == &pool->monitor_parker && until.ns > 1;
    sleeping sleep = {parker, until.ns != SWIVEL_NEVER_NS, is_period ? periods : -1};
    if (!is_late(&sleep)) {
        in_period |= is_period;
        explorer_wait(is_over, &sleep);
        in_period &= !is_period;
    }
    return SWIVEL_EXCHANGE(&parker->word, 0, acquire) == WOKEN;
}

// The kernel's view of a thread.

swivel_probe swivel__probe_of_thread(void)
{
    return (swivel_probe){.thread = (uint32_t)explorer_thread()};
}

bool swivel__probe_is_blocked(swivel_probe *probe)
{
    return blocks[probe->thread];
}

bool swivel__parker_wake(swivel_parker *parker)
{
    SWIVEL_EXCHANGE(&parker->word, WOKEN, acq_rel);
    return true;
}

// The pool's threads.

static void obey(int actions)
{
    EXPLORER_CHECK(actions >= 0);
    monitors_asked += (actions & SWIVEL_POOL_MONITOR) != 0;
    if (!(actions & SWIVEL_POOL_START)) {
        return;
    }
    if (refuses && threads_started == 1) {
        int more = swivel__pool_refused(pool);
        EXPLORER_CHECK(!(more & (SWIVEL_POOL_NONE | SWIVEL_POOL_START)));
        obey(more);
    } else {
        threads_started += 1;
    }
}

static inline bool is_asked(void *unused)
{
    (void)unused;
    return monitors_asked > monitors || ending;
}

/// All the pool's monitors, one after another.
static inline void monitor(void)
{
    for (;;) {
        explorer_wait(is_asked, NULL);
        if (monitors_asked == monitors) {
            return;
        }
        monitors += 1;
        EXPLORER_CHECK(monitors_asked == monitors);
        int actions;
        do {
            actions = swivel__pool_monitor(pool, 1);
            obey(actions);
        } while (!(actions & SWIVEL_POOL_END));
    }
}

static void serve(void)
{
    swivel_worker worker;
    swivel_work work;
    swivel__pool_join(pool, &worker, &worker);
    workers[explorer_thread()] = &worker;
    for (;;) {
        int actions = swivel__pool_next(pool, &worker, 1, &work);
        obey(actions);
        if (!(actions & SWIVEL_POOL_RUN)) {
            return;
        }
        run((int)work.function - 1);
    }
}

static bool has_started(void *number)
{
    return threads_started > *(int *)number || ending;
}

/// The pool's thread of this number, once it was asked for.
static void serve_as(int number)
{
    explorer_wait(has_started, &number);
    if (threads_started > number) {
        serve();
    }
}

static void push(int work)
{
    swivel_work words = {(uintptr_t)work + 1, (uintptr_t)work + 1};
#ifdef READS_STATE_FIRST
    uint32_t state = SWIVEL_LOAD(&pool->state, seq_cst);
    uint64_t waiting;
    swivel_entry entry = {words.function, words.context};
    EXPLORER_CHECK(swivel__inbox_push(&pool->bands[0], entry, &waiting) == SWIVEL_OK);
    int actions = 0;
    if (state == SWIVEL_POOL_UNPARKS) {
        swivel__pool_enter(pool);
        actions = swivel__pool_leave(pool);
    }
#else
    int actions = swivel__pool_push(pool, words);
#endif
    pushed[work] = 1;
    obey(actions);
}

static void note(int work)
{
    ran[work] += 1;
    // Works 0 and 1 are of one producer, 2 and 3 of another.
    EXPLORER_CHECK(!one_by_one || work % 2 == last_of_producer[work / 2]++);
}

static void open_with(uint32_t width, uint32_t limit)
{
    if (pool == NULL) {
        pool = swivel__pool_make(width, WORKS, WORKS); // Room for all.
    } else {
        swivel_inbox band = pool->bands[0];
        memset(pool, 0, sizeof *pool);
        pool->bands[0] = band;
        SWIVEL_STORE(&pool->bands[0].tail, SWIVEL_CLOSED, relaxed); // Numbers begin where they began.
        swivel__inbox_open(&pool->bands[0]);
        SWIVEL_STORE(&pool->state, SWIVEL_POOL_UNPARKS, relaxed);
    }
    memset(&swivel__thread, 0, sizeof swivel__thread);
    pool->width = width;
    pool->limit = limit;
    pool->unseen_limit = WORKS;
    memset(blocks, 0, sizeof blocks);
    monitors_asked = monitors = periods = early_periods = early_ends = 0;
    has_monitor = in_period = false;
    memset(pushed, 0, sizeof pushed);
    memset(ran, 0, sizeof ran);
    memset(last_of_producer, 0, sizeof last_of_producer);
    arrived = threads_started = waits = 0;
    ending = times_out = refuses = one_by_one = false;
    run = note;
}

/// No thread can continue: nothing may be left. Then the time of those asleep is over.
static bool stuck(void)
{
    if (ending) {
        return false;
    }
    if (in_period) {
        periods += 1;
        EXPLORER_CHECK(periods < 8); // A check helps, or disarms the monitor.
        return true;
    }
    for (int work = 0; work < WORKS; work++) {
        EXPLORER_CHECK(ran[work] == pushed[work]);
    }
    EXPLORER_CHECK(pool->starting == 0 && pool->spinning == 0);
    ending = true;
    return true;
}

static void check(void)
{
    for (int work = 0; work < WORKS; work++) {
        EXPLORER_CHECK(ran[work] == pushed[work]);
    }
    EXPLORER_CHECK(pool->threads == 0 && pool->last == NULL && pool->sleeping == 0);
    EXPLORER_CHECK(pool->starting == 0 && pool->spinning == 0 && pool->blocked == 0);
    EXPLORER_CHECK(pool->unseen == 0 && pool->workers == NULL);
    EXPLORER_CHECK(!has_monitor || pool->monitor == SWIVEL_MONITOR_NONE);
    EXPLORER_CHECK(pool->progress == (uint64_t)(ran[0] + ran[1] + ran[2] + ran[3] + waits));
    swivel__inbox_close(&pool->bands[0]);
    swivel__inbox_reset(&pool->bands[0]);
    // See inbox_model.c.
    for (uint64_t slot = 0; slot < SWIVEL_DIRECTORY_SLOTS; slot++) {
        swivel_segment *segment = atomic_exchange(&pool->bands[0].directory[slot], NULL);
        if (segment != NULL) {
            swivel__pages_unmap(segment, sizeof *segment);
        }
    }
    EXPLORER_CHECK(pages_live() == 0);
}

static inline bool has_run(void *ran)
{
    return *(int *)ran == 1;
}

#endif
