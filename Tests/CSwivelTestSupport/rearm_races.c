// SPDX-License-Identifier: Apache-2.0
// Fire against rearm: what a rearm has moved does not fire before its new deadline.
#include "cells.h"
#include "include/races.h"
#include "spin.h"

#define BATCH 8
#define DELAY_NS 100000

typedef struct promise {
    swivel_timer timer;
    uint64_t not_before_ns;
    bool moved;
} promise;

static void rearm_batch(swivel_rearm_races *races, promise *promises, uint64_t at_ns, aim *aim)
{
    uint32_t moved = 0;
    spin_until(at_ns);
    for (int i = 0; i < BATCH; i++) {
        uint64_t before = swivel_now_ns();
        promises[i].moved = swivel_rearm(promises[i].timer, DELAY_NS);
        promises[i].not_before_ns = before + DELAY_NS;
        moved += promises[i].moved;
    }
    races->moved += moved;
    races->over += BATCH - moved;
    aim_adjust(aim, moved * 2 > BATCH);
}

void swivel_rearm_races_run(swivel_rearm_races *races)
{
    uint32_t batches = races->races / BATCH;
    swivel_cell *cells = swivel_cells_make((size_t)batches * BATCH);
    uint64_t random = races->seed | 1;
    aim aim = {.offset_ns = 5000, .step_ns = 500, .spread_ns = 4000, .least_ns = -20000000};
    swivel_config config = {.name = "rearms", .hooks = swivel_cell_hooks()};
    swivel_loop *loop;
    if (swivel_loop_create(&config, &loop) != SWIVEL_OK) {
        abort();
    }
    for (uint32_t batch = 0; batch < batches; batch++) {
        promise promises[BATCH];
        swivel_cell *mine = &cells[batch * BATCH];
        // Nearly due, or still in the inbox, when the rearm comes.
        int64_t offset = aim_take(&aim, &random);
        uint64_t base = swivel_now_ns() + (batch % 2 == 0 ? 40000 : 4000);
        base += offset < 0 ? (uint64_t)-offset : 0;
        for (int i = 0; i < BATCH; i++) {
            promises[i].timer =
                swivel_schedule_at(loop, base + (uint64_t)i * 500, 0, swivel_cell_work(&mine[i]));
        }
        rearm_batch(races, promises, (uint64_t)((int64_t)base + offset), &aim);
        for (int i = 0; i < BATCH; i++) {
            spin_for(&mine[i].ran, 1);
            races->early +=
                promises[i].moved && swivel_cell_began_ns(&mine[i]) < promises[i].not_before_ns;
        }
    }
    swivel_report report;
    swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, &report);
    races->pending = report.cancelled_timers;
    swivel_loop_release(loop);
    for (uint32_t i = 0; i < batches * BATCH; i++) {
        races->lost += swivel_cell_ran(&cells[i]) != 1 || swivel_cell_released(&cells[i]) != 1;
    }
    swivel_cells_free(cells);
}
