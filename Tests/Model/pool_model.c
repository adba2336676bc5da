// SPDX-License-Identifier: Apache-2.0
// A pool's queue and its workers: no push is lost on workers that look, fall asleep, wait or end.
// The parker is the stage's: it sleeps in the explorer, and its time is over when nobody can go on.
#include "explorer.h"
#include "internal/memory/pages.h"
#include "internal/queue/pool.h"
#include "stage_look.h"
#include "stage_pages.h"

#include <string.h>

// Mutant: pool.c: s/SWIVEL_STORE(&pool->mood, mood, seq_cst)/SWIVEL_STORE(\&pool->mood, mood, relaxed)/
// Mutant: pool.c: s/if (!publish(pool) || swivel__inbox_is_empty(&pool->inbox)/if (swivel__inbox_is_empty(\&pool->inbox) || !publish(pool)/
// Mutant: pool.c: s/ || swivel__inbox_is_empty(&pool->inbox)//
// Mutant: pool.c: s/if (publish(pool) && pool->last != NULL)/if (false)/
// Mutant: pool.c: s/swivel__inbox_is_next(&pool->inbox, awaited) &&/awaited != 0 \&\&/
// Mutant: worker.c: s/if (step == RUN && !counts)/if (step == RUN)/
// Mutant: worker.c: s/if (!is_called && get_up(pool, worker))/if (!is_called \&\& (get_up(pool, worker) || true))/

#define WORKS 4
#define RUNG 2

_Thread_local swivel_thread swivel__thread;

static swivel_pool *pool;
static int pushed[WORKS], ran[WORKS], arrived, threads_started, last_of_producer[2], waits;
static bool ending, times_out, refuses;
static void (*run)(int work);

// The stage of the parker.

void swivel__point(void)
{
    explorer_point();
}

typedef struct sleeping {
    swivel_parker *parker;
    bool has_end;
} sleeping;

static bool is_over(void *argument)
{
    sleeping *sleep = argument;
    return SWIVEL_SETTING(&sleep->parker->word) == RUNG || (sleep->has_end && ending);
}

bool swivel__parker_sleep(swivel_parker *parker, swivel_real until)
{
    sleeping sleep = {parker, until.ns != SWIVEL_NEVER_NS};
    bool is_late = times_out && sleep.has_end && explorer_thread() == 0 && explorer_choose(2) == 1;
    if (!is_late) {
        explorer_wait(is_over, &sleep);
    }
    return SWIVEL_EXCHANGE(&parker->word, 0, acquire) == RUNG;
}

bool swivel__parker_wake(swivel_parker *parker)
{
    SWIVEL_EXCHANGE(&parker->word, RUNG, acq_rel);
    return true;
}

// The pool's threads.

static void obey(int duties)
{
    EXPLORER_CHECK(duties >= 0);
    if (!(duties & SWIVEL_POOL_START)) {
        return;
    }
    if (refuses && threads_started == 1) {
        bool is_first;
        EXPLORER_CHECK(!swivel__pool_refused(pool, &is_first));
    } else {
        threads_started += 1;
    }
}

static void serve(void)
{
    swivel_worker worker;
    swivel_work work;
    swivel__pool_join(pool, &worker);
    for (;;) {
        int duties = swivel__pool_next(pool, &worker, 1, &work);
        obey(duties);
        if (!(duties & SWIVEL_POOL_RUN)) {
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
#if SWIVEL_MODEL_BUG == 1
    // Looks at the mood before the entry is published.
    uint32_t mood = SWIVEL_LOAD(&pool->mood, seq_cst);
    uint64_t waiting;
    swivel_entry entry = {words.function, words.context};
    EXPLORER_CHECK(swivel__inbox_push(&pool->inbox, entry, &waiting) == SWIVEL_OK);
    int duties = mood == SWIVEL_POOL_CALLS ? swivel__pool_call(pool) : 0;
#else
    int duties = swivel__pool_push(pool, words);
#endif
    pushed[work] = 1;
    obey(duties);
}

static void note(int work)
{
    ran[work] += 1;
    // Works 0 and 1 are of one producer, 2 and 3 of another.
    EXPLORER_CHECK(pool->width > 1 || work % 2 == last_of_producer[work / 2]++);
}

static void open_with(uint32_t width, uint32_t limit)
{
    if (pool == NULL) {
        pool = swivel__pool_make(width, limit);
    } else {
        swivel_inbox inbox = pool->inbox;
        memset(pool, 0, sizeof *pool);
        pool->inbox = inbox;
        SWIVEL_STORE(&pool->inbox.tail, SWIVEL_CLOSED, relaxed); // Numbers begin where they began.
        swivel__inbox_open(&pool->inbox);
        SWIVEL_STORE(&pool->mood, SWIVEL_POOL_CALLS, relaxed);
    }
    memset(&swivel__thread, 0, sizeof swivel__thread);
    pool->width = width;
    pool->limit = limit;
    memset(pushed, 0, sizeof pushed);
    memset(ran, 0, sizeof ran);
    memset(last_of_producer, 0, sizeof last_of_producer);
    arrived = threads_started = waits = 0;
    ending = times_out = refuses = false;
    run = note;
}

/// Nobody can go on: nothing may be left. Then the time of those asleep is over.
static bool stuck(void)
{
    if (ending) {
        return false;
    }
    for (int work = 0; work < WORKS; work++) {
        EXPLORER_CHECK(ran[work] == pushed[work]);
    }
    EXPLORER_CHECK(pool->coming == 0 && pool->looking == 0);
    ending = true;
    return true;
}

static void check(void)
{
    for (int work = 0; work < WORKS; work++) {
        EXPLORER_CHECK(ran[work] == pushed[work]);
    }
    EXPLORER_CHECK(pool->threads == 0 && pool->last == NULL && pool->sleeping == 0);
    EXPLORER_CHECK(pool->coming == 0 && pool->looking == 0 && pool->blocked == 0);
    EXPLORER_CHECK(pool->progress == (uint64_t)(ran[0] + ran[1] + ran[2] + ran[3] + waits));
    swivel__inbox_close(&pool->inbox);
    swivel__inbox_reset(&pool->inbox);
    // See inbox_model.c.
    for (uint64_t slot = 0; slot < SWIVEL_DIRECTORY_SLOTS; slot++) {
        swivel_segment *segment = atomic_exchange(&pool->inbox.directory[slot], NULL);
        if (segment != NULL) {
            swivel__pages_unmap(segment, sizeof *segment);
        }
    }
    EXPLORER_CHECK(pages_live() == 0);
}

static void reset_narrow(void)
{
    open_with(1, 1);
}

/// One worker, which falls asleep and is woken, and two producers.
static void narrow(int thread)
{
    if (thread == 0) {
        serve_as(0);
    } else {
        push(2 * (thread - 1));
        push(2 * (thread - 1) + 1);
    }
}

static bool have_met(void *unused)
{
    (void)unused;
    return arrived == 2;
}

static void meet(int work)
{
    note(work);
    arrived += 1;
    explorer_wait(have_met, NULL);
}

static void reset_wide(void)
{
    open_with(2, 2);
    run = meet;
}

/// Two works. In `meet` they wait for each other, in a way that the pool does not know: it has to run
/// both.
static void two_works(int thread)
{
    if (thread < 2) {
        serve_as(thread);
    } else {
        push(0);
        push(1);
    }
}

static bool has_run(void *ran)
{
    return *(int *)ran == 1;
}

static void wait_for(int work)
{
    swivel_work words;
    if (swivel__pool_help(pool, (uintptr_t)work + 1, &words)) {
        EXPLORER_CHECK((int)words.function - 1 == work);
        run(work);
        return;
    }
    obey(swivel__pool_begin_wait(pool, false));
    explorer_wait(has_run, &ran[work]);
    waits += 1;
    obey(swivel__pool_end_wait(pool, false));
}

static void wait_for_both(int work)
{
    note(work);
    if (work == 0) {
        wait_for(1);
        wait_for(3);
    }
}

static void reset_waits(void)
{
    open_with(1, 2);
    run = wait_for_both;
}

/// The first work waits for two others in turn: whoever takes its place is too many in between.
static void waits_twice(int thread)
{
    if (thread < 2) {
        serve_as(thread);
    } else {
        push(0);
        push(1);
        push(2);
        push(3);
    }
}

/// A worker's idle time is over at any instant; a push then asks for another one.
static void reset_late(void)
{
    open_with(1, 1);
    times_out = true;
}

static void reset_refused(void)
{
    open_with(2, 2);
    refuses = true;
}

/// The system refuses the second thread, on which the first one may have counted when it fell asleep.
static void refused(int thread)
{
    if (thread == 0) {
        serve_as(0);
    } else {
        push(2 * (thread - 1));
        if (thread == 1) {
            push(1);
        }
    }
}

int main(void)
{
    static const explorer_model models[] = {
        {"pool: two producers and a worker", 3, reset_narrow, narrow, stuck, check},
        {"pool: two works that meet", 3, reset_wide, two_works, stuck, check},
        {"pool: a worker that waits", 3, reset_waits, waits_twice, stuck, check},
        {"pool: a worker that ends", 3, reset_late, two_works, stuck, check},
        {"pool: a thread that is refused", 3, reset_refused, refused, stuck, check},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        explorer_run(&models[i], 3);
    }
    return 0;
}
