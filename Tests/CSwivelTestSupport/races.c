// SPDX-License-Identifier: Apache-2.0
// Fire against cancel. The instant of the cancel is steered so that both win about as often.
#include "include/races.h"
#include "cells.h"
#include "spin.h"

#include <string.h>

#define BATCH 8

typedef struct field {
    swivel_loop *loop;
    swivel_cell busy, poke;
    swivel_cell *cells; ///< Of the batch.
    swivel_timer timers[BATCH];
    uint64_t deadlines[BATCH];
    uint64_t base_ns;  ///< Where the batch's deadlines begin.
    int64_t offset_ns; ///< When to cancel, counted from there.
    _Atomic uint32_t poked, stop;
    bool arm_on_loop;
    uint64_t random;
    aim aim;
} field;

/// Arms the batch for the instant, or so much later that its cancel can come early enough.
static void arm(field *field, uint64_t base_ns)
{
    base_ns += field->offset_ns < 0 ? (uint64_t)-field->offset_ns : 0;
    field->base_ns = base_ns;
    for (int i = 0; i < BATCH; i++) {
        // Some share an instant, some are a microsecond apart.
        field->deadlines[i] = base_ns + (uint64_t)(i / 2) * 1000;
        field->timers[i] = swivel_schedule_at(field->loop, field->deadlines[i], 0,
                                              swivel_cell_work(&field->cells[i]));
    }
}

/// Keeps the loop busy: a few microseconds of work, again and again.
static void keep_busy(void *argument, const swivel_tick *tick)
{
    field *field = argument;
    (void)tick;
    spin_until(swivel_now_ns() + 1000 + swivel_now_ns() % 2000);
    if (!atomic_load(&field->stop)) {
        swivel_post(field->loop, swivel_cell_work(&field->busy));
    }
}

/// Wakes the loop; what it does next is to park. Every other time it arms the batch itself.
static void poke(void *argument, const swivel_tick *tick)
{
    field *field = argument;
    (void)tick;
    if (field->arm_on_loop) {
        arm(field, swivel_now_ns() + 2000);
    }
    atomic_fetch_add(&field->poked, 1);
}

static void start_batch(field *field, swivel_race_mode mode, uint32_t number)
{
    field->arm_on_loop = false;
    field->offset_ns = aim_take(&field->aim, &field->random);
    switch (mode) {
    case SWIVEL_RACE_PARKED:
        // Long enough for the loop to take the batch over and to fall asleep.
        arm(field, swivel_now_ns() + 60000);
        break;
    case SWIVEL_RACE_BUSY:
        arm(field, swivel_now_ns() + 3000 + spin_random(&field->random) % 8000);
        break;
    case SWIVEL_RACE_PARKING:
        field->arm_on_loop = number % 2 == 0;
        swivel_post(field->loop, swivel_cell_work(&field->poke));
        spin_for(&field->poked, number + 1);
        if (!field->arm_on_loop) {
            arm(field, swivel_now_ns() + 1000 + spin_random(&field->random) % 6000);
        }
        break;
    }
}

/// Cancels the batch. `said` is what each cancel said.
static void cancel_batch(field *field, swivel_races *races, uint8_t *said)
{
    uint32_t lost = 0;
    spin_until((uint64_t)((int64_t)field->base_ns + field->offset_ns));
    // Forwards and backwards, so that the cancels meet the fires.
    bool forwards = spin_random(&field->random) & 1;
    for (int i = 0; i < BATCH; i++) {
        int which = forwards ? i : BATCH - 1 - i;
        swivel_cancel_result result = swivel_cancel(field->timers[which]);
        said[which] = (uint8_t)result;
        races->cancelled += result == SWIVEL_CANCELLED;
        races->running += result == SWIVEL_RUNNING;
        races->finished += result == SWIVEL_FINISHED;
        lost += result != SWIVEL_CANCELLED;
    }
    aim_adjust(&field->aim, lost * 2 < BATCH);
    for (int i = 0; i < BATCH; i++) {
        if (said[i] != SWIVEL_CANCELLED) {
            spin_for(&field->cells[i].ran, 1);
            races->early += swivel_cell_began_ns(&field->cells[i]) < field->deadlines[i];
        }
    }
}

void swivel_races_run(swivel_races *races)
{
    uint32_t batches = races->races / BATCH;
    swivel_cell *cells = swivel_cells_make((size_t)batches * BATCH);
    uint8_t *said = calloc(batches, BATCH);
    field field;
    memset(&field, 0, sizeof field);
    field.random = races->seed | 1;
    field.busy.body = keep_busy;
    field.poke.body = poke;
    field.busy.argument = field.poke.argument = &field;
    field.aim = (aim){.offset_ns = 5000, .step_ns = 500, .spread_ns = 4000, .least_ns = -20000000};
    swivel_config config = {.name = "races", .hooks = swivel_cell_hooks()};
    if (said == NULL || swivel_loop_create(&config, &field.loop) != SWIVEL_OK) {
        abort();
    }
    if (races->mode == SWIVEL_RACE_BUSY) {
        swivel_post(field.loop, swivel_cell_work(&field.busy));
    }
    for (uint32_t batch = 0; batch < batches; batch++) {
        field.cells = &cells[batch * BATCH];
        start_batch(&field, races->mode, batch);
        cancel_batch(&field, races, &said[batch * BATCH]);
    }
    atomic_store(&field.stop, 1);
    // Whatever could still go wrong has come through when a later post has run.
    swivel_cell last = {0};
    swivel_post(field.loop, swivel_cell_work(&last));
    spin_for(&last.ran, 1);
    swivel_report report;
    swivel_loop_shutdown(field.loop, SWIVEL_CANCEL_PENDING, 0, &report);
    races->pending = report.cancelled_timers;
    swivel_loop_release(field.loop);
    for (uint32_t i = 0; i < batches * BATCH; i++) {
        bool ran = swivel_cell_ran(&cells[i]) == 1, won = said[i] == SWIVEL_CANCELLED;
        races->both += ran && won;
        races->neither += !ran && !won;
        races->unequal += swivel_cell_released(&cells[i]) != 1 || swivel_cell_ran(&cells[i]) > 1;
    }
    free(said);
    swivel_cells_free(cells);
}
