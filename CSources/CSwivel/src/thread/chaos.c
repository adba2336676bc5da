// SPDX-License-Identifier: Apache-2.0
// The chaos build (-DSWIVEL_CHAOS): now and then an atomic operation is preceded by a pause, a
// yield or many yields, so that tests meet interleavings that a quiet machine never shows. It never
// sleeps: the sleep of a thread with timer slack has no end.
#if defined(SWIVEL_CHAOS) && !defined(SWIVEL_MODEL)

#include "../../include/internal/thread/atomics.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

#define PAUSE_NS 20000

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void swivel__point(void)
{
    static _Thread_local uint64_t random;
    random = random * UINT64_C(6364136223846793005) + (uintptr_t)&random;
    uint32_t dice = (uint32_t)(random >> 40) & 1023;
    if (dice == 0) {
        uint64_t ends = now_ns() + PAUSE_NS;
        while (now_ns() < ends) {
            sched_yield();
        }
    } else if (dice < 8) {
        sched_yield();
    } else if (dice < 32) {
        for (int i = 0; i < 64; i++) {
            SWIVEL_PAUSE();
        }
    }
}

#else
typedef int swivel__chaos_is_not_built;
#endif
