// SPDX-License-Identifier: Apache-2.0
#ifndef ALLOC_COUNT_H
#define ALLOC_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Whether this build counts at all: glibc without a sanitizer. Elsewhere every count stays 0.
///
/// **Thread:** any.
bool alloc_count_is_available(void);

/// Starts counting: from here on each call of malloc, calloc, realloc, posix_memalign,
/// aligned_alloc and memalign in the whole process counts as one allocation.
///
/// Counting is off by default so that timed runs pay one predictable branch a call. Calls nest.
///
/// **Thread:** any.
void alloc_count_start(void);

/// Ends what the matching alloc_count_start() began. Counts keep their values.
///
/// **Thread:** any.
void alloc_count_stop(void);

/// Allocations that the calling thread made while counting was on; it only grows.
///
/// **Thread:** any; each sees its own.
uint64_t alloc_count_of_thread(void);

/// Allocations that all threads made while counting was on; it only grows.
///
/// **Thread:** any.
uint64_t alloc_count_of_process(void);

/// Holds the allocator to its first thresholds. glibc raises them when a large block is freed, so
/// that what one round freed would decide what the next one gives back.
///
/// **Thread:** any, before others allocate.
void alloc_count_hold_thresholds(void);

/// Gives the end of the calling thread's heap back to the system, where there is such a thing.
///
/// **Thread:** any; each gives back its own.
void alloc_count_trim_thread(void);

/// Gives all other free pages back to the system, where there is a call for it, so that a reading
/// of the resident set shows what is in use and not what the allocator keeps.
///
/// **Thread:** any.
void alloc_count_trim(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
