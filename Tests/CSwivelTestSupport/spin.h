// SPDX-License-Identifier: Apache-2.0
// Waiting with open eyes, for races that a sleep would miss.
#ifndef SWIVEL_TEST_SPIN_H
#define SWIVEL_TEST_SPIN_H

#include "swivel.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/// A wait that takes longer than this ends the program: something was lost.
#define SWIVEL_SPIN_LIMIT_NS (UINT64_C(60) * 1000 * 1000 * 1000)

/// Until the instant, to the nanosecond if the thread is let run.
static inline void spin_until(uint64_t instant_ns)
{
    while (swivel_now_ns() < instant_ns) {
    }
}

/// Until `*word` is at least `value`.
static inline void spin_for(_Atomic uint32_t *word, uint32_t value)
{
    uint64_t limit = swivel_now_ns() + SWIVEL_SPIN_LIMIT_NS;
    for (uint32_t i = 1; atomic_load(word) < value; i++) {
        if (i % 256 == 0) {
            sched_yield();
        }
        if (i % 65536 == 0 && swivel_now_ns() > limit) {
            abort();
        }
    }
}

/// xorshift64*, as in repeat.c.
static inline uint64_t spin_random(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545F4914F6CDD1D);
}

/// Steps in one direction after which they grow, and how long they get: beyond any time for which a
/// thread is kept from running.
#define AIM_PATIENCE 12
#define AIM_STRIDE_MAX_NS INT64_C(2000000)

/// Seeks the offset at which two outcomes are equally frequent, and scatters around it. After many
/// steps in one direction they grow, so that it finds the place wherever it is, and follows where
/// the machine moves it: neither outcome can stay away for long.
typedef struct aim {
    int64_t offset_ns, step_ns, spread_ns, least_ns;
    int64_t stride_ns; ///< Length of the latest step.
    uint32_t streak;   ///< Steps in this direction.
    bool later;        ///< The direction.
} aim;

static inline int64_t aim_take(const aim *aim, uint64_t *random)
{
    int64_t scatter = (int64_t)(spin_random(random) % (uint64_t)(2 * aim->spread_ns + 1));
    int64_t offset = aim->offset_ns + scatter - aim->spread_ns;
    return offset < aim->least_ns ? aim->least_ns : offset;
}

static inline void aim_adjust(aim *aim, bool later)
{
    aim->streak = later == aim->later ? aim->streak + 1 : 0;
    aim->later = later;
    if (aim->streak <= AIM_PATIENCE) {
        aim->stride_ns = aim->step_ns;
    } else if (aim->stride_ns < AIM_STRIDE_MAX_NS) {
        aim->stride_ns += aim->stride_ns / 4;
    }
    aim->offset_ns += later ? aim->stride_ns : -aim->stride_ns;
    aim->offset_ns = aim->offset_ns < aim->least_ns ? aim->least_ns : aim->offset_ns;
}

#endif
