// SPDX-License-Identifier: Apache-2.0
// Atomic operations, for three builds: C11 atomics; with SWIVEL_CHAOS, a pause now and then before
// one; with SWIVEL_MODEL, a point at which the model checker may switch threads.
#ifndef SWIVEL_INTERNAL_ATOMICS_H
#define SWIVEL_INTERNAL_ATOMICS_H

#include <stdatomic.h>

#define SWIVEL_ATOMIC(type) _Atomic(type)

#if defined(SWIVEL_MODEL)
#include "model_atomics.h"
#else

#if defined(SWIVEL_CHAOS)
void swivel__point(void);
#define SWIVEL_POINT() swivel__point()
#else
#define SWIVEL_POINT() ((void)0)
#endif

#define SWIVEL_LOAD(object, order)                                                                 \
    (SWIVEL_POINT(), atomic_load_explicit((object), memory_order_##order))
#define SWIVEL_STORE(object, value, order)                                                         \
    (SWIVEL_POINT(), atomic_store_explicit((object), (value), memory_order_##order))
#define SWIVEL_EXCHANGE(object, value, order)                                                      \
    (SWIVEL_POINT(), atomic_exchange_explicit((object), (value), memory_order_##order))
#define SWIVEL_FETCH_ADD(object, value, order)                                                     \
    (SWIVEL_POINT(), atomic_fetch_add_explicit((object), (value), memory_order_##order))
#define SWIVEL_FETCH_SUB(object, value, order)                                                     \
    (SWIVEL_POINT(), atomic_fetch_sub_explicit((object), (value), memory_order_##order))
#define SWIVEL_FETCH_OR(object, value, order)                                                      \
    (SWIVEL_POINT(), atomic_fetch_or_explicit((object), (value), memory_order_##order))
/// Strong compare-and-swap; on failure `*expected` holds the value found.
#define SWIVEL_CAS(object, expected, desired, success, failure)                                    \
    (SWIVEL_POINT(),                                                                               \
     atomic_compare_exchange_strong_explicit((object), (expected), (desired),                      \
                                             memory_order_##success, memory_order_##failure))

/// A barrier between atomic operations of any objects.
#define SWIVEL_THREAD_FENCE(order) (SWIVEL_POINT(), atomic_thread_fence(memory_order_##order))

// No outcome depends on when the following are read, so the model switches nothing there.

/// Adds to a counter that one thread writes and others read.
#define SWIVEL_COUNT(counter, amount)                                                              \
    atomic_store_explicit((counter),                                                               \
                          atomic_load_explicit((counter), memory_order_relaxed) + (amount),        \
                          memory_order_relaxed)

/// As `SWIVEL_COUNT`, for a counter that any thread may write.
#define SWIVEL_COUNT_SHARED(counter, amount)                                                       \
    atomic_fetch_add_explicit((counter), (amount), memory_order_relaxed)

/// Reads a setting of a loop's life.
#define SWIVEL_SETTING(object) atomic_load_explicit((object), memory_order_relaxed)

/// Plain memory was read that another thread may write: void if the next compare-and-swap fails.
#define SWIVEL_PEEKED(object) ((void)0)

#endif

#if defined(__x86_64__) || defined(__i386__)
#define SWIVEL_PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define SWIVEL_PAUSE() __asm__ __volatile__("yield")
#else
#define SWIVEL_PAUSE() ((void)0)
#endif

#if defined(__SANITIZE_THREAD__)
#define SWIVEL_NO_TSAN __attribute__((no_sanitize("thread"), noinline))
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SWIVEL_NO_TSAN __attribute__((no_sanitize("thread"), noinline))
#endif
#endif
#ifndef SWIVEL_NO_TSAN
#define SWIVEL_NO_TSAN
#endif

#endif
