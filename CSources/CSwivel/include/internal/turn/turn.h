// SPDX-License-Identifier: Apache-2.0
// One turn of a loop, its budget, and its events of watchers. **Thread:** the loop's.
#ifndef SWIVEL_INTERNAL_TURN_H
#define SWIVEL_INTERNAL_TURN_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// turn.c
/// Runs a turn at `now_ns`, within the budget. Returns whether work that is due is left.
bool swivel__turn(swivel_loop *loop, uint64_t now_ns);
/// Runs one entry of a queue: a post, or a message about a node.
void swivel__perform(swivel_loop *loop, swivel_entry entry, uint64_t now_ns);
/// Counts a closure of an uncounted timer that is about to run, and was due at `due_ns`; 0: no
/// lateness. **Thread:** any, while the loop is retained.
void swivel__count_run(swivel_loop *loop, uint64_t due_ns);
/// Counts the lateness of a timer that was due at `due_ns`; 0: none.
void swivel__count_lateness(swivel_loop *loop, uint64_t due_ns, uint64_t now_ns);

// events.c, in the order in which a turn calls it
/// If a timer is due at `now_ns`, queues what is ready: a part of it, if it is much.
void swivel__watchers_listen_for_timers(swivel_loop *loop, uint64_t now_ns);
/// Delivers what is queued, within the budget. Then it polls again, and delivers what it finds, as
/// long as events come without a sleep and nothing else does: a turn and a park for each of them
/// would cost twice as much. Returns whether some are left.
bool swivel__watchers_deliver(swivel_loop *loop);

/// Closures between two readings of the clock, at most: while they are quick.
#define SWIVEL_CLOCK_STRIDE 32

/// The rest of one phase's budget, in closures and in time.
typedef struct swivel_budget {
    uint32_t left;
    uint32_t stride, until_reading; ///< Closures between two readings of the clock; until the next.
    uint64_t read_ns, ends_ns;
} swivel_budget;

/// A whole budget from `now` on.
static inline swivel_budget swivel__budget_from(swivel_loop *loop, uint64_t now)
{
    swivel_budget result = {loop->config.turn_count, 1, 1, now,
                            swivel__saturating_add(now, loop->config.turn_ns)};
    return result;
}

static inline swivel_budget swivel__budget_start(swivel_loop *loop)
{
    return swivel__budget_from(loop, swivel__loop_now(loop));
}

/// Reads the clock: after each closure while they are slow.
static inline void swivel__budget_read(swivel_loop *loop, swivel_budget *budget, uint64_t *now_ns)
{
    *now_ns = swivel__loop_now(loop);
    bool quick = *now_ns - budget->read_ns < loop->config.turn_ns / 16;
    uint32_t more = budget->stride < SWIVEL_CLOCK_STRIDE ? budget->stride * 2 : budget->stride;
    budget->until_reading = budget->stride = quick ? more : 1;
    budget->read_ns = *now_ns;
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
