// SPDX-License-Identifier: Apache-2.0
// The chaos build (-DSWIVEL_CHAOS): now and then an atomic operation is preceded by a pause, a
// yield or a short sleep, so that tests meet interleavings that a quiet machine never shows.
#if defined(SWIVEL_CHAOS) && !defined(SWIVEL_MODEL)

#include "../../include/internal/thread/atomics.h"

#include <sched.h>
#include <stdint.h>
#include <time.h>

void swivel__point(void)
{
    static _Thread_local uint64_t random;
    random = random * UINT64_C(6364136223846793005) + (uintptr_t)&random;
    uint32_t dice = (uint32_t)(random >> 40) & 1023;
    if (dice == 0) {
        struct timespec moment = {0, 20000};
        nanosleep(&moment, 0);
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
