// SPDX-License-Identifier: Apache-2.0
/// Loops: creation, posts, turns, shutdown, counters. All functions that get a loop are for callers
/// that retain it: between `swivel_loop_create` and `swivel_loop_release`.
#ifndef SWIVEL_LOOP_H
#define SWIVEL_LOOP_H

#include "swivel_config.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The fate of the closures that a loop had accepted before its shutdown.
typedef struct swivel_report {
    uint64_t ran;              ///< Closures that ran between the request and the end.
    uint64_t cancelled_timers; ///< Timers that were released without running.
    uint64_t cancelled_posts;  ///< Posts that were released without running.
    uint64_t cancelled_watches; ///< Descriptors and signals that were watched no more.
    uint64_t refused;          ///< Posts and schedules refused over the loop's life.
    bool complete;             ///< False: the loop closes when its outermost turn returns.
} swivel_report;

/// How a shutdown treats work that the loop has accepted.
typedef enum swivel_shutdown_mode {
    SWIVEL_CANCEL_PENDING, ///< Releases it.
    SWIVEL_DRAIN,          ///< Runs posts, and timers due within a limit.
} swivel_shutdown_mode;

/// Number of buckets in `swivel_counters.lateness`.
#define SWIVEL_LATENESS_BUCKETS 40

/// Counters of a loop since its creation. Each is exact, whether the loop sleeps or not; taken
/// together they are a snapshot in which a number may be one turn ahead of another.
typedef struct swivel_counters {
    uint64_t turns, posts, wakes, fired, cancelled, pending, missed, refused, parks;
    uint64_t life_ns; ///< Since it was driven first.
    uint64_t busy_ns; ///< While it was driven and did not sleep.
    /// Bucket *k* counts the fires that were late by less than 2^k ns (and not in bucket k-1).
    uint64_t lateness[SWIVEL_LATENESS_BUCKETS];
} swivel_counters;

/// Creates a loop in `loop`, and its thread if `drive` is `SWIVEL_OWN_THREAD`. On failure nothing
/// is left behind, and a later try can succeed. **Thread:** any.
/// - Parameter config: The settings, copied; `NULL`: the defaults.
/// - Returns: `SWIVEL_OK`, `SWIVEL_ECONFIG`, `UV_EMFILE`, `UV_ENOMEM`, `UV_EAGAIN` or another code.
/// - Complexity: O(1) system calls and allocations; O(n) in the records ever used at once.
int swivel_loop_create(const swivel_config *SWIVEL_NULLABLE config,
                       swivel_loop *SWIVEL_NULLABLE *SWIVEL_NONNULL loop);

/// Gives the record back for reuse. An open loop is shut down first, and its pending work
/// cancelled. Handles may be used forever. In a forked child it does nothing.
/// **Thread:** any, once. No other call on this loop may run at the same time or later.
/// - Complexity: That of `swivel_loop_shutdown`.
void swivel_loop_release(swivel_loop *loop);

/// Posts `work`. It runs on the loop's thread in one of its next turns, in order with the other
/// posts of this thread, never inside this call. On failure the caller still owns the work: it was
/// neither run nor released. **Thread:** any.
/// - Returns: `SWIVEL_OK`, `SWIVEL_ESHUTDOWN`, `SWIVEL_EFORKED` or `UV_ENOMEM`.
/// - Complexity: O(1), no allocation but one queue segment in 512 posts.
int swivel_post(swivel_loop *loop, swivel_work work);

/// Posts `work` as `swivel_post`, unless `max_pending_posts` or more posts wait. **Thread:** any.
/// - Returns: As `swivel_post`, or `SWIVEL_EFULL`.
/// - Complexity: O(1), no allocation but one queue segment in 512 posts.
int swivel_try_post(swivel_loop *loop, swivel_work work);

/// Wakes the loop if it is parked, without posting anything. **Thread:** any.
/// - Complexity: O(1), no allocation.
void swivel_loop_wake(swivel_loop *loop);

/// Runs turns until `swivel_loop_stop` or shutdown. For loops without a thread of their own.
/// **Thread:** any, one at a time, outside the loop's closures.
/// - Returns: `SWIVEL_OK` after a stop; `SWIVEL_ESHUTDOWN` or `SWIVEL_EFORKED` when the loop is
///   over; `SWIVEL_EDEADLOCK` if another thread runs the loop, or its own does.
/// - Complexity: That of its turns.
int swivel_loop_run(swivel_loop *loop);

/// Runs one turn. With `wait` it parks first, until a closure can run, the loop is woken or it is
/// requested to end; arming, moving and cancelling timers does not end the wait.
///
/// **Thread:** any, one at a time, outside the loop's closures.
/// - Parameter more: Set to whether work is left that is due now; may be `NULL`.
/// - Returns: `SWIVEL_OK`, `SWIVEL_ESHUTDOWN`, `SWIVEL_EFORKED` or `SWIVEL_EDEADLOCK`, as
///   `swivel_loop_run`.
/// - Complexity: That of one turn, which `turn_count` and `turn_ns` limit.
int swivel_loop_run_once(swivel_loop *loop, bool wait, bool *SWIVEL_NULLABLE more);

/// Makes `swivel_loop_run` return after its current turn. A stop before the run counts. A loop with
/// a thread of its own runs until its shutdown. **Thread:** any.
/// - Complexity: O(1), no allocation.
void swivel_loop_stop(swivel_loop *loop);

/// Runs turns inside one of the loop's closures until `done(argument)` is true or the deadline is
/// reached. A thread that makes `done` true calls `swivel_loop_wake` afterwards.
/// **Thread:** the loop's, inside a closure.
/// - Parameter done: Whether the wait is over; called with `argument` between turns; never blocks.
/// - Parameter deadline_ns: The end, on the loop's clock; `SWIVEL_NEVER_NS`: none.
/// - Parameter check_ns: Real time after which a park ends so that `done` is called; 0: none.
/// - Returns: 1 when `done` became true; 0 at the deadline; `SWIVEL_EDEADLOCK` when waits are
///   nested so deeply that the stack ends; `SWIVEL_ESTUCK` when a manual loop had nothing to do for
///   as long as its patience lasts.
/// - Complexity: That of its turns; no allocation of its own.
int swivel_loop_pump(swivel_loop *loop, bool (*done)(void *SWIVEL_NULLABLE argument),
                     void *SWIVEL_NULLABLE argument, uint64_t deadline_ns, uint64_t check_ns);

/// Shuts the loop down.
///
/// In the `mode` `SWIVEL_DRAIN` accepted posts and one-shots due within `within_ns` run first, with
/// the work that they schedule; repeats stop. A manual loop's time moves from deadline to deadline.
///
/// Every caller gets the same report. The call waits for the end, except in the loop's own
/// closures: there it returns at once with `complete == false`. In a closure of another loop it
/// does so once that loop is asked to close as well. **Thread:** any, any number of times.
/// - Parameter report: Set to the report; may be `NULL`.
/// - Complexity: O(n) in the nodes that were ever in use at once, and the closures that it runs.
void swivel_loop_shutdown(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns,
                          swivel_report *SWIVEL_NULLABLE report);

/// Whether the loop refuses work, and why. **Thread:** any.
/// - Returns: `SWIVEL_OK`: it does not; `SWIVEL_ESHUTDOWN`; in a forked child `SWIVEL_EFORKED`.
/// - Complexity: O(1), no allocation.
int swivel_loop_refusal(swivel_loop *loop);

/// Returns the loop whose closures this thread is running, or `NULL`. **Thread:** any.
/// - Complexity: O(1), no allocation.
swivel_loop *SWIVEL_NULLABLE swivel_loop_current(void);

/// Whether the calling thread is this loop's, inside one of its turns. **Thread:** any.
/// - Complexity: O(1), no allocation.
bool swivel_loop_is_current(swivel_loop *loop);

/// Returns the loop's time: monotonic nanoseconds, or the virtual instant of a manual loop. `NULL`:
/// of the loop whose closure the calling thread runs, else the real time.
///
/// On one thread real time never goes back, whichever loop is asked. Inside a loop's closures it is
/// up to 1 µs ahead of `swivel_now_ns`, so no deadline made from it is early. **Thread:** any.
/// - Complexity: O(1), no allocation.
uint64_t swivel_loop_now(swivel_loop *SWIVEL_NULLABLE loop);

/// Moves a manual loop's clock forward to `instant_ns`, and runs everything due on the way, each
/// timer at its own instant. One in the past is ignored. Inside one of the loop's closures only the
/// clock moves: time passes while the closure runs. **Thread:** the thread that drives the loop.
/// - Parameter turns: How many turns one instant may take.
/// - Returns: `SWIVEL_OK`; `SWIVEL_ESTUCK` if the turns ran out because work at this instant does
///   not end; `SWIVEL_EDEADLOCK` if another thread drives the loop; or the loop's refusal.
/// - Complexity: That of the turns it runs.
int swivel_loop_advance(swivel_loop *loop, uint64_t instant_ns, uint64_t turns);

/// Returns the earliest instant, on the loop's clock, at which it has something to do: 0 if that is
/// now, `SWIVEL_NEVER_NS` if nothing waits. **Thread:** the thread that drives the loop.
/// - Complexity: O(1), no allocation.
uint64_t swivel_loop_next_deadline(swivel_loop *loop);

/// Returns a descriptor that is readable when `swivel_loop_run_once` has something to do. The loop
/// owns it. The only error is -1: the loop has closed. **Thread:** the thread that drives the loop.
/// - Complexity: O(1), no allocation.
int swivel_loop_fd(swivel_loop *loop);

/// Copies the loop's counters to `counters`. **Thread:** any.
/// - Complexity: O(1), no allocation.
void swivel_loop_counters(swivel_loop *loop, swivel_counters *counters);

/// Returns the number of forks since the process that loaded Swivel. **Thread:** any.
/// - Complexity: O(1), no allocation.
uint32_t swivel_forks(void);

/// Returns monotonic nanoseconds since an arbitrary start. **Thread:** any.
/// - Complexity: O(1), no allocation.
uint64_t swivel_now_ns(void);

SWIVEL_ASSUME_NONNULL_END

#endif
