// SPDX-License-Identifier: Apache-2.0
// A million timeouts that come to nothing.
#include "include/process.h"
#include "spin.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>

#define HOUR_NS (UINT64_C(3600) * 1000 * 1000 * 1000)

typedef struct store {
    swivel_hoard *hoard;
    swivel_loop *loop;
    swivel_timer *timers;
    _Atomic uint32_t done;
} store;

static void ignore(void *unused)
{
    (void)unused;
}

static void arm_all(void *argument)
{
    store *store = argument;
    for (uint32_t i = 0; i < store->hoard->count; i++) {
        store->timers[i] = swivel_schedule(store->loop, HOUR_NS + i, 0, swivel_call(ignore, NULL));
    }
    atomic_fetch_add(&store->done, 1);
}

static void cancel_all(void *argument)
{
    store *store = argument;
    for (uint32_t i = 0; i < store->hoard->count; i++) {
        store->hoard->cancelled += swivel_cancel(store->timers[i]) == SWIVEL_CANCELLED;
    }
    atomic_fetch_add(&store->done, 1);
}

static void shuffle(store *store)
{
    uint64_t random = 88172645463325252u;
    for (uint32_t i = store->hoard->count - 1; i > 0; i--) {
        uint32_t j = (uint32_t)(spin_random(&random) % (i + 1));
        swivel_timer timer = store->timers[i];
        store->timers[i] = store->timers[j];
        store->timers[j] = timer;
    }
}

typedef struct step {
    void (*run)(void *);
    void *argument;
} step;

static void *run_step(void *argument)
{
    step *step = argument;
    step->run(step->argument);
    return NULL;
}

/// Runs it on the loop or on a thread that ends, and waits until the loop is idle.
static void run_where(store *store, void (*run)(void *), bool elsewhere)
{
    uint32_t before = atomic_load(&store->done);
    if (elsewhere) {
        step step = {run, store};
        pthread_t thread;
        pthread_create(&thread, NULL, run_step, &step);
        pthread_join(thread, NULL);
    } else {
        swivel_post(store->loop, swivel_call(run, store));
    }
    spin_for(&store->done, before + 1);
    swivel_loop_wake(store->loop);
}

/// Private memory, once a thread that gives some back has stopped doing so.
static uint64_t idle_kb(void)
{
    uint64_t last = swivel_process_private_kb();
    for (int calm = 0, checks = 0; calm < 4 && checks < 200; checks++) {
        poll(NULL, 0, 50);
        uint64_t now = swivel_process_private_kb();
        calm = now == last ? calm + 1 : 0;
        last = now;
    }
    return last;
}

void swivel_hoard_run(swivel_hoard *hoard)
{
    size_t bytes = hoard->count * sizeof(swivel_timer);
    store store = {.hoard = hoard, .timers = malloc(bytes)};
    swivel_config config = {.name = "test.hoard"};
    if (store.timers == NULL || swivel_loop_create(&config, &store.loop) != SWIVEL_OK) {
        abort();
    }
    memset(store.timers, 1, bytes); // Its own pages do not count.
    uint64_t before = swivel_process_private_kb();
    run_where(&store, arm_all, hoard->elsewhere || hoard->crossed);
    hoard->grown_kb = idle_kb() - before;
    if (hoard->shuffled) {
        shuffle(&store);
    }
    run_where(&store, cancel_all, hoard->elsewhere);
    uint64_t after = idle_kb();
    hoard->left_kb = after > before ? after - before : 0;
    swivel_loop_release(store.loop);
    free(store.timers);
}
