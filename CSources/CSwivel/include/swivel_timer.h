// SPDX-License-Identifier: Apache-2.0
/// Timers: one-shot, repeating, re-armable; their handles.
#ifndef SWIVEL_TIMER_H
#define SWIVEL_TIMER_H

#include "swivel_loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// What users hold of a timer: trivially copyable, retains nothing, harmless when stale.
typedef struct swivel_timer {
    swivel_loop *SWIVEL_NULLABLE loop; ///< `NULL`: the schedule was refused.
    uint32_t index;
    uint32_t generation;
} swivel_timer;

/// Who won: the caller of `swivel_cancel`, or the closure.
typedef enum swivel_cancel_result {
    /// The closure never ran and never will; the canceller owns it.
    SWIVEL_CANCELLED,
    /// The closure is under way; a repeat has no further tick.
    SWIVEL_RUNNING,
    /// It was over before: run, cancelled or refused.
    SWIVEL_FINISHED,
} swivel_cancel_result;

/// One firing of a repeating timer.
typedef struct swivel_tick {
    swivel_timer timer;
    uint64_t index;        ///< Which instant of the grid this is, from 0.
    uint64_t scheduled_ns; ///< That instant.
    uint64_t now_ns;       ///< The loop's time when the tick was taken up.
    uint64_t missed;       ///< Instants that passed without a tick since the previous one.
} swivel_tick;

/// What a repeat does with instants that passed while it could not run.
typedef enum swivel_missed {
    SWIVEL_MISSED_SKIP,      ///< The index jumps over them; the grid stays.
    SWIVEL_MISSED_DELAY,     ///< The grid restarts at the late tick.
    SWIVEL_MISSED_BURST,     ///< They run one after another until the repeat has caught up.
    SWIVEL_AFTER_COMPLETION, ///< Not a grid: the delay counts from the closure's end.
} swivel_missed;

/// A repeating timer's grid.
typedef struct swivel_grid {
    uint64_t first_ns;    ///< The instant of tick 0.
    uint64_t interval_ns; ///< At least 1.
    uint64_t leeway_ns;   ///< Counts for half an interval at most: it never costs a tick.
    swivel_missed missed;
    double jitter_low, jitter_high; ///< Fractions of the interval added to each tick, both >= 0.
    uint64_t seed;                  ///< Of the jitter; 0: derived from the timer.
    uint64_t index;                 ///< The number of the tick at `first_ns`: 0 for a new grid.
} swivel_grid;

/// Runs `work` once, at least `delay_ns` from now and at most `leeway_ns` after that, plus what the
/// loop is late by. A delay of zero is a post with a handle.
///
/// **Thread:** any. Refused (handle with `loop == NULL`, work still the caller's) after shutdown,
/// in a forked child and without memory.
/// - Complexity: O(1), no allocation in the steady state.
swivel_timer swivel_schedule(swivel_loop *loop, uint64_t delay_ns, uint64_t leeway_ns,
                             swivel_work work);

/// As `swivel_schedule` with an absolute deadline on the loop's clock.
swivel_timer swivel_schedule_at(swivel_loop *loop, uint64_t deadline_ns, uint64_t leeway_ns,
                                swivel_work work);

/// Runs `work` for each tick of `grid` until it is cancelled.
swivel_timer swivel_schedule_every(swivel_loop *loop, const swivel_grid *grid, swivel_work work);

/// Asks that the timer never fires (again), and releases its work if that was still possible.
///
/// **Thread:** any, at any time, also for stale handles. After `SWIVEL_CANCELLED` the work never
/// starts and has been released.
/// - Complexity: O(1).
swivel_cancel_result swivel_cancel(swivel_timer timer);

/// Moves a pending timer to `delay_ns` from now. True: it does not fire before that. False: it is
/// over. A repeat's next tick moves, and its grid goes on from there.
///
/// **Thread:** any. Of moves from several threads at once the last one counts.
/// - Complexity: O(1) without allocation, whatever the number of moves that wait for a busy loop.
bool swivel_rearm(swivel_timer timer, uint64_t delay_ns);

/// Whether the timer will fire (again) unless it is cancelled. **Thread:** any.
bool swivel_is_pending(swivel_timer timer);

/// Asks for the `ended` hook when the closure that is under way ends. False: none is under way.
bool swivel_watch(swivel_timer timer);

/// As `swivel_schedule_at`, or as `swivel_schedule_every` where `grid` is given, for work that runs
/// on a foreign context: the loop keeps the time and hands the due timer over through the
/// `hand_over` hook. `context` names 40 bytes that are moved into the timer.
swivel_timer swivel_schedule_foreign(swivel_loop *loop, uint64_t deadline_ns, uint64_t leeway_ns,
                                     const swivel_grid *SWIVEL_NULLABLE grid, void *context,
                                     swivel_work work);

/// Claims a timer that was handed over, on the context where its work is to run. False: it was
/// cancelled. After true the work is in `work`: a one-shot's is the caller's to run and release, a
/// repeat's to run only.
bool swivel_handed_begin(swivel_timer timer, swivel_work *work);

/// Takes back a handed timer that nobody began: its context has dropped it. True: the work is in
/// `work` and is the caller's to release.
bool swivel_handed_drop(swivel_timer timer, swivel_work *work);

/// Ends what `swivel_handed_begin` began; a repeat has its next tick armed.
void swivel_handed_end(swivel_timer timer, swivel_work *work, bool repeats);

/// A timer that is armed again and again without an allocation. Its work is kept until it is freed.
///
/// A kept timer belongs to who created it, who retains the loop as long as it exists; its handle is
/// used with the functions of this group only.
swivel_timer swivel_kept_create(swivel_loop *loop, swivel_work work);

/// Arms or re-arms a kept timer. **Thread:** any. False: the loop refuses work.
bool swivel_kept_arm(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns);

/// Disarms a kept timer: it does not fire before it is armed again. **Thread:** any.
swivel_cancel_result swivel_kept_disarm(swivel_timer timer);

/// Whether a kept timer is armed. **Thread:** any.
bool swivel_kept_is_armed(swivel_timer timer);

/// Ends a kept timer. Its work is released: at once, or as soon as it returns if it is under way.
void swivel_kept_free(swivel_timer timer);

SWIVEL_ASSUME_NONNULL_END

#endif
