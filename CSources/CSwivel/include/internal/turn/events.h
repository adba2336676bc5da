// SPDX-License-Identifier: Apache-2.0
// The events of watchers in a turn, which calls these functions in this order. **Thread:** the loop's.
#ifndef SWIVEL_INTERNAL_EVENTS_H
#define SWIVEL_INTERNAL_EVENTS_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// If a timer is due at `now_ns`, queues what is ready: a part of it, if it is much.
void swivel__watchers_listen_for_timers(swivel_loop *loop, uint64_t now_ns);

/// Delivers what is queued, within the budget. Returns whether some of it is left.
bool swivel__watchers_deliver(swivel_loop *loop, uint64_t now_ns);

/// Polls again, and delivers what it finds, as long as events come without a sleep and nothing else
/// does: a turn and a park for each of them would cost twice as much. Returns whether some are left.
bool swivel__watchers_follow(swivel_loop *loop, uint64_t now_ns);

/// Whether timers may fire, due by `*due_ns`: all that was ready then has been delivered. If not,
/// `*due_ns` is 0 if none was due when the turn began.
bool swivel__watchers_let_fire(swivel_loop *loop, uint64_t *due_ns);

SWIVEL_ASSUME_NONNULL_END

#endif
