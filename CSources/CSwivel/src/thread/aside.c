// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/aside.h"
#include "../../include/internal/thread/lock.h"
#include "../../include/internal/thread/sleep.h"
#include "../../include/internal/thread/thread.h"

#include <stdio.h>

bool swivel__has_idle_processor(const char *loads, int processors)
{
    // Three averages, then the threads that want to run: proc(5). Two of them are the pair.
    long running;
    bool is_known = sscanf(loads, "%*s %*s %*s %ld/", &running) == 1;
    return is_known && processors >= 2 && running - 2 <= (processors - 2) / 2;
}

#if defined(__linux__)
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

/// Held by the thread that is leaving: if both of a pair left they would meet again.
static swivel_lock leaving;
/// See `swivel__place_left`. Written under the lock.
static SWIVEL_ATOMIC(uint32_t) left;

/// Costs 2 µs. Without /proc, as without an idle processor, threads stay.
static bool is_one_idle(void)
{
    char loads[64];
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return false;
    }
    int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t length = read(file, loads, sizeof loads - 1);
    close(file);
    loads[length > 0 ? length : 0] = '\0';
    return swivel__has_idle_processor(loads, CPU_COUNT(&set));
}

bool swivel__leave_processor(void)
{
    cpu_set_t all, others, now;
    if (sched_getaffinity(0, sizeof all, &all) != 0) {
        return false;
    }
    others = all;
    CPU_CLR((size_t)sched_getcpu(), &others);
    if (sched_setaffinity(0, sizeof others, &others) != 0) {
        return false;
    }
    // Unless others have chosen its processors meanwhile.
    if (sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &others)) {
        sched_setaffinity(0, sizeof all, &all);
    }
    return true;
}

bool swivel__is_to_step_aside(swivel_look *look)
{
    return swivel__thread.may_step_aside && swivel__look_parts(look, swivel__real_now().ns);
}

bool swivel__step_aside(void)
{
    if (!is_one_idle() || !swivel__try_lock(&leaving)) {
        return false;
    }
    SWIVEL_STORE(&left, swivel__sleep_place(), relaxed);
    bool has_left = swivel__leave_processor();
    SWIVEL_STORE(&left, 0, relaxed);
    swivel__unlock(&leaving);
    return has_left;
}

uint32_t swivel__place_left(void)
{
    return SWIVEL_LOAD(&left, relaxed);
}

#else

bool swivel__leave_processor(void)
{
    return false; // The system does not tell where threads are.
}

bool swivel__is_to_step_aside(swivel_look *look)
{
    (void)look;
    return false;
}

bool swivel__step_aside(void)
{
    return false;
}

uint32_t swivel__place_left(void)
{
    return 0;
}

#endif
