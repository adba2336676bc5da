// SPDX-License-Identifier: Apache-2.0
// Repeating timers: which instant of its grid a tick belongs to, and when the next one is.
#include "../../include/internal/loop.h"

static swivel_settings *settings_of(swivel_loop *loop, const swivel_node *node)
{
    return (swivel_settings *)swivel__slab_node(&loop->wheel.slab, node->extra);
}

/// xorshift64*: S. Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016.
static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

/// Half an interval at most: with more, one tick would come when the next is due, and cost it.
uint64_t swivel__repeat_leeway(const swivel_grid *grid, uint64_t leeway_ns)
{
    uint64_t half = grid->interval_ns / 2;
    bool is_held = grid->missed != SWIVEL_AFTER_COMPLETION && leeway_ns > half;
    return is_held ? half : leeway_ns;
}

uint64_t swivel__repeat_fire_at(swivel_loop *loop, swivel_node *node)
{
    swivel_settings *settings = settings_of(loop, node);
    settings->jitter_ns = 0;
    if (settings->jitter_high > 0) {
        // The upper 53 bits make a fraction in [0, 1).
        double fraction = (double)(next_random(&settings->random) >> 11) * 0x1p-53;
        double span = (double)settings->jitter_high - (double)settings->jitter_low;
        double jitter =
            ((double)settings->jitter_low + span * fraction) * (double)settings->interval_ns;
        settings->jitter_ns = jitter < 9e18 ? (uint64_t)jitter : SWIVEL_NEVER_NS;
    }
    return swivel__saturating_add(settings->origin_ns, settings->jitter_ns);
}

swivel_tick swivel__repeat_begin(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    swivel_settings *settings = settings_of(loop, node);
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    uint64_t interval = settings->interval_ns, origin = settings->origin_ns;
    uint64_t now_ns = swivel__clock_ahead(&loop->clock);
    // Instants of the grid that have passed since this one, as far as its jitter is not the reason.
    uint64_t due = swivel__saturating_add(origin, settings->jitter_ns);
    uint64_t passed = now_ns > due ? (now_ns - due) / interval : 0;
    if (SWIVEL_UNLIKELY(passed > 0)) {
        // Ahead is not enough to say that an instant has passed: its tick would be early.
        now_ns = swivel__clock_exact(&loop->clock);
        passed = now_ns > due ? (now_ns - due) / interval : 0;
    }
    swivel_tick tick = {
        {loop, index, swivel__generation(state)}, settings->index, origin, now_ns, passed};
    switch ((swivel_missed)settings->policy) {
    case SWIVEL_MISSED_SKIP:
        tick.index = swivel__saturating_add(tick.index, passed);
        tick.scheduled_ns = origin + passed * interval;
        settings->origin_ns = swivel__saturating_add(tick.scheduled_ns, interval);
        break;
    case SWIVEL_MISSED_DELAY:
        settings->origin_ns = swivel__saturating_add(passed == 0 ? origin : now_ns, interval);
        break;
    case SWIVEL_MISSED_BURST:
        tick.missed = 0;
        settings->origin_ns = swivel__saturating_add(origin, interval);
        break;
    case SWIVEL_AFTER_COMPLETION:
        tick.missed = 0;
        break;
    }
    settings->index = swivel__saturating_add(tick.index, 1);
    if (tick.missed != 0) {
        uint64_t missed = SWIVEL_LOAD(&loop->missed, relaxed);
        SWIVEL_STORE(&loop->missed, swivel__saturating_add(missed, tick.missed), relaxed);
    }
    return tick;
}

void swivel__repeat_end(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    swivel_settings *settings = settings_of(loop, node);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), next;
    do {
        if (swivel__phase(state) == SWIVEL_OVER) {
            loop->handed += 1; // Cancelled in this moment: the reclaim counts it off.
            return;
        }
        next = swivel__with_phase(state, (state & SWIVEL_STOP) ? SWIVEL_OVER : SWIVEL_ARMED);
        next &= ~(uint64_t)(SWIVEL_AGAIN | SWIVEL_MOVED | SWIVEL_WATCHED);
    } while (!SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire));
    swivel_timer timer = {loop, index, swivel__generation(state)};
    if (state & SWIVEL_STOP) {
        swivel_work work = node->work;
        SWIVEL_COUNT(&loop->cancelled, 1);
        swivel__reclaim(loop, index, node);
        loop->hooks.release(&work);
    } else {
        uint64_t fire_at;
        bool moved = (state & SWIVEL_MOVED) && swivel__take_wanted(loop, index, node, &fire_at);
        moved |= (state & SWIVEL_AGAIN) != 0; // Its grid lies as it is wanted already.
        if (settings->policy == SWIVEL_AFTER_COMPLETION && !moved) {
            settings->origin_ns =
                swivel__saturating_add(swivel__clock_ahead(&loop->clock), settings->interval_ns);
        }
        fire_at = moved ? settings->origin_ns : swivel__repeat_fire_at(loop, node);
        if (fire_at < loop->turn_ns) {
            fire_at = loop->turn_ns; // Ticks that catch up let others that are due go first.
        }
        node->fire_at_ns = swivel__aligned_deadline(fire_at, node->leeway_ns);
        swivel__wheel_file(&loop->wheel, index, node);
        if (SWIVEL_UNLIKELY(state & SWIVEL_MOVED)) {
            swivel__show_filed(loop, index, node);
        }
    }
    if (state & SWIVEL_WATCHED) {
        loop->hooks.ended(timer);
    }
}
