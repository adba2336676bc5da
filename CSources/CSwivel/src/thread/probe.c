// SPDX-License-Identifier: Apache-2.0
// Whether a thread is blocked, as the kernel reports it: /proc/self/task/THREAD/stat on Linux, and
// thread_info on Apple's systems. docs/design/pool.md has the rules.
#include "../../include/internal/thread/thread.h"

#if defined(__linux__)
#include <errno.h>
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
/// Hardly any: less than the least time that a scheduler gives to a thread that can run.
#define SWIVEL_PROBE_QUIET_NS UINT64_C(500000)

#if defined(__linux__)

static swivel_probe of_thread(void)
{
    swivel_probe probe = {.thread = (uint32_t)syscall(SYS_gettid)};
    if (pthread_getcpuclockid(pthread_self(), &probe.clock) != 0) {
        probe.clock = CLOCK_MONOTONIC; // Always busy.
    }
    return probe;
}

/// False: the thread has ended.
static bool read_cpu(const swivel_probe *probe, uint64_t *cpu_ns)
{
    struct timespec time;
    bool is_alive = clock_gettime(probe->clock, &time) == 0;
    if (is_alive) {
        *cpu_ns = (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
    }
    return is_alive;
}

/// The state is the letter behind the name, which is in brackets and may have some of its own:
/// proc(5). Without /proc a thread that has used hardly any CPU time counts as asleep.
static bool is_asleep(const swivel_probe *probe, uint64_t used_ns)
{
    char path[48], text[128];
    snprintf(path, sizeof path, "/proc/self/task/%u/stat", probe->thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return errno == ENOENT && used_ns <= SWIVEL_PROBE_QUIET_NS;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *bracket = strrchr(text, ')');
    return bracket == NULL || bracket[1] != ' ' || bracket[2] == 'S' || bracket[2] == 'D';
}

#else

static swivel_probe of_thread(void)
{
    return (swivel_probe){.thread = pthread_mach_thread_np(pthread_self())};
}

static bool read_info(const swivel_probe *probe, thread_basic_info_data_t *info)
{
    mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
    return thread_info(probe->thread, THREAD_BASIC_INFO, (thread_info_t)info, &count) ==
           KERN_SUCCESS;
}

static bool read_cpu(const swivel_probe *probe, uint64_t *cpu_ns)
{
    thread_basic_info_data_t info;
    bool is_alive = read_info(probe, &info);
    if (is_alive) {
        uint64_t seconds = (uint64_t)(info.user_time.seconds + info.system_time.seconds);
        uint64_t rest = (uint64_t)(info.user_time.microseconds + info.system_time.microseconds);
        *cpu_ns = seconds * UINT64_C(1000000000) + rest * 1000;
    }
    return is_alive;
}

static bool is_asleep(const swivel_probe *probe, uint64_t used_ns)
{
    (void)used_ns;
    thread_basic_info_data_t info;
    return read_info(probe, &info) && (info.run_state == TH_STATE_WAITING ||
                                       info.run_state == TH_STATE_UNINTERRUPTIBLE);
}

#endif

swivel_probe swivel__probe_of_thread(void)
{
    swivel_probe probe = of_thread();
    (void)read_cpu(&probe, &probe.cpu_ns); // The start of a thread is no progress.
    return probe;
}

bool swivel__probe_is_blocked(swivel_probe *probe)
{
    uint64_t cpu_ns;
    if (!read_cpu(probe, &cpu_ns)) {
        return false;
    }
    uint64_t used_ns = cpu_ns - probe->cpu_ns;
    bool was_asleep = probe->was_asleep;
    probe->cpu_ns = cpu_ns;
    probe->was_asleep = used_ns <= SWIVEL_PROBE_BUSY_NS && is_asleep(probe, used_ns);
    return probe->was_asleep && (was_asleep || used_ns <= SWIVEL_PROBE_QUIET_NS);
}
