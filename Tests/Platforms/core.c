// SPDX-License-Identifier: Apache-2.0
// The C core on a system for which Swift is not at hand: order, no early fire, cancels, and an
// account at the end, with timers and posts of the loop's own thread and of others.
#include "swivel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#define TIMERS 20000
#define THREADS 4

static swivel_loop *loop;
static atomic_int fired, early, disorder, posts, cancelled, lost;
static uint64_t latest_ns;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "core: %s\n", what);
        exit(1);
    }
}

static void fire(void *deadline)
{
    uint64_t deadline_ns = (uint64_t)(uintptr_t)deadline;
    early += swivel_loop_now(loop) < deadline_ns;
    disorder += deadline_ns < latest_ns;
    latest_ns = deadline_ns;
    fired += 1;
}

static void never(void *argument)
{
    (void)argument;
    lost += 1;
}

static void post(void *argument)
{
    (void)argument;
    posts += 1;
}

/// Timers at scattered instants of the next 100 ms; every second one is cancelled.
static void *produce(void *number)
{
    uint64_t seed = (uint64_t)(uintptr_t)number + 1, base_ns = swivel_loop_now(loop) + 100000000;
    for (int i = 0; i < TIMERS; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t deadline_ns = base_ns + (seed >> 33) % 100000000;
        void *argument = (void *)(uintptr_t)deadline_ns;
        if (i % 2 == 0) {
            swivel_schedule_at(loop, deadline_ns, 0, swivel_call(fire, argument));
            continue;
        }
        // An hour: it cannot have fired before it is cancelled.
        swivel_timer timer =
            swivel_schedule(loop, UINT64_C(3600000000000), 0, swivel_call(never, NULL));
        cancelled += swivel_cancel(timer) == SWIVEL_CANCELLED;
        expect(swivel_post(loop, swivel_call(post, NULL)) == SWIVEL_OK, "a post was refused");
    }
    return NULL;
}

static void *produce_there(void *done)
{
    produce((void *)(uintptr_t)THREADS);
    *(atomic_bool *)done = true;
    return NULL;
}

static void start_there(void *done)
{
    produce_there(done);
}

int main(void)
{
    expect(swivel_loop_create(NULL, &loop) == SWIVEL_OK, "no loop");
    pthread_t threads[THREADS];
    atomic_bool done = false;
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, produce, (void *)(uintptr_t)i);
    }
    swivel_post(loop, swivel_call(start_there, &done));
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    swivel_report report;
    // The drain runs what is due within a minute.
    swivel_loop_shutdown(loop, SWIVEL_DRAIN, UINT64_C(60000000000), &report);
    swivel_loop_release(loop);
    int each = TIMERS / 2 * (THREADS + 1);
    expect(done, "a post did not run");
    expect(fired == each, "a timer did not fire");
    expect(early == 0, "a timer was early");
    expect(lost == 0 && cancelled == each, "a cancel did not win");
    expect(posts == each, "a post was lost");
    expect(report.cancelled_timers == 0 && report.cancelled_posts == 0, "the report has losses");
    printf("core: libuv %s, %d timers fired, %d were cancelled, %d posts ran, none early, %d of %d "
           "came after a later one, because they were armed late\n",
           uv_version_string(), fired, cancelled, posts, disorder, fired);
    return 0;
}
