// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/clock.h"
#include "../../include/swivel_loop.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

uint64_t swivel_now_ns(void)
{
#if defined(__APPLE__)
    return clock_gettime_nsec_np(CLOCK_UPTIME_RAW);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
#endif
}

swivel_mono swivel__mono_now(void)
{
    return (swivel_mono){swivel_now_ns()};
}

#if defined(SWIVEL_COUNTER)

/// A longer reading of both clocks was interrupted: its two values do not belong together.
#define SWIVEL_READING_TICKS_MAX 4096
/// The rate is measured over this time at least: two readings are wrong by 0.3 % of it then.
#define SWIVEL_WINDOW_NS UINT64_C(1000000)
/// The clock runs this fraction faster than was measured: a quarter.
#define SWIVEL_BIAS_DIVISOR 4
/// Age at which an anchor is replaced. Times the bias it is how far the clock may be ahead.
#define SWIVEL_ANCHOR_NS UINT64_C(4000)
/// Age up to which an anchor is checked: products of older ones do not fit.
#define SWIVEL_CHECK_TICKS_MAX (UINT64_C(1) << 31)

/// Whether the kernel itself keeps time by the counter: then it runs at one rate on all processors.
static bool counter_is_trusted(bool again)
{
    static int trusted = -1; // Every thread that races here finds the same answer.
    int known = again ? -1 : __atomic_load_n(&trusted, __ATOMIC_RELAXED);
    if (known < 0) {
        char name[16] = "";
        FILE *file =
            fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
        if (file != NULL) {
            if (fgets(name, sizeof name, file) == NULL) {
                name[0] = '\0';
            }
            fclose(file);
        }
        known = strncmp(name, "tsc", 3) == 0;
        __atomic_store_n(&trusted, known, __ATOMIC_RELAXED);
    }
    return known == 1;
}

/// Whether the anchor leads to less than `now_ns`, which was read before the count `ticks`: then
/// the rate is not the counter's any more, because the machine was stopped or moved.
static bool is_behind(const swivel_clock *clock, uint64_t ticks, uint64_t now_ns)
{
    uint64_t age = ticks - clock->anchor_ticks;
    return age < SWIVEL_CHECK_TICKS_MAX && swivel__clock_at_age(clock, age) < now_ns;
}

/// Measures the rate from a first reading to one that is far enough from it.
static void measure_rate(swivel_clock *clock, uint64_t ticks, uint64_t ns)
{
    if (clock->begin_ticks == 0 || ticks <= clock->begin_ticks) {
        clock->begin_ticks = ticks;
        clock->begin_ns = ns;
        return;
    }
    uint64_t elapsed = ns - clock->begin_ns;
    if (elapsed < SWIVEL_WINDOW_NS) {
        return;
    }
    uint64_t rate = (uint64_t)(((unsigned __int128)elapsed << 32) / (ticks - clock->begin_ticks));
    clock->begin_ticks = 0;
    if (rate != 0 && rate >> 34 == 0) { // Else the counter is no clock.
        clock->limit_ticks = (SWIVEL_ANCHOR_NS << 32) / rate;
        clock->rate = rate + rate / SWIVEL_BIAS_DIVISOR;
    }
}

/// Reads the system's clock, and anchors the counter to it.
static uint64_t anchor(swivel_clock *clock)
{
    if (!clock->counts) {
        return swivel_now_ns();
    }
    uint64_t before = SWIVEL_COUNTER();
    uint64_t now_ns = swivel_now_ns();
    uint64_t after = SWIVEL_COUNTER(), age = before - clock->anchor_ticks;
    age = age < clock->limit_ticks ? age : clock->limit_ticks; // If it is too old.
    swivel__clock_hold(clock, swivel__clock_at_age(clock, age));
    if (SWIVEL_UNLIKELY(after - before >= SWIVEL_READING_TICKS_MAX)) {
        return now_ns;
    }
    if (SWIVEL_UNLIKELY(clock->rate == 0)) {
        measure_rate(clock, before, now_ns);
    } else if (SWIVEL_UNLIKELY(is_behind(clock, after, now_ns))) {
        clock->rate = clock->limit_ticks = clock->begin_ticks = 0;
        clock->counts = counter_is_trusted(true);
    }
    clock->anchor_ticks = before;
    clock->anchor_ns = now_ns;
    return now_ns;
}

#else

static uint64_t anchor(swivel_clock *clock)
{
    (void)clock;
    return swivel_now_ns();
}

#endif

uint64_t swivel__ticks(void)
{
#if defined(SWIVEL_COUNTER)
    if (counter_is_trusted(false)) {
        return SWIVEL_COUNTER();
    }
#endif
    return swivel_now_ns();
}

uint64_t swivel__clock_exact(swivel_clock *clock)
{
    return swivel__clock_is_manual(clock) ? swivel__clock_manual(clock) : anchor(clock);
}

uint64_t swivel__clock_ahead_slow(swivel_clock *clock)
{
    if (swivel__clock_is_manual(clock)) {
        return swivel__clock_manual(clock);
    }
    swivel__clock_hold(clock, anchor(clock));
    return clock->floor_ns;
}

void swivel__clock_start(swivel_clock *clock, bool manual, uint64_t start_ns)
{
    // Not the whole: a stale handle's reader may be at the atomic ones.
    memset(clock, 0, offsetof(swivel_clock, manual_ns));
#if defined(SWIVEL_COUNTER)
    clock->counts = !manual && counter_is_trusted(false);
#endif
    SWIVEL_STORE(&clock->manual, manual, relaxed);
    SWIVEL_STORE(&clock->manual_ns, start_ns, relaxed);
}
