// SPDX-License-Identifier: Apache-2.0
#ifndef RAW_UV_BED_H
#define RAW_UV_BED_H

#include <time.h>
#include <uv.h>

#include "raw_uv.h"

/// A loop and the timers that stand by on it. Used by one thread only.
struct raw_uv_bed {
    uv_loop_t loop;
    uv_timer_t *timers;
    uint32_t count;
    uint64_t fired;
};

/// How many operations go into one turn: as many as on the other sides.
enum { raw_uv_operations_a_turn = 1000 };

static inline uint64_t raw_uv_clock_ns(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void raw_uv_span_begin(struct raw_uv_span *span)
{
    span->done = 0;
    span->fired = 0;
    span->cpu_ns = raw_uv_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    span->wall_ns = raw_uv_clock_ns(CLOCK_MONOTONIC);
}

static inline void raw_uv_span_end(struct raw_uv_span *span)
{
    span->wall_ns = raw_uv_clock_ns(CLOCK_MONOTONIC) - span->wall_ns;
    span->cpu_ns = raw_uv_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - span->cpu_ns;
}

/// Adds one to the uint64_t that the timer's data points at.
void raw_uv_count_fire(uv_timer_t *timer);

#endif
