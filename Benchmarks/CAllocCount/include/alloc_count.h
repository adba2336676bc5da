// SPDX-License-Identifier: Apache-2.0
#ifndef ALLOC_COUNT_H
#define ALLOC_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// **Thread:** any, for all of these.

/// Whether this build counts allocations: glibc without a sanitizer. Elsewhere every count stays 0.
bool alloc_count_is_available(void);

/// From here to the matching stop, each call of malloc, calloc, realloc, posix_memalign, aligned_alloc
/// and memalign in the process counts as one allocation. Calls nest; timed runs pay one branch per call.
void alloc_count_start(void);
void alloc_count_stop(void);

/// The allocations while counting was on; the count only grows.
uint64_t alloc_count_of_process(void);

/// Holds the allocator to its first thresholds. glibc raises them when a large block is freed, so
/// that what one round freed would decide what the next one gives back. To be called first.
void alloc_count_hold_thresholds(void);

/// Gives the end of the calling thread's heap back to the system.
void alloc_count_trim_thread(void);

/// Gives all other free pages back, so that a reading of the resident set shows what is in use.
void alloc_count_trim(void);

/// Whether this build counts system calls.
bool system_calls_are_counted(void);

/// The calls of read, write, epoll and timerfd that the process has made.
uint64_t system_calls_count(void);

#if defined(__linux__)
/// sched_getaffinity(2) and sched_setaffinity(2), which <sched.h> declares for GNU programs alone.
int cores_of_thread(int thread, size_t size, void *set) __asm__("sched_getaffinity");
int cores_confine(int thread, size_t size, const void *set) __asm__("sched_setaffinity");
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
