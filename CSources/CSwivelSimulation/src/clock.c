// SPDX-License-Identifier: Apache-2.0
// The clocks of the process, which replace the C library's.
#if defined(__linux__)
#include "../include/swivel_simulation.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

static _Thread_local swivel_sim_thread here;

SWIVEL_SIM_BARE swivel_sim_thread *swivel_sim_here(void)
{
    return &here;
}

SWIVEL_SIM_BARE static struct timespec spec(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

/// The C library's function; `NULL` until the program's constructors have run.
static int (*of_system)(clockid_t, struct timespec *);

__attribute__((constructor)) static void find(void)
{
    of_system = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
}

SWIVEL_SIM_BARE int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (here.world != NULL) {
        switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
            *now = spec(here.wall_ns);
            return 0;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_BOOTTIME:
            *now = spec(here.monotonic_ns);
            return 0;
        default:
            break; // The time of a processor.
        }
    }
    return of_system != NULL ? of_system(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
}

SWIVEL_SIM_BARE int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone; // Obsolete.
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    *now = (struct timeval){.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
    return 0;
}

SWIVEL_SIM_BARE time_t time(time_t *seconds)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME_COARSE, &exact);
    if (seconds != NULL) {
        *seconds = exact.tv_sec;
    }
    return exact.tv_sec;
}

#endif
