// SPDX-License-Identifier: Apache-2.0
// The arithmetic of repeats: which tick of a grid is taken up at an instant, how many were missed,
// and when the next one is due. Pure: a grid is a value, and the present is an argument. Once a
// tick has been taken up, the grid begins with the next one. Sums saturate at `SWIVEL_NEVER_NS`.
#ifndef SWIVEL_INTERNAL_GRID_H
#define SWIVEL_INTERNAL_GRID_H

#include "../../swivel_timer.h"
#include "../thread/mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The part of a leeway that counts: half an interval at most, or a tick would come when the next
/// is due, and cost it. All of it after a closure's end, where no tick can be missed.
uint64_t swivel__grid_leeway(const swivel_grid *grid, uint64_t leeway_ns);

/// When the next tick is due: its instant and its jitter. Each call draws a jitter of its own, so
/// the caller keeps the result for `swivel__grid_take`.
uint64_t swivel__grid_due(swivel_grid *grid);

/// Whether `now_ns` is a whole interval or more after `due_ns`: a tick was missed.
static inline bool swivel__grid_misses(const swivel_grid *grid, uint64_t due_ns, uint64_t now_ns)
{
    return now_ns > due_ns && now_ns - due_ns >= grid->interval_ns;
}

/// Takes up, at `now_ns`, the tick that was due at `due_ns`, and moves the grid to the one after
/// it. The caller sets the result's `timer`.
///
/// With `SWIVEL_MISSED_SKIP` the tick is the latest one whose instant has come. Otherwise it is the
/// grid's next one, whatever its lateness. `SWIVEL_MISSED_DELAY` restarts the grid at `now_ns` if a
/// tick was missed. With `SWIVEL_AFTER_COMPLETION` the grid stays until `swivel__grid_end`.
swivel_tick swivel__grid_take(swivel_grid *grid, uint64_t due_ns, uint64_t now_ns);

/// The closure of the tick that was taken up returned at `now_ns`.
void swivel__grid_end(swivel_grid *grid, uint64_t now_ns);

SWIVEL_ASSUME_NONNULL_END

#endif
