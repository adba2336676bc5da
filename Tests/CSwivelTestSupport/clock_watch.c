// SPDX-License-Identifier: Apache-2.0
#include "include/clock_watch.h"
#include "internal/thread/clock.h"

#include <time.h>

static void read_once(swivel_clock *clock, uint64_t *previous, swivel_clock_watched *watched)
{
    uint64_t before = swivel_now_ns();
    uint64_t reading = swivel__clock_ahead(clock);
    uint64_t after = swivel_now_ns();
    watched->counted += clock->limit_ticks != 0;
    swivel_clock_compare(watched, previous, before, reading, after);
}

swivel_clock_watched swivel_clock_watch(uint64_t count)
{
    swivel_clock_watched watched = {0};
    swivel_clock clock;
    uint64_t previous = 0;
    swivel__clock_start(&clock, false, 0);
    for (uint64_t i = 0; i < count; i++) {
        if (i % 500 == 0) {
            swivel__clock_exact(&clock);
        }
        read_once(&clock, &previous, &watched);
    }
    return watched;
}

swivel_clock_watched swivel_clock_watch_with_rests(uint64_t count)
{
    swivel_clock_watched watched = {0};
    swivel_clock clock;
    uint64_t previous = 0;
    swivel__clock_start(&clock, false, 0);
    for (uint64_t i = 0; i < count; i++) {
        struct timespec rest = {0, (long)(1 + i % 3) * 1000000};
        swivel__clock_exact(&clock);
        nanosleep(&rest, NULL);
        for (int reading = 0; reading < 200; reading++) {
            read_once(&clock, &previous, &watched);
        }
    }
    return watched;
}
