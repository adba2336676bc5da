// SPDX-License-Identifier: Apache-2.0
/// Timers: one-shot, repeating, re-armable; their handles.
#ifndef SWIVEL_TIMER_H
#define SWIVEL_TIMER_H

#include "swivel_loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A timer's handle: trivially copyable, retains nothing, harmless when stale.
typedef struct swivel_timer {
    swivel_loop *SWIVEL_NULLABLE loop; ///< `NULL`: the schedule was refused.
    uint32_t index;
    uint32_t generation;
} swivel_timer;

/// Whether a cancel or the closure has won.
typedef enum swivel_cancel_result {
    SWIVEL_CANCELLED, ///< The closure never ran and never will.
    SWIVEL_RUNNING,   ///< The closure is running; a repeat has no further tick.
    SWIVEL_FINISHED,  ///< The timer was over: run, cancelled or refused.
} swivel_cancel_result;

/// One firing of a repeating timer.
typedef struct swivel_tick {
    swivel_timer timer;
    uint64_t index;        ///< The number of this instant of the grid, from 0.
    uint64_t scheduled_ns; ///< That instant.
    uint64_t now_ns;       ///< The loop's time when the tick began.
    uint64_t missed;       ///< Instants that passed without a tick since the previous one.
} swivel_tick;

/// How a repeat treats instants that passed while it could not run.
typedef enum swivel_missed {
    SWIVEL_MISSED_SKIP,      ///< The index jumps over them; the grid stays.
    SWIVEL_MISSED_DELAY,     ///< The grid restarts at the late tick.
    SWIVEL_MISSED_BURST,     ///< They run one after another until the repeat has caught up.
    SWIVEL_AFTER_COMPLETION, ///< Not a grid: the delay counts from the closure's end.
} swivel_missed;

/// A repeating timer's grid.
typedef struct swivel_grid {
    uint64_t first_ns;    ///< The instant of tick 0. 0: at once, as a post; the loop's time then.
    uint64_t interval_ns; ///< At least 1.
    uint64_t index;       ///< The number of the tick at `first_ns`: 0 for a new grid.
    uint32_t seed;        ///< Of the jitter; 0: derived from the timer.
    swivel_missed missed;
    float jitter_low, jitter_high; ///< Fractions of the interval added to each tick, both >= 0.
} swivel_grid;

/// Runs `work` once, at least `delay_ns` from now (saturating); zero is a post with a handle.
///
/// Refused after shutdown, in a forked child and without memory: then the handle's `loop` is
/// `NULL`, and the caller still owns the work. **Thread:** any, while the loop is retained.
/// - Parameter leeway_ns: How much later it may fire, so that timers share a wake-up.
/// - Returns: The timer's handle.
/// - Complexity: O(1), no allocation in the steady state.
swivel_timer swivel_schedule(swivel_loop *loop, uint64_t delay_ns, uint64_t leeway_ns,
                             swivel_work work);

/// Runs `work` once, at the instant `deadline_ns` on the loop's clock; one that has passed is a
/// post with a handle. `leeway_ns` is as in `swivel_schedule`.
/// **Thread:** any, while the loop is retained.
/// - Returns: The timer's handle, with `loop == NULL` if it was refused.
/// - Complexity: O(1), no allocation in the steady state.
swivel_timer swivel_schedule_at(swivel_loop *loop, uint64_t deadline_ns, uint64_t leeway_ns,
                                swivel_work work);

/// Runs `work` for each tick of `grid`, a copy, until it is cancelled. Ticks never overlap.
/// **Thread:** any, while the loop is retained.
/// - Parameter leeway_ns: How much later than its instant a tick may come, in nanoseconds. Counts
///   for half an interval at most: it never costs a tick.
/// - Returns: The timer's handle, with `loop == NULL` if it was refused.
/// - Complexity: O(1), no allocation in the steady state.
swivel_timer swivel_schedule_every(swivel_loop *loop, const swivel_grid *grid, uint64_t leeway_ns,
                                   swivel_work work);

/// Cancels a timer. After `SWIVEL_CANCELLED` the work never starts, and was released on the calling
/// thread. A stale handle gives `SWIVEL_FINISHED`. **Thread:** any, at any time.
/// - Returns: Whether the cancel or the closure has won.
/// - Complexity: O(1), no allocation but one queue segment in 512 cancels from other threads.
swivel_cancel_result swivel_cancel(swivel_timer timer);

/// Moves a pending timer to at least `delay_ns` from now; zero is a post.
///
/// A repeat's next tick moves, and its grid continues from there. The timer comes last among those
/// with its deadline. Of several threads that move a timer at once, the last one counts.
/// **Thread:** any, at any time.
/// - Returns: True: the timer does not fire before that. False: it is over, or it is a reusable
///   timer.
/// - Complexity: O(1) without allocation, however many moves wait for a busy loop.
bool swivel_rearm(swivel_timer timer, uint64_t delay_ns);

/// Whether the timer will fire (again) unless it is cancelled. **Thread:** any, at any time.
/// - Complexity: O(1), no allocation.
bool swivel_is_pending(swivel_timer timer);

/// Requests the `ended` hook for when the timer's closure returns. False: the closure is not
/// running, and the hook will not be called. **Thread:** any, at any time.
/// - Complexity: O(1), no allocation.
bool swivel_watch(swivel_timer timer);

/// Creates a reusable timer: one that is armed again and again without an allocation, and keeps its
/// `work` until it is freed. Its creator owns it and retains the loop until then. The handle works
/// with the functions below only. Refused like `swivel_schedule`.
/// **Thread:** any, while the loop is retained.
/// - Returns: The timer's handle, with `loop == NULL` if it was refused.
/// - Complexity: O(1), no allocation in the steady state.
swivel_timer swivel_reusable_create(swivel_loop *loop, swivel_work work);

/// Arms a reusable timer for `deadline_ns` on the loop's clock, or moves it if it is armed; it may
/// fire `leeway_ns` later. Armed in its own closure, it fires again after that has returned. A
/// deadline that has passed is a post; else the timer comes last among those with its deadline.
/// **Thread:** any, before `swivel_reusable_free`.
/// - Returns: False: the loop refuses work.
/// - Complexity: O(1), no allocation.
bool swivel_reusable_arm(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns);

/// Disarms a reusable timer: it does not fire before it is armed again.
/// **Thread:** any, before `swivel_reusable_free`.
/// - Returns: `SWIVEL_CANCELLED` if it was armed, `SWIVEL_RUNNING` if its closure is running, else
///   `SWIVEL_FINISHED`.
/// - Complexity: O(1), no allocation.
swivel_cancel_result swivel_reusable_disarm(swivel_timer timer);

/// Whether a reusable timer is armed. **Thread:** any, before `swivel_reusable_free`.
/// - Complexity: O(1), no allocation.
bool swivel_reusable_is_armed(swivel_timer timer);

/// Ends a reusable timer and releases its work: now, or when the closure returns if it is running.
/// **Thread:** any, once.
/// - Complexity: O(1), no allocation but one queue segment in 512 calls from other threads.
void swivel_reusable_free(swivel_timer timer);

SWIVEL_ASSUME_NONNULL_END

#endif
