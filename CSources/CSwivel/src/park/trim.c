// SPDX-License-Identifier: Apache-2.0
// Giving back the memory of released closures, which glibc keeps.
#include "../../include/internal/park/park.h"

#if defined(__GLIBC__)
#include <malloc.h>
#include <stdlib.h>

/// Below the size from which glibc maps blocks, and above the one whose release makes it give back
/// the top of its arena.
#define SWIVEL_TOP_BYTES 100000

/// Loops that have asked and were not served yet. One thread serves them all.
static SWIVEL_ATOMIC(uint32_t) wanted;

static void trim(void *unused)
{
    (void)unused;
    uint32_t served;
    do {
        served = SWIVEL_LOAD(&wanted, acquire);
        malloc_trim(0);
        // That leaves the top of each arena but the first, up to 64 MB. A new thread gets the arena
        // of one that has ended, and takes the top off by releasing a large block there.
        void *volatile block = malloc(SWIVEL_TOP_BYTES);
        free(block);
    } while (!SWIVEL_CAS(&wanted, &served, 0, acq_rel, acquire));
}

void swivel__trim_closures(void)
{
    if (SWIVEL_FETCH_ADD(&wanted, 1, acq_rel) == 0 &&
        swivel__thread_spawn("swivel.trim", trim, NULL) != SWIVEL_OK) {
        SWIVEL_STORE(&wanted, 0, release);
    }
}

#else

void swivel__trim_closures(void)
{
}

#endif
