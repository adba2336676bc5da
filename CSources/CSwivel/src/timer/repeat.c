// SPDX-License-Identifier: Apache-2.0
// Repeating timers: the arithmetic of their grids, and their ticks on the loop.
#include "../../include/internal/timer/timer.h"

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
    uint64_t late = now_ns > due_ns ? now_ns - due_ns : 0;
    uint64_t missed = SWIVEL_UNLIKELY(late >= interval) ? late / interval : 0;
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

uint64_t swivel__repeat_fire_at(swivel_loop *loop, swivel_node *node)
{
    swivel_settings *settings = swivel__settings(loop, node);
    uint64_t due_ns = swivel__grid_due(&settings->grid);
    settings->jitter_ns = due_ns - settings->grid.first_ns;
    return due_ns;
}

swivel_tick swivel__repeat_begin(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    swivel_settings *settings = swivel__settings(loop, node);
    uint64_t due_ns = settings->grid.first_ns + settings->jitter_ns;
    uint64_t now_ns = swivel__loop_now(loop);
    if (SWIVEL_UNLIKELY(now_ns > due_ns && now_ns - due_ns >= settings->grid.interval_ns)) {
        // `loop_now` may be ahead: a tick whose instant it has passed could be early.
        now_ns = swivel__exact_now(loop);
    }
    swivel_tick tick = swivel__grid_take(&settings->grid, due_ns, now_ns);
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    tick.timer = (swivel_timer){loop, index, swivel__generation(state)};
    if (tick.missed != 0) {
        uint64_t missed = SWIVEL_LOAD(&loop->missed, relaxed);
        SWIVEL_STORE(&loop->missed, swivel__saturating_add(missed, tick.missed), relaxed);
    }
    return tick;
}

/// Ends a repeat that was cancelled while its closure was running. The node counts as running until
/// the closure has been released: a watch that comes before that is notified after the release.
static void end_stopped(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    const swivel_hooks hooks = loop->hooks;
    swivel_work work = node->work;
    SWIVEL_COUNT(&loop->counter.acknowledged[SWIVEL_COUNTED_CANCELS], 1);
    hooks.release(&work);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    do {
        next = swivel__with_phase(state, SWIVEL_OVER);
        next &= ~(uint64_t)(SWIVEL_AGAIN | SWIVEL_MOVED | SWIVEL_WATCHED);
    } while (!SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    swivel_timer timer = {loop, index, swivel__generation(state)};
    swivel__reclaim(loop, index, node);
    if (state & SWIVEL_WATCHED) {
        hooks.ended(timer);
    }
}

/// Files a repeat whose closure has returned for its next tick. `state` was its state before.
static void file_next(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t state)
{
    swivel_settings *settings = swivel__settings(loop, node);
    uint64_t fire_at = node->fire_at_ns, number = node->sequence;
    bool moved = (state & SWIVEL_MOVED) &&
                 swivel__take_wanted(loop, index, node, &fire_at, &number);
    if (fire_at == 0 && (moved || (state & SWIVEL_AGAIN))) {
        moved ? swivel__refile(loop, index, node, 0, number)
              : swivel__file_again(loop, index, node);
        return;
    }
    moved |= (state & SWIVEL_AGAIN) != 0; // Its grid has been moved already.
    number = moved ? number : loop->wheel.sequence++;
    if (settings->grid.missed == SWIVEL_AFTER_COMPLETION && !moved) {
        swivel__grid_end(&settings->grid, swivel__loop_now(loop));
    }
    fire_at = moved ? settings->grid.first_ns : swivel__repeat_fire_at(loop, node);
    // Ticks that catch up go behind other due timers.
    fire_at = swivel__aligned_deadline(swivel__behind_due(loop, fire_at), node->leeway_ns);
    swivel__refile(loop, index, node, fire_at, number);
    if (SWIVEL_UNLIKELY(state & SWIVEL_MOVED)) {
        swivel__show_filed(loop, index, node);
    }
}

void swivel__repeat_end(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    do {
        if (state & SWIVEL_STOP) {
            end_stopped(loop, index, node);
            return;
        }
        next = swivel__with_phase(state, SWIVEL_ARMED);
        next &= ~(uint64_t)(SWIVEL_AGAIN | SWIVEL_MOVED | SWIVEL_WATCHED);
    } while (!SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    file_next(loop, index, node, state);
    if (state & SWIVEL_WATCHED) {
        swivel_timer timer = {loop, index, swivel__generation(state)};
        loop->hooks.ended(timer);
    }
}
