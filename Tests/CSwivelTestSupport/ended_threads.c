// SPDX-License-Identifier: Apache-2.0
// Threads that have armed timers elsewhere and end.
#include "include/process.h"
#include "internal/loop.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static void ignore(void *unused)
{
    (void)unused;
}

static void *arm_and_cancel(void *loop)
{
    // Of the two nodes one is recalled, and the other is the loop's to free.
    swivel_timer timer = swivel_schedule(loop, SWIVEL_NEVER_NS - 1, 0, swivel_call(ignore, NULL));
    swivel_cancel(swivel_schedule(loop, SWIVEL_NEVER_NS - 1, 0, swivel_call(ignore, NULL)));
    swivel_cancel(timer);
    return NULL;
}

static void open(void *has_run)
{
    SWIVEL_STORE((SWIVEL_ATOMIC(bool) *)has_run, true, release);
}

/// Waits until the loop has run what it was sent.
static void await_turn(swivel_loop *loop)
{
    SWIVEL_ATOMIC(bool) has_run = false;
    swivel_post(loop, swivel_call(open, (void *)&has_run));
    while (!SWIVEL_LOAD(&has_run, acquire)) {
        sched_yield();
    }
}

uint32_t swivel_chunks_after_threads(uint32_t threads)
{
    swivel_config config = {.name = "test.ends"};
    swivel_loop *loop;
    if (swivel_loop_create(&config, &loop) != SWIVEL_OK) {
        abort();
    }
    for (uint32_t i = 0; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, arm_and_cancel, loop) != 0) {
            abort();
        }
        pthread_join(thread, NULL);
        if (i % 16 == 15) {
            await_turn(loop); // The loop frees what the threads have left to it.
        }
    }
    swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, NULL);
    uint32_t chunks = loop->wheel.slab.mapped;
    swivel_loop_release(loop);
    return chunks;
}
