// SPDX-License-Identifier: Apache-2.0
#include "../include/internal/clock.h"
#include "../include/swivel_loop.h"

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

#if SWIVEL_HAS_COUNTER

/// A reading that took longer than this was interrupted, and does not count as an anchor's.
#define SWIVEL_READING_TICKS_MAX 4096
/// The rate is measured over windows of this length; the first one is shorter.
#define SWIVEL_WINDOW_NS UINT64_C(200000000)
#define SWIVEL_FIRST_WINDOW_NS UINT64_C(10000000)
/// Age at which an anchor is replaced.
#define SWIVEL_ANCHOR_NS UINT64_C(1000000)

/// Whether the kernel itself keeps time by the counter: then it runs at one rate on all processors.
static bool counter_is_trusted(void)
{
    static int trusted = -1; // Every thread that races here finds the same answer.
    int known = __atomic_load_n(&trusted, __ATOMIC_RELAXED);
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

/// Measures the rate from the window that ends here, and begins the next one.
static void measure_rate(swivel_clock *clock, uint64_t ticks, uint64_t ns)
{
    uint64_t window = clock->rate == 0 ? SWIVEL_FIRST_WINDOW_NS : SWIVEL_WINDOW_NS;
    uint64_t elapsed = ns - clock->window_ns;
    if (elapsed < window) {
        return;
    }
    uint64_t rate = 0;
    if (ticks > clock->window_ticks) {
        rate = (uint64_t)(((unsigned __int128)elapsed << 32) / (ticks - clock->window_ticks));
        rate += rate / 2000;
    }
    // A rate that jumps means that the machine was stopped or moved: measure afresh.
    bool steady = clock->rate == 0 || (rate < clock->rate + clock->rate / 1000 &&
                                       rate > clock->rate - clock->rate / 1000);
    clock->rate = rate != 0 && steady ? rate : 0;
    clock->limit_ticks =
        clock->rate == 0 ? 0 : (uint64_t)(((unsigned __int128)SWIVEL_ANCHOR_NS << 32) / rate);
    clock->window_ticks = ticks;
    clock->window_ns = ns;
}

uint64_t swivel__clock_anchor(swivel_clock *clock)
{
    if (clock->window_ticks == 0) {
        return swivel_now_ns();
    }
    uint64_t before = __rdtsc(), now = swivel_now_ns(), after = __rdtsc();
    if (SWIVEL_LIKELY(after - before < SWIVEL_READING_TICKS_MAX)) {
        clock->anchor_ticks = before;
        clock->anchor_ns = now;
        measure_rate(clock, before, now);
    }
    return now;
}

#else

uint64_t swivel__clock_anchor(swivel_clock *clock)
{
    (void)clock;
    return swivel_now_ns();
}

#endif

void swivel__clock_start(swivel_clock *clock, bool manual, uint64_t start_ns)
{
    clock->anchor_ticks = clock->anchor_ns = 0;
    clock->limit_ticks = clock->rate = 0;
    clock->window_ticks = clock->window_ns = 0;
    SWIVEL_STORE(&clock->manual, manual, relaxed);
    SWIVEL_STORE(&clock->manual_ns, start_ns, relaxed);
#if SWIVEL_HAS_COUNTER
    if (!manual && counter_is_trusted()) {
        clock->window_ticks = __rdtsc();
        clock->window_ns = swivel_now_ns();
    }
#endif
}
