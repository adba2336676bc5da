// SPDX-License-Identifier: Apache-2.0
// Timers that one thread arms, a second one cancels, a third one rearms, and the loop fires.
#include "cells.h"
#include "include/races.h"
#include "spin.h"

#include <pthread.h>
#include <string.h>

/// How far the arming thread may be ahead of the others.
#define AHEAD 64
/// On a busy machine one of the two is always behind, or the loop before both. So that each comes
/// first often enough, of this many timers one is left to the other thread first, each, and is far
/// away until then.
#define TURNS 16
#define FAR_NS UINT64_C(3600000000000)

typedef struct track {
    swivel_relay *relay;
    swivel_loop *loop;
    swivel_cell *cells;
    swivel_timer *timers;
    uint8_t *said;
    _Atomic uint32_t armed, cancelled, rearmed;
    _Atomic uint64_t moved;
} track;

static void *arm_all(void *argument)
{
    track *track = argument;
    uint64_t random = track->relay->seed | 1;
    for (uint32_t i = 0; i < track->relay->timers; i++) {
        if (i >= AHEAD) {
            spin_for(&track->cancelled, i - AHEAD);
            spin_for(&track->rearmed, i - AHEAD);
        }
        // From a microsecond to two milliseconds: the other threads may not run at once.
        uint64_t delay = (spin_random(&random) % 2000000) >> (spin_random(&random) % 12);
        if (i % (TURNS / 2) == 0) {
            delay = FAR_NS;
        }
        track->timers[i] =
            swivel_schedule(track->loop, delay, 0, swivel_cell_work(&track->cells[i]));
        atomic_store(&track->armed, i + 1);
    }
    return NULL;
}

static void *cancel_all(void *argument)
{
    track *track = argument;
    uint64_t random = track->relay->seed | 3;
    for (uint32_t i = 0; i < track->relay->timers; i++) {
        spin_for(&track->armed, i + 1);
        if (i % TURNS == 0) {
            spin_for(&track->rearmed, i + 1);
        } else if (spin_random(&random) % 2 == 0) {
            spin_until(swivel_now_ns() + spin_random(&random) % 20000);
        }
        track->said[i] = (uint8_t)swivel_cancel(track->timers[i]);
        atomic_store(&track->cancelled, i + 1);
    }
    return NULL;
}

static void *rearm_all(void *argument)
{
    track *track = argument;
    uint64_t random = track->relay->seed | 5;
    for (uint32_t i = 0; i < track->relay->timers; i++) {
        spin_for(&track->armed, i + 1);
        if (i % TURNS == TURNS / 2) {
            spin_for(&track->cancelled, i + 1);
        }
        atomic_fetch_add(&track->moved,
                         swivel_rearm(track->timers[i], spin_random(&random) % 200000));
        atomic_store(&track->rearmed, i + 1);
    }
    return NULL;
}

void swivel_relay_run(swivel_relay *relay)
{
    track track;
    memset(&track, 0, sizeof track);
    track.relay = relay;
    track.cells = swivel_cells_make(relay->timers);
    track.timers = calloc(relay->timers, sizeof *track.timers);
    track.said = calloc(relay->timers, 1);
    swivel_config config = {.name = "relay", .hooks = swivel_cell_hooks()};
    if (track.timers == NULL || track.said == NULL ||
        swivel_loop_create(&config, &track.loop) != SWIVEL_OK) {
        abort();
    }
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, arm_all, &track);
    pthread_create(&threads[1], NULL, cancel_all, &track);
    pthread_create(&threads[2], NULL, rearm_all, &track);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    for (uint32_t i = 0; i < relay->timers; i++) {
        if (track.said[i] != SWIVEL_CANCELLED) {
            spin_for(&track.cells[i].ran, 1);
        }
    }
    swivel_report report;
    swivel_loop_shutdown(track.loop, SWIVEL_CANCEL_PENDING, 0, &report);
    relay->pending = report.cancelled_timers;
    swivel_loop_release(track.loop);
    relay->moved = atomic_load(&track.moved);
    for (uint32_t i = 0; i < relay->timers; i++) {
        bool ran = swivel_cell_ran(&track.cells[i]) == 1;
        bool cancelled = track.said[i] == SWIVEL_CANCELLED;
        relay->ran += ran;
        relay->cancelled += cancelled;
        relay->wrong += ran == cancelled || swivel_cell_released(&track.cells[i]) != 1;
    }
    swivel_cells_free(track.cells);
    free(track.timers);
    free(track.said);
}
