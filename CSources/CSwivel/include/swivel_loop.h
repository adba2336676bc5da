// SPDX-License-Identifier: Apache-2.0
/// Loops: creation, posts, turns, shutdown, counters.
#ifndef SWIVEL_LOOP_H
#define SWIVEL_LOOP_H

#include "swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A loop's record. It is never freed: after `swivel_loop_release` it is emptied and reused, so
/// that a handle that outlives its loop stays harmless.
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
    /// Passes a due timer to the foreign context stored at `context`; see `swivel_handed_begin`. A
    /// one-shot has no tick.
    void (*hand_over)(void *context, struct swivel_timer timer,
                      const struct swivel_tick *SWIVEL_NULLABLE tick);
    /// Releases the foreign context stored at `context`.
    void (*release_context)(void *context);
    /// A closure that someone watches (`swivel_watch`) has ended.
    void (*ended)(struct swivel_timer timer);
    /// The loop has closed; the last call it makes on its thread.
    void (*closed)(void *SWIVEL_NULLABLE owner);
} swivel_hooks;

/// Whether a loop starts a thread of its own.
typedef enum swivel_drive {
    /// A thread of the loop's own runs it until shutdown.
    SWIVEL_OWN_THREAD,
    /// Whoever calls `swivel_loop_run` or `swivel_loop_run_once` runs it.
    SWIVEL_CALLER,
    /// As `SWIVEL_CALLER`, and time is what `swivel_loop_advance` says.
    SWIVEL_MANUAL,
} swivel_drive;

/// Settings of a loop. All zero is valid and means the defaults.
typedef struct swivel_config {
    const char *SWIVEL_NULLABLE name;          ///< Thread name; cut to 15 bytes on Linux.
    const swivel_hooks *SWIVEL_NULLABLE hooks; ///< `NULL`: the work is a C function.
    void *SWIVEL_NULLABLE owner; ///< Passed to `closed`, and found by `swivel_loop_owner`.
    /// Whether nobody but the loop's own thread has the owner any more. A loop with a thread and
    /// nothing to run whose owner is unreachable closes when another loop needs its resources.
    /// Called under a lock, on any thread. `NULL`: never.
    bool (*SWIVEL_NULLABLE is_unreachable)(void *owner);
    swivel_drive drive;
    int32_t cpu;                ///< 1 + the processor to pin the thread to; 0: not pinned.
    uint64_t timer_slack_ns;    ///< Slack of the thread's other sleeps; 0: the system's.
    /// Closures of each kind (posts from elsewhere, own posts, timers) that one turn runs; 0: 1,024.
    uint32_t turn_count;
    /// Time after which a turn takes up no more closures of a kind; 0: 1 ms.
    uint64_t turn_ns;
    uint64_t busy_poll_ns;      ///< How long to look for work before parking; 0: adaptive.
    uint64_t max_pending_posts; ///< Limit for `swivel_try_post`; 0: none.
    bool hosts_guest;           ///< Serves the main queue on its thread; for one loop.
    // `SWIVEL_MANUAL` only.
    uint64_t manual_start_ns;    ///< The first instant.
    uint64_t manual_patience_ns; ///< Real time that a pump waits for other threads; 0: 10 s.
    /// Whether work that the loop has sent away is under way, which a pump waits for before virtual
    /// time moves; gets the owner. `NULL`: never.
    bool (*SWIVEL_NULLABLE manual_is_awaited)(void *SWIVEL_NULLABLE owner);
} swivel_config;

/// What a shutdown did with the closures that the loop had accepted.
typedef struct swivel_report {
    uint64_t ran;              ///< Closures that ran between the request and the end.
    uint64_t cancelled_timers; ///< Timers that were released without running.
    uint64_t cancelled_posts;  ///< Posts that were released without running.
    uint64_t running;          ///< Closures still under way on other contexts.
    uint64_t refused;          ///< Posts and schedules refused over the loop's life.
    bool complete;             ///< False: the loop closes when its outermost turn returns.
} swivel_report;

typedef enum swivel_shutdown_mode {
    SWIVEL_CANCEL_PENDING,
    SWIVEL_DRAIN,
} swivel_shutdown_mode;

/// Number of buckets in `swivel_counters.lateness`.
#define SWIVEL_LATENESS_BUCKETS 40

/// Counters of a loop since its creation. Each is exact, whether the loop sleeps or not; taken
/// together they are a snapshot in which a number may be one turn ahead of another. A kept timer
/// that another thread has armed or disarmed counts once the loop has looked at it.
typedef struct swivel_counters {
    uint64_t turns, posts, wakes, fired, cancelled, pending, missed, refused, parks;
    uint64_t busy_ns, idle_ns;
    /// Bucket *k* counts the fires that were late by less than 2^k ns (and not in bucket k-1).
    uint64_t lateness[SWIVEL_LATENESS_BUCKETS];
} swivel_counters;

/// Creates a loop, and its thread where `drive` says so.
///
/// **Thread:** any. On failure nothing is left behind, and a later try can succeed.
/// Returns `SWIVEL_OK`, `SWIVEL_ECONFIG` or libuv's code (`UV_EMFILE`, `UV_ENOMEM`, `UV_EAGAIN`).
int swivel_loop_create(const swivel_config *SWIVEL_NULLABLE config,
                       swivel_loop *SWIVEL_NULLABLE *SWIVEL_NONNULL loop);

/// Gives the record back for reuse. Shuts the loop down first (cancelling what is pending).
///
/// **Thread:** any, once, when no other call on this loop is under way or will follow. Handles
/// may be used for ever.
void swivel_loop_release(swivel_loop *loop);

/// Posts work: it runs on the loop's thread in one of its next turns, in order with the other
/// posts of this thread, never inside this call.
///
/// **Thread:** any. On failure the work is still the caller's: nothing was run or released.
/// Returns `SWIVEL_OK`, `SWIVEL_ESHUTDOWN`, `SWIVEL_EFORKED` or `UV_ENOMEM`.
/// - Complexity: O(1), no allocation but one queue segment in 512 posts.
int swivel_post(swivel_loop *loop, swivel_work work);

/// As `swivel_post`; refuses with `SWIVEL_EFULL` while `max_pending_posts` or more wait.
int swivel_try_post(swivel_loop *loop, swivel_work work);

/// Wakes the loop if it is parked, without posting anything.
///
/// **Thread:** any, while the loop is retained.
void swivel_loop_wake(swivel_loop *loop);

/// Runs turns until `swivel_loop_stop` or shutdown. Only for loops without a thread of their own.
///
/// **Thread:** one at a time. Returns `SWIVEL_OK`, or `SWIVEL_ESHUTDOWN` when it is over.
int swivel_loop_run(swivel_loop *loop);

/// Runs one turn; with `wait`, parks first until a closure can run, the loop is woken or asked to
/// end: what merely arms, moves or cancels timers does not end the wait. Sets `more` to whether work
/// is left that is due now.
int swivel_loop_run_once(swivel_loop *loop, bool wait, bool *SWIVEL_NULLABLE more);

/// Makes `swivel_loop_run` return after its current turn. Sticky: a stop before the run counts. A
/// loop with a thread of its own goes on: it lives until its shutdown.
///
/// **Thread:** any.
void swivel_loop_stop(swivel_loop *loop);

/// Runs turns from inside a closure of this loop until `done(argument)` says so or `deadline_ns` is
/// reached. `done` is asked between turns; what makes it true elsewhere calls `swivel_loop_wake`.
///
/// **Thread:** the loop's. Returns 1 when `done` became true, 0 at the deadline,
/// `SWIVEL_EDEADLOCK` when so many waits are nested that the stack ends, and `SWIVEL_ESTUCK` when a
/// manual loop had nothing to do for as long as its patience lasts.
int swivel_loop_pump(swivel_loop *loop, bool (*done)(void *SWIVEL_NULLABLE argument),
                     void *SWIVEL_NULLABLE argument, uint64_t deadline_ns);

/// Shuts the loop down. With `SWIVEL_DRAIN` accepted posts and one-shots due within `within_ns` run
/// first, and what they schedule; repeats stop at once. A manual loop's time stands still: what is
/// due runs, and `within_ns` is real time, for closures under way on other contexts.
///
/// **Thread:** any, any number of times; every caller gets the same report. Waits for the end, but
/// from the loop's own closures, where it returns at once with `complete == false`.
void swivel_loop_shutdown(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns,
                          swivel_report *SWIVEL_NULLABLE report);

/// Whether the loop refuses work: shut down, shutting down, or dead in a forked child.
int swivel_loop_refusal(swivel_loop *loop);

/// The loop whose closures this thread is running, or `NULL`.
swivel_loop *SWIVEL_NULLABLE swivel_loop_current(void);

/// Whether the calling thread is this loop's, inside one of its turns.
bool swivel_loop_is_current(swivel_loop *loop);

/// The name that the loop's thread has. **Thread:** any, while the loop is retained.
const char *swivel_loop_name(swivel_loop *loop);

/// The owner that the loop was created with, or that was set since.
void *SWIVEL_NULLABLE swivel_loop_owner(swivel_loop *loop);

/// Sets the owner. **Thread:** the creator's, before anything is posted.
void swivel_loop_set_owner(swivel_loop *loop, void *SWIVEL_NULLABLE owner);

/// The loop's clock: monotonic nanoseconds, or the virtual instant of a manual loop.
///
/// On one thread real time never goes back, whichever loop is asked. Inside a loop's closures it is
/// up to a microsecond ahead of `swivel_now_ns`, so that no deadline made from it is early.
///
/// **Thread:** any.
uint64_t swivel_loop_now(swivel_loop *loop);

/// The instant at which the current turn began. **Thread:** any; exact on the loop's.
uint64_t swivel_loop_turn_time(swivel_loop *loop);

/// Moves a manual loop's clock to `instant_ns` and runs everything due on the way, each timer at
/// its own instant. Going back is ignored. Inside one of the loop's closures only the clock moves:
/// time passes while the closure runs. **Thread:** the one that drives the loop.
void swivel_loop_advance(swivel_loop *loop, uint64_t instant_ns);

/// The earliest instant at which the loop has something to do; `SWIVEL_NEVER_NS` if nothing waits.
///
/// **Thread:** the one that drives the loop.
uint64_t swivel_loop_next_deadline(swivel_loop *loop);

/// A descriptor that is readable when `swivel_loop_run_once` has something to do.
int swivel_loop_fd(swivel_loop *loop);

/// Copies the loop's counters. **Thread:** any.
void swivel_loop_counters(swivel_loop *loop, swivel_counters *counters);

/// How many forks lie between this process and the one that loaded Swivel, as far as loops were
/// made before them. **Thread:** any.
uint32_t swivel_forks(void);

/// Monotonic nanoseconds since an arbitrary start. **Thread:** any.
uint64_t swivel_now_ns(void);

SWIVEL_ASSUME_NONNULL_END

#endif
