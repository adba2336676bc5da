// SPDX-License-Identifier: Apache-2.0
// The budget of one phase of a turn, in closures and in time, so that nothing waits for the end of
// a long queue.
#ifndef SWIVEL_INTERNAL_BUDGET_H
#define SWIVEL_INTERNAL_BUDGET_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Closures between two readings of the clock, at most: while they are quick.
#define SWIVEL_CLOCK_STRIDE 32

/// The rest of a phase's budget.
typedef struct swivel_budget {
    uint32_t left;
    uint32_t stride, until_reading; ///< Closures between two readings of the clock, and until the next.
    uint64_t looked_ns, ends_ns;
} swivel_budget;

static inline swivel_budget swivel__budget_start(swivel_loop *loop)
{
    uint64_t now = swivel__loop_now(loop);
    swivel_budget result = {loop->config.turn_count, 1, 1, now,
                            swivel__saturating_add(now, loop->config.turn_ns)};
    return result;
}

/// Reads the clock: after each closure while they are slow.
static inline void swivel__budget_read(swivel_loop *loop, swivel_budget *budget, uint64_t *now_ns)
{
    *now_ns = swivel__loop_now(loop);
    bool quick = *now_ns - budget->looked_ns < loop->config.turn_ns / 16;
    budget->stride = !quick                                 ? 1
                     : budget->stride < SWIVEL_CLOCK_STRIDE ? budget->stride * 2
                                                            : SWIVEL_CLOCK_STRIDE;
    budget->until_reading = budget->stride;
    budget->looked_ns = *now_ns;
    if (*now_ns >= budget->ends_ns) {
        budget->left = 0;
    }
}

/// Whether there is a closure left to spend; called after each. `*now_ns` follows the clock.
static inline bool swivel__budget_lasts(swivel_loop *loop, swivel_budget *budget, uint64_t *now_ns)
{
    budget->left -= 1;
    if (--budget->until_reading == 0) {
        swivel__budget_read(loop, budget, now_ns);
    }
    return budget->left > 0;
}

SWIVEL_ASSUME_NONNULL_END

#endif
