// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/timer/grid.h"

uint64_t swivel__grid_leeway(const swivel_grid *grid, uint64_t leeway_ns)
{
    uint64_t half = grid->interval_ns / 2;
    return grid->missed != SWIVEL_AFTER_COMPLETION && leeway_ns > half ? half : leeway_ns;
}

/// G. Marsaglia, "Xorshift RNGs", 2003.
static uint32_t next_random(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

uint64_t swivel__grid_due(swivel_grid *grid)
{
    uint64_t jitter_ns = 0;
    if (grid->jitter_high > 0) {
        double fraction = next_random(&grid->seed) * 0x1p-32; // Below 1.
        double low = (double)grid->jitter_low, high = (double)grid->jitter_high;
        double jitter = (low + (high - low) * fraction) * (double)grid->interval_ns;
        jitter_ns = jitter < 9e18 ? (uint64_t)jitter : SWIVEL_NEVER_NS;
    }
    return swivel__saturating_add(grid->first_ns, jitter_ns);
}

swivel_tick swivel__grid_take(swivel_grid *grid, uint64_t due_ns, uint64_t now_ns)
{
    uint64_t interval = grid->interval_ns;
    bool misses = swivel__grid_misses(grid, due_ns, now_ns);
    uint64_t missed = SWIVEL_UNLIKELY(misses) ? (now_ns - due_ns) / interval : 0;
    swivel_tick tick = {{NULL, 0, 0}, grid->index, grid->first_ns, now_ns, 0};
    switch (grid->missed) {
    case SWIVEL_MISSED_SKIP:
        tick.index = swivel__saturating_add(tick.index, missed);
        // No later than `now_ns`, because `due_ns` is no earlier than the grid's instant.
        tick.scheduled_ns += missed * interval;
        tick.missed = missed;
        grid->first_ns = swivel__saturating_add(tick.scheduled_ns, interval);
        break;
    case SWIVEL_MISSED_DELAY:
        tick.missed = missed;
        grid->first_ns = swivel__saturating_add(missed == 0 ? grid->first_ns : now_ns, interval);
        break;
    case SWIVEL_MISSED_BURST:
        grid->first_ns = swivel__saturating_add(grid->first_ns, interval);
        break;
    case SWIVEL_AFTER_COMPLETION:
        break;
    }
    grid->index = swivel__saturating_add(tick.index, 1);
    return tick;
}

void swivel__grid_end(swivel_grid *grid, uint64_t now_ns)
{
    if (grid->missed == SWIVEL_AFTER_COMPLETION) {
        grid->first_ns = swivel__saturating_add(now_ns, grid->interval_ns);
    }
}
