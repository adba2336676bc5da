// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/barrier.h"

#include <sched.h>
#include <time.h>
#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Looks at a word before a thread sleeps between two looks: what it waits for takes nanoseconds,
/// unless the other thread does not run.
#define SWIVEL_BARRIER_LOOKS 100
#define SWIVEL_BARRIER_SLEEP_NS 50000

bool swivel__barrier(void)
{
#if defined(__linux__) && defined(SYS_membarrier)
    if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) {
        return true;
    }
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
           syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
    return false;
#endif
}

void swivel__barrier_nap(void)
{
    struct timespec time = {0, SWIVEL_BARRIER_SLEEP_NS};
    nanosleep(&time, NULL);
}

void swivel__wait_until_zero(SWIVEL_ATOMIC(uint32_t) *word)
{
    for (int looks = 0; SWIVEL_LOAD(word, acquire) != 0; looks++) {
        if (looks < SWIVEL_BARRIER_LOOKS) {
            sched_yield();
        } else {
            swivel__barrier_nap();
        }
    }
}
