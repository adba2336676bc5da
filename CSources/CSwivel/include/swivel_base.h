// SPDX-License-Identifier: Apache-2.0
/// Words that every part of the C interface uses: status codes, work, limits.
#ifndef SWIVEL_BASE_H
#define SWIVEL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define SWIVEL_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define SWIVEL_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define SWIVEL_NULLABLE _Nullable
#define SWIVEL_NONNULL _Nonnull
#else
#define SWIVEL_ASSUME_NONNULL_BEGIN
#define SWIVEL_ASSUME_NONNULL_END
#define SWIVEL_NULLABLE
#define SWIVEL_NONNULL
#endif

#define SWIVEL_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SWIVEL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

SWIVEL_ASSUME_NONNULL_BEGIN

/// An instant that is never reached: such a timer never fires and can be cancelled.
#define SWIVEL_NEVER_NS UINT64_MAX

/// Status codes. Zero is success. Codes of libuv are passed on as they are (negative errno).
enum {
    SWIVEL_OK = 0,
    /// The loop is shut down or shutting down.
    SWIVEL_ESHUTDOWN = -20001,
    /// The loop was created before a `fork` and is dead in the child.
    SWIVEL_EFORKED = -20002,
    /// A queue is full (`max_pending_posts`).
    SWIVEL_EFULL = -20003,
    /// A configuration value is out of range.
    SWIVEL_ECONFIG = -20004,
    /// The call would wait for work that only the caller can do.
    SWIVEL_EDEADLOCK = -20005,
    /// Virtual time stands still, and nothing ends the wait.
    SWIVEL_ESTUCK = -20006,
};

/// Returns a status code in words, in one static line; libuv's words for its codes.
/// **Thread:** any.
/// - Complexity: O(1), no allocation.
const char *swivel_status_text(int status);

/// Two words that say what to run: a C function and its argument, or a Swift closure.
///
/// The loop's `swivel_hooks` decide what the words mean.
typedef struct swivel_work {
    uintptr_t function;
    uintptr_t context;
} swivel_work;

/// Returns a C function and its argument as work.
/// **Thread:** any. The function runs on the loop's thread.
/// - Parameter argument: Passed to the function; neither copied nor freed.
/// - Complexity: O(1), no allocation.
static inline swivel_work swivel_call(void (*function)(void *SWIVEL_NULLABLE argument),
                                      void *SWIVEL_NULLABLE argument)
{
    swivel_work work = {(uintptr_t)function, (uintptr_t)argument};
    return work;
}

SWIVEL_ASSUME_NONNULL_END

#endif
