// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "alloc_count.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define ALLOC_COUNT_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(ALLOC_COUNT_SANITIZED)
#define ALLOC_COUNT_INTERPOSES 1
#include <malloc.h>
#endif

// How many alloc_count_start() calls are open. Relaxed everywhere: the counts are read by the
// thread that made them, or after the threads that made them were joined or have answered.
static _Atomic(int) counting;
static _Atomic(uint64_t) in_process;

void alloc_count_start(void)
{
    atomic_fetch_add_explicit(&counting, 1, memory_order_relaxed);
}

void alloc_count_stop(void)
{
    atomic_fetch_sub_explicit(&counting, 1, memory_order_relaxed);
}

uint64_t alloc_count_of_process(void)
{
    return atomic_load_explicit(&in_process, memory_order_relaxed);
}

#if defined(ALLOC_COUNT_INTERPOSES)

// The executable's own definitions come before libc's for every library in the process, the Swift
// runtime included. glibc keeps its own under these names for exactly this use.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static inline void count_one(void)
{
    if (__builtin_expect(atomic_load_explicit(&counting, memory_order_relaxed) != 0, 0)) {
        atomic_fetch_add_explicit(&in_process, 1, memory_order_relaxed);
    }
}

bool alloc_count_is_available(void)
{
    return true;
}

void alloc_count_hold_thresholds(void)
{
    // glibc's own first values (mallopt(3)); setting them is what keeps them.
    (void)mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    (void)mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

void alloc_count_trim_thread(void)
{
    // malloc_trim() leaves the end of a thread's heap alone. Freeing a block above glibc's
    // FASTBIN_CONSOLIDATION_THRESHOLD of 64 KiB, and below the one for mmap, does not.
    void *block = __libc_malloc(96 * 1024);
    __libc_free(block);
}

void alloc_count_trim(void)
{
    (void)malloc_trim(0);
}

void *malloc(size_t size)
{
    count_one();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    count_one();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    count_one();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size)
{
    count_one();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    count_one();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    count_one();
    void *block = __libc_memalign(alignment, size);
    if (block == NULL) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}

void free(void *block)
{
    __libc_free(block);
}

#else

bool alloc_count_is_available(void)
{
    return false;
}

void alloc_count_hold_thresholds(void)
{
}

void alloc_count_trim_thread(void)
{
}

void alloc_count_trim(void)
{
}

#endif
