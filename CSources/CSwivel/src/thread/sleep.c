// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/parker.h"

#include <errno.h>
#include <stddef.h>

#if defined(__linux__)
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SWIVEL_NS_PER_S UINT64_C(1000000000)

bool swivel__sleep_while(SWIVEL_ATOMIC(uint32_t) *word, uint32_t value, swivel_mono until)
{
    // FUTEX_WAIT_BITSET takes an absolute instant of CLOCK_MONOTONIC: futex(2).
    struct timespec time = {.tv_sec = (time_t)(until.ns / SWIVEL_NS_PER_S),
                            .tv_nsec = (long)(until.ns % SWIVEL_NS_PER_S)};
    long status = syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, value,
                          until.ns == SWIVEL_NEVER_NS ? NULL : &time, NULL,
                          FUTEX_BITSET_MATCH_ANY);
    return status == 0 || errno != ETIMEDOUT;
}

void swivel__sleep_end(SWIVEL_ATOMIC(uint32_t) *word, bool all)
{
    syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, all ? INT_MAX : 1, NULL, NULL, 0);
}

uint32_t swivel__sleep_cpu(void)
{
    return (uint32_t)(sched_getcpu() + 1) << SWIVEL_SLEEP_CPU_SHIFT; // -1: it is not known.
}

#elif defined(__APPLE__)
#include "../../include/internal/thread/clock.h"

#include <os/os_sync_wait_on_address.h>

bool swivel__sleep_while(SWIVEL_ATOMIC(uint32_t) *word, uint32_t value, swivel_mono until)
{
    if (until.ns == SWIVEL_NEVER_NS) {
        os_sync_wait_on_address((void *)word, value, sizeof *word, OS_SYNC_WAIT_ON_ADDRESS_NONE);
        return true;
    }
    uint64_t left_ns = swivel__mono_since(swivel__mono_now(), until);
    if (left_ns == 0) {
        return false;
    }
    int status = os_sync_wait_on_address_with_timeout(
        (void *)word, value, sizeof *word, OS_SYNC_WAIT_ON_ADDRESS_NONE,
        OS_CLOCK_MACH_ABSOLUTE_TIME, left_ns);
    return status >= 0 || errno != ETIMEDOUT;
}

void swivel__sleep_end(SWIVEL_ATOMIC(uint32_t) *word, bool all)
{
    if (all) {
        os_sync_wake_by_address_all((void *)word, sizeof *word, OS_SYNC_WAKE_BY_ADDRESS_NONE);
    } else {
        os_sync_wake_by_address_any((void *)word, sizeof *word, OS_SYNC_WAKE_BY_ADDRESS_NONE);
    }
}

uint32_t swivel__sleep_cpu(void)
{
    return 0;
}

#else
#error "Swivel has no way to sleep on this system: it runs on Linux and on Apple's systems"
#endif
