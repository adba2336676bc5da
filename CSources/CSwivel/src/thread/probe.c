// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/probe.h"

#include <pthread.h>

#if defined(__linux__)
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#endif

/// CPU time between two readings, 20 ms apart, of a thread that makes progress.
#define SWIVEL_PROBE_BUSY_NS UINT64_C(5000000)
/// Hardly any: less than the least time that a scheduler gives to a thread that can run. And readings
/// in a row with no more than that which stand for an unknown state.
#define SWIVEL_PROBE_QUIET_NS UINT64_C(500000)
#define SWIVEL_PROBE_QUIET 5

typedef enum state { AWAKE, ASLEEP, UNKNOWN } state;

#if defined(__linux__)

static swivel_probe of_thread(void)
{
    swivel_probe probe = {.thread = (uint32_t)syscall(SYS_gettid)};
    if (pthread_getcpuclockid(pthread_self(), &probe.clock) != 0) {
        probe.clock = CLOCK_MONOTONIC; // Always busy.
    }
    return probe;
}

/// The CPU time, and for other systems the state that comes with it. False: the thread has ended.
static bool read_cpu(const swivel_probe *probe, uint64_t *cpu_ns, state *state)
{
    struct timespec time;
    if (clock_gettime(probe->clock, &time) != 0) {
        return false;
    }
    *cpu_ns = (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
    *state = UNKNOWN;
    return true;
}

/// The state is the letter behind the name, which is in brackets and may have some of its own: proc(5).
static state read_state(const swivel_probe *probe)
{
    char path[48], text[128];
    snprintf(path, sizeof path, "/proc/self/task/%u/stat", probe->thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return UNKNOWN;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *bracket = strrchr(text, ')');
    if (bracket == NULL || bracket[1] != ' ') {
        return UNKNOWN;
    }
    return bracket[2] == 'S' || bracket[2] == 'D' ? ASLEEP : AWAKE;
}

#else

static swivel_probe of_thread(void)
{
    return (swivel_probe){.thread = pthread_mach_thread_np(pthread_self())};
}

static bool read_cpu(const swivel_probe *probe, uint64_t *cpu_ns, state *state)
{
    thread_basic_info_data_t info;
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
    if (thread_info(probe->thread, THREAD_BASIC_INFO, (thread_info_t)&info, &count) !=
        KERN_SUCCESS) {
        return false;
    }
    *cpu_ns = (uint64_t)(info.user_time.seconds + info.system_time.seconds) * UINT64_C(1000000000) +
              (uint64_t)(info.user_time.microseconds + info.system_time.microseconds) * 1000;
    *state = info.run_state == TH_STATE_WAITING || info.run_state == TH_STATE_UNINTERRUPTIBLE
                 ? ASLEEP
                 : AWAKE;
    return true;
}

/// It has come with the CPU time.
static state read_state(const swivel_probe *probe)
{
    (void)probe;
    return UNKNOWN;
}

#endif

swivel_probe swivel__probe_of_thread(void)
{
    swivel_probe probe = of_thread();
    state state;
    // The start of a thread is no progress.
    (void)read_cpu(&probe, &probe.cpu_ns, &state);
    return probe;
}

static bool is_blocked(swivel_probe *probe, bool reports_states)
{
    uint64_t cpu_ns;
    state state;
    if (!read_cpu(probe, &cpu_ns, &state)) {
        return false;
    }
    uint64_t used_ns = cpu_ns - probe->cpu_ns;
    probe->cpu_ns = cpu_ns;
    bool was_asleep = probe->was_asleep;
    probe->was_asleep = false;
    if (used_ns > SWIVEL_PROBE_BUSY_NS) {
        probe->quiet = 0;
        return false;
    }
    if (reports_states && state == UNKNOWN) {
        state = read_state(probe);
    }
    if (reports_states && state != UNKNOWN) {
        probe->was_asleep = state == ASLEEP;
        return state == ASLEEP && (was_asleep || used_ns <= SWIVEL_PROBE_QUIET_NS);
    }
    probe->quiet = used_ns > SWIVEL_PROBE_QUIET_NS ? 0 : probe->quiet + 1;
    return probe->quiet >= SWIVEL_PROBE_QUIET;
}

bool swivel__probe_is_blocked(swivel_probe *probe)
{
    return is_blocked(probe, true);
}

bool swivel__probe_is_quiet(swivel_probe *probe)
{
    return is_blocked(probe, false);
}
