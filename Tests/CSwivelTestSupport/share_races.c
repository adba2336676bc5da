// SPDX-License-Identifier: Apache-2.0
// A loop's own thread cancels or disarms timers while another thread does so for the first time: each
// round begins with a loop that is private.
#include "internal/timer/share.h"
#include "cells.h"
#include "include/races.h"
#include "spin.h"

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

/// By the system's own word: a core that does not find it makes loops that are never private.
static bool has_barrier(void)
{
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    return commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
}
#else
static bool has_barrier(void)
{
    return false;
}
#endif

/// Timers of a round, or times that a kept one is armed.
#define BURST 64

typedef struct field {
    swivel_loop *loop;
    uint32_t rounds;
    uint64_t seed;
    swivel_cell cell, kept_cell;
    swivel_timer timers[BURST], kept;
    _Atomic uint32_t begun, reached; ///< Rounds that the other thread has begun, and reached into.
    _Atomic uint32_t armed, done;    ///< Rounds that the loop has armed, and done.
    uint64_t won; ///< By the loop, in the round that is done.
} field;

static bool is_kept(uint32_t round)
{
    return round % 2 != 0;
}

static void cancel_all(field *field)
{
    for (int i = 0; i < BURST; i++) {
        field->won += swivel_cancel(field->timers[i]) == SWIVEL_CANCELLED;
    }
}

static void arm_and_disarm(field *field)
{
    for (int i = 0; i < BURST; i++) {
        swivel_kept_arm(field->kept, SWIVEL_NEVER_NS / 2, 0);
        field->won += swivel_kept_disarm(field->kept) == SWIVEL_CANCELLED;
    }
}

/// The loop's part: one closure, so that its thread is the loop's own all along.
static void play(void *argument, const swivel_tick *tick)
{
    field *field = argument;
    uint64_t random = field->seed + 1;
    (void)tick;
    for (uint32_t round = 0; round < field->rounds; round++) {
        spin_for(&field->begun, round + 1);
        field->won = 0;
        for (int i = 0; i < BURST && !is_kept(round); i++) {
            field->timers[i] = swivel_schedule_at(field->loop, SWIVEL_NEVER_NS / 2, 0,
                                                  swivel_cell_work(&field->cell));
        }
        atomic_store(&field->armed, round + 1);
        // Asking takes the other thread a few microseconds.
        for (uint64_t i = spin_random(&random) % 512; i > 0; i--) {
            SWIVEL_PAUSE();
        }
        if (round % 16 == 0) {
            spin_for(&field->reached, round + 1); // Where both share a processor, it comes only so.
        }
        is_kept(round) ? arm_and_disarm(field) : cancel_all(field);
        atomic_store(&field->done, round + 1);
    }
}

void swivel_share_races_run(swivel_share_races *races)
{
    uint64_t random = races->seed | 1;
    swivel_config config = {.name = "share", .hooks = swivel_cell_hooks()};
    field field = {.rounds = races->rounds, .seed = random};
    races->has_barrier = has_barrier();
    if (swivel_loop_create(&config, &field.loop) != SWIVEL_OK) {
        abort();
    }
    field.kept = swivel_kept_create(field.loop, swivel_cell_work(&field.kept_cell));
    swivel_cell player = {.body = play, .argument = &field};
    swivel_post(field.loop, swivel_cell_work(&player));
    for (uint32_t round = 0; round < races->rounds; round++) {
        swivel__share_begin(field.loop);
        races->was_private +=
            SWIVEL_LOAD(&field.loop->sharing, relaxed) == (uint32_t)SWIVEL_PRIVATE;
        atomic_store(&field.begun, round + 1);
        spin_for(&field.armed, round + 1);
        atomic_store(&field.reached, round + 1);
        swivel_timer timer =
            is_kept(round) ? field.kept : field.timers[spin_random(&random) % BURST];
        swivel_cancel_result result =
            is_kept(round) ? swivel_kept_disarm(timer) : swivel_cancel(timer);
        spin_for(&field.done, round + 1);
        races->taken += result == SWIVEL_CANCELLED;
        races->wrong += field.won + (result == SWIVEL_CANCELLED) != BURST;
    }
    spin_for(&player.ran, 1);
    races->unequal = swivel_cell_released(&field.cell) != races->rounds / 2 * BURST;
    swivel_kept_free(field.kept);
    swivel_report report;
    swivel_loop_shutdown(field.loop, SWIVEL_CANCEL_PENDING, 0, &report);
    races->pending = report.cancelled_timers;
    races->unequal += swivel_cell_released(&field.kept_cell) != 1;
    swivel_loop_release(field.loop);
}
