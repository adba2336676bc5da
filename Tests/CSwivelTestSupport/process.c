// SPDX-License-Identifier: Apache-2.0
#include "include/process.h"
#include "internal/thread/thread.h"
#include "../../CSources/CLibUV/shim.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 256

static uint32_t count_entries(const char *folder)
{
    DIR *entries = opendir(folder);
    uint32_t count = 0;
    if (entries == NULL) {
        return 0;
    }
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(entries);
    return count;
}

uint32_t swivel_process_descriptors(void)
{
    return count_entries("/proc/self/fd") - 1; // Without the one that counts.
}

uint32_t swivel_process_threads(void)
{
    return count_entries("/proc/self/task");
}

uint32_t swivel_thread_magazines(void)
{
    return swivel__thread.magazine_count;
}

/// The sum of the numbers behind `name` in the lines of a file of /proc.
static uint64_t read_number(const char *path, const char *name)
{
    char line[256];
    uint64_t sum = 0;
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long long value = 0;
        if (strncmp(line, name, strlen(name)) == 0 &&
            sscanf(line + strlen(name), ": %llu", &value) == 1) {
            sum += value;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return sum;
}

uint64_t swivel_process_private_kb(void)
{
    return read_number("/proc/self/smaps_rollup", "Anonymous");
}

int32_t swivel_process_thread(void)
{
    return (int32_t)syscall(SYS_gettid);
}

uint64_t swivel_process_sleeps(int32_t thread)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", thread);
    return read_number(path, "voluntary_ctxt_switches");
}

bool swivel_process_is_asleep(int32_t thread)
{
    char path[64], line[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/status", thread);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "State:", 6) != 0) {}
    fclose(file);
    return strncmp(line, "State:\tS", 8) == 0;
}

void swivel_end_child_after(unsigned seconds)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    alarm(seconds);
}

#if defined(__clang__)
__attribute__((disable_sanitizer_instrumentation))
#endif
void swivel_compute_until(const bool *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_RELAXED)) {
    }
}

void swivel_flag_raise(bool *flag)
{
    __atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

bool swivel_is_under_tsan(void)
{
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return true;
#endif
#endif
    return false;
}

bool swivel_is_under_asan(void)
{
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}

bool swivel_is_portable(void)
{
#if defined(SWIVEL_PORTABLE_PARK) || !defined(__linux__)
    return true;
#else
    return false;
#endif
}

uint32_t swivel_descriptors_of_a_first_loop(void)
{
    // From 1.46 on libuv has a ring of the kernel's beside its epoll.
    return uv_version() < 0x012E00 ? 8 : 9;
}

static int taken[DESCRIPTORS_MAX];
static uint32_t taken_count;

uint32_t swivel_leave_descriptors(uint32_t count)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = DESCRIPTORS_MAX;
    setrlimit(RLIMIT_NOFILE, &limit);
    while (taken_count < DESCRIPTORS_MAX) {
        int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) {
            break;
        }
        taken[taken_count++] = descriptor;
    }
    uint32_t left = 0;
    while (left < count && taken_count > 0) {
        close(taken[--taken_count]);
        left += 1;
    }
    return left;
}

void swivel_return_descriptors(void)
{
    while (taken_count > 0) {
        close(taken[--taken_count]);
    }
}
