// SPDX-License-Identifier: Apache-2.0
/// Words that every part of the C interface uses (status codes, work), and a loop's settings.
#ifndef SWIVEL_CONFIG_H
#define SWIVEL_CONFIG_H

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
    SWIVEL_ESHUTDOWN = -20001,  ///< The loop is shut down or shutting down.
    SWIVEL_EFORKED = -20002,    ///< The loop was created before a `fork` and is dead in the child.
    SWIVEL_EFULL = -20003,      ///< A queue is full (`max_pending_posts`).
    SWIVEL_ECONFIG = -20004,    ///< A configuration value is out of range.
    SWIVEL_EDEADLOCK = -20005,  ///< The call would wait for work that only the caller can do.
    SWIVEL_ESTUCK = -20006,     ///< Virtual time stands still, and nothing ends the wait.
};

/// Returns a status code in words, in one static line; libuv's words for its codes.
/// **Thread:** any.
/// - Complexity: O(1), no allocation.
const char *swivel_status_text(int status);

/// Two words that name what to run, by the loop's `swivel_hooks`: a C function and its argument, or
/// a Swift closure.
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

/// A loop's record. It is never freed: `swivel_loop_release` empties it for the next loop, so that
/// a handle that outlives its loop stays harmless.
typedef struct swivel_loop swivel_loop;

struct swivel_tick;
struct swivel_timer;

/// How a loop calls and releases work. All functions are called on the loop's thread, never under
/// a lock, and may call any function of this interface.
typedef struct swivel_hooks {
    /// Runs the work once and releases it.
    void (*run)(swivel_work *work);
    /// Runs the work for one tick of a repeating timer, and keeps it.
    void (*tick)(swivel_work *work, const struct swivel_tick *tick);
    /// Releases the work without running it.
    void (*release)(swivel_work *work);
    /// A closure has ended for which `swivel_watch` was called.
    void (*ended)(struct swivel_timer timer);
    /// The loop has closed. This is the last call that the loop makes.
    void (*closed)(void *SWIVEL_NULLABLE owner);
} swivel_hooks;

/// How a loop leaves the memory of posts to the threads that allocate it: one way per program.
typedef struct swivel_deferred_free {
    /// As `swivel_hooks.run`, for work that another thread has posted. Returns whether it leaves
    /// the memory of a closure's context, which is `work->context` then.
    bool (*run)(swivel_work *work);
    /// Frees that memory, on any thread. It runs no code of users.
    void (*free)(uintptr_t context);
} swivel_deferred_free;

/// How a loop is run.
typedef enum swivel_drive {
    SWIVEL_OWN_THREAD, ///< A thread of the loop's own runs it until shutdown.
    SWIVEL_CALLER,     ///< The callers of `swivel_loop_run` and `swivel_loop_run_once` run it.
    SWIVEL_MANUAL,     ///< As `SWIVEL_CALLER`, and `swivel_loop_advance` sets the time.
} swivel_drive;

/// Settings of a loop. Zeroed memory is valid and means the defaults.
typedef struct swivel_config {
    const char *SWIVEL_NULLABLE name;          ///< Thread name; cut to 15 bytes on Linux.
    const swivel_hooks *SWIVEL_NULLABLE hooks; ///< `NULL`: the work is a C function.
    void *SWIVEL_NULLABLE owner; ///< Passed to `closed` and to the functions below.
    swivel_drive drive;
    int32_t cpu;                ///< 1 + the processor to pin the thread to; 0: not pinned.
    uint64_t timer_slack_ns;    ///< Slack of the thread's other sleeps; 0: none.
    /// Closures of each kind (posts from elsewhere, own posts, timers) per turn; 0: 1,024.
    uint32_t turn_count;
    uint64_t turn_ns; ///< Time after which a turn starts no more closures of a kind; 0: 1 ms.
    uint64_t busy_poll_ns;      ///< How long to spin for work before parking; 0: adaptive.
    uint64_t max_pending_posts; ///< Limit for `swivel_try_post`; 0: none.
    /// Calls `high_water` when this many posts wait, once until `swivel__end_high_water`; 0: never.
    uint64_t high_water_posts;
    void (*SWIVEL_NULLABLE high_water)(void *SWIVEL_NULLABLE owner); ///< On the thread that posts.
    /// Fewer posts wait than `swivel__await_room` requested. On the loop's or a refused thread.
    void (*SWIVEL_NULLABLE has_room)(void *SWIVEL_NULLABLE owner);
    // `SWIVEL_CALLER`: a host that cannot watch the descriptor. It must last until the loop closes.
    /// There is something to do: the host calls `swivel_loop_run_once` soon, not in this call. On
    /// any thread. `NULL`: the descriptor wakes it.
    void (*SWIVEL_NULLABLE host_wake)(void *SWIVEL_NULLABLE host);
    /// There will be, at this instant of the loop's clock. On the host's thread, at the end of
    /// `swivel_loop_run_once`; it replaces the last one.
    void (*SWIVEL_NULLABLE host_wake_at)(void *SWIVEL_NULLABLE host, uint64_t instant_ns);
    void *SWIVEL_NULLABLE host;
    bool owns_source;           ///< Serves the main queue on its thread; for one loop.
    // `SWIVEL_MANUAL` only.
    uint64_t manual_start_ns;    ///< The first instant.
    uint64_t manual_patience_ns; ///< Real time that a pump waits for other threads; 0: 10 s.
    /// Refuses others' posts with `SWIVEL_EDIVERTED`: the owner keeps them and chooses their order.
    bool diverts_posts;
    /// Whether work that the loop has sent away is still out: virtual time waits for it in a pump.
    bool (*SWIVEL_NULLABLE manual_is_awaited)(void *SWIVEL_NULLABLE owner);
    /// How posts leave their memory. Copied, as `hooks` is. `NULL`: the loop frees all.
    const swivel_deferred_free *SWIVEL_NULLABLE deferred_free;
} swivel_config;

SWIVEL_ASSUME_NONNULL_END

#endif
