// SPDX-License-Identifier: Apache-2.0
// A pool's queue and its workers: no push is lost on workers that search, fall asleep, wait or end.
#if SWIVEL_MODEL_BUG == 1
#define READS_STATE_FIRST // A push reads the state before its entry is published.
#endif
#include "stub_pool.h"

// Mutant: pool.c: s/SWIVEL_STORE(&pool->state, state, seq_cst)/SWIVEL_STORE(\&pool->state, state, relaxed)/
// Mutant: pool.c: s/if (!publish(pool) || !has_work(pool))/if (!has_work(pool) || !publish(pool))/
// Mutant: pool.c: s/!swivel__inbox_is_empty(inbox) && //
// Mutant: pool.c: s/if (publish(pool) && pool->last != NULL)/if (false)/
// Mutant: worker.c: s/swivel__inbox_slot(band)->second == awaited &&/awaited != 0 \&\&/
// Mutant: worker.c: s/if (step == RUN && !counts)/if (step == RUN)/
// Mutant: worker.c: s/if (!is_unparked && get_up(pool, worker))/if (!is_unparked \&\& (get_up(pool, worker) || true))/

static void reset_narrow(void)
{
    open_with(1, 1);
    one_by_one = true;
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

static void wait_for(int work)
{
    swivel_work words;
    if (swivel__pool_help(pool, (uintptr_t)work + 1, &words)) {
        EXPLORER_CHECK((int)words.function - 1 == work);
        run(work);
        return;
    }
    swivel_worker *worker = workers[explorer_thread()];
    obey(swivel__pool_begin_wait(pool, worker, false));
    explorer_wait(has_run, &ran[work]);
    waits += 1;
    obey(swivel__pool_end_wait(pool, worker, false));
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

/// The first work waits for two others in turn: a worker that replaces it is too many in between.
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
        {"pool: two producers and a worker", 3, reset_narrow, narrow, stuck, check, 3},
        {"pool: two works that meet", 3, reset_wide, two_works, stuck, check, 3},
        {"pool: a worker that waits", 3, reset_waits, waits_twice, stuck, check, 3},
        {"pool: a worker that ends", 3, reset_late, two_works, stuck, check, 3},
        {"pool: a thread that is refused", 3, reset_refused, refused, stuck, check, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
