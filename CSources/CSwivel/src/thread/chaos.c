// SPDX-License-Identifier: Apache-2.0
// The chaos build (-DSWIVEL_CHAOS): now and then an atomic operation is preceded by a pause, a
// yield or many yields, so that tests meet interleavings that a quiet machine never shows. It never
// sleeps: the sleep of a thread with timer slack has no end.
#if defined(SWIVEL_CHAOS) && !defined(SWIVEL_MODEL)

#include "../../include/internal/thread/atomics.h"

#include <sched.h>
#include <stdint.h>

void swivel__point(void)
{
    static _Thread_local uint64_t random;
    random = random * UINT64_C(6364136223846793005) + (uintptr_t)&random;
    uint32_t dice = (uint32_t)(random >> 40) & 1023;
    if (dice < 8) {
        for (int i = 0; i < (dice == 0 ? 64 : 1); i++) {
            sched_yield();
        }
    } else if (dice < 32) {
        for (int i = 0; i < 64; i++) {
            SWIVEL_PAUSE();
        }
    }
}

#else
typedef int swivel__chaos_is_not_built;
#endif
