// SPDX-License-Identifier: Apache-2.0
// A kept timer armed, disarmed and freed at about the moment when it fires.
#include "cells.h"
#include "include/races.h"
#include "spin.h"

typedef struct kept {
    swivel_loop *loop;
    swivel_cell *cell;
    swivel_timer timer;
    uint32_t ticks; ///< As of the last look.
    uint64_t deadline_ns;
} kept;

/// A tick takes a while, so that calls find it under way.
static void linger(void *argument, const swivel_tick *tick)
{
    (void)argument;
    (void)tick;
    spin_until(swivel_now_ns() + 2000);
}

static void create(kept *kept)
{
    kept->cell = swivel_cell_make(linger, NULL);
    kept->timer = swivel_kept_create(kept->loop, swivel_cell_work(kept->cell));
    kept->ticks = 0;
}

static void arm(swivel_kept_races *races, kept *kept, uint64_t delay_ns)
{
    kept->deadline_ns = swivel_now_ns() + delay_ns;
    races->armed += swivel_kept_arm(kept->timer, kept->deadline_ns, 0);
}

/// Waits until the tick that has begun has ended, for the loop too.
static void pass_fence(kept *kept)
{
    swivel_cell fence = {0};
    swivel_post(kept->loop, swivel_cell_work(&fence));
    spin_for(&fence.ran, 1);
}

/// Leaves the timer alone: it ticks once.
static void await_tick(swivel_kept_races *races, kept *kept)
{
    spin_for(&kept->cell->ticks, kept->ticks + 1);
    races->ticked += 1;
    races->early += swivel_cell_began_ns(kept->cell) < kept->deadline_ns;
    races->lost += swivel_kept_is_armed(kept->timer);
    kept->ticks += 1;
    // Or a disarm of the next arm could still find this tick under way.
    pass_fence(kept);
}

/// Arms again, maybe while the tick of the first arm is under way: one or two ticks come of it.
static void arm_again(swivel_kept_races *races, kept *kept, uint64_t delay_ns)
{
    arm(races, kept, delay_ns);
    spin_until(kept->deadline_ns);
    while (swivel_kept_is_armed(kept->timer)) {
        sched_yield();
    }
    // The tick of the second arm has begun.
    pass_fence(kept);
    uint32_t after = swivel_cell_ticks(kept->cell);
    races->lost += after == kept->ticks || after > kept->ticks + 2;
    races->early += swivel_cell_began_ns(kept->cell) < kept->deadline_ns;
    races->ticked += after - kept->ticks;
    kept->ticks = after;
}

static void disarm(swivel_kept_races *races, kept *kept)
{
    swivel_cancel_result result = swivel_kept_disarm(kept->timer);
    uint32_t after = swivel_cell_ticks(kept->cell);
    races->disarmed += result == SWIVEL_CANCELLED;
    races->running += result == SWIVEL_RUNNING;
    if (result == SWIVEL_CANCELLED) {
        races->ghosts += after != kept->ticks;
    } else {
        spin_for(&kept->cell->ticks, kept->ticks + 1);
        kept->ticks += 1;
        races->ticked += 1;
    }
    pass_fence(kept);
    races->ghosts += swivel_cell_ticks(kept->cell) != kept->ticks;
}

/// Frees it, looks that it is released exactly once, and makes the next one.
static void renew(swivel_kept_races *races, kept *kept)
{
    swivel_kept_free(kept->timer);
    spin_for(&kept->cell->released, 1);
    pass_fence(kept);
    races->freed += 1;
    races->unequal += swivel_cell_released(kept->cell) != 1;
    races->ghosts += swivel_cell_ticks(kept->cell) > kept->ticks + 1;
    swivel_cell_free(kept->cell);
    create(kept);
}

void swivel_kept_races_run(swivel_kept_races *races)
{
    uint64_t random = races->seed | 1;
    swivel_config config = {.name = "kept", .hooks = swivel_cell_hooks()};
    kept kept = {0};
    if (swivel_loop_create(&config, &kept.loop) != SWIVEL_OK) {
        abort();
    }
    create(&kept);
    for (uint32_t round = 0; round < races->rounds; round++) {
        arm(races, &kept, spin_random(&random) % 40000);
        spin_until(swivel_now_ns() + spin_random(&random) % 50000);
        switch (spin_random(&random) % 8) {
        case 0:
            await_tick(races, &kept);
            break;
        case 1:
        case 2:
            arm_again(races, &kept, spin_random(&random) % 10000);
            break;
        case 3:
            renew(races, &kept);
            break;
        default:
            disarm(races, &kept);
            break;
        }
    }
    swivel_kept_free(kept.timer);
    swivel_report report;
    swivel_loop_shutdown(kept.loop, SWIVEL_CANCEL_PENDING, 0, &report);
    races->pending = report.cancelled_timers;
    races->unequal += swivel_cell_released(kept.cell) != 1;
    swivel_loop_release(kept.loop);
    swivel_cell_free(kept.cell);
}
