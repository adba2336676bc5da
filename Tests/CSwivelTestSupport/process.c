// SPDX-License-Identifier: Apache-2.0
#include "include/process.h"
#include "internal/thread/thread.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

uint64_t swivel_process_allocated_bytes(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    malloc_trim(0);
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

int32_t swivel_process_thread(void)
{
    return (int32_t)syscall(SYS_gettid);
}

void swivel_process_thread_name(char name[16])
{
    pthread_getname_np(pthread_self(), name, 16);
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
