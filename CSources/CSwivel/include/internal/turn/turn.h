// SPDX-License-Identifier: Apache-2.0
// One turn of a loop.
#ifndef SWIVEL_INTERNAL_TURN_H
#define SWIVEL_INTERNAL_TURN_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Runs one turn at `now_ns`: drains, advances, fires, within the budget. Returns whether work that
/// is due is left. **Thread:** the loop's.
bool swivel__turn(swivel_loop *loop, uint64_t now_ns);

/// Counts a closure of an uncounted timer that is about to run, and was due at `due_ns`; 0: no
/// lateness. **Thread:** any, while the loop is retained.
void swivel__count_run(swivel_loop *loop, uint64_t due_ns);

/// Counts the lateness of an uncounted timer that was due at `due_ns`; 0: none. **Thread:** the loop's.
void swivel__count_lateness(swivel_loop *loop, uint64_t due_ns);

/// Runs one entry of a queue: a post, or a message about a node.
void swivel__perform(swivel_loop *loop, swivel_entry entry, uint64_t now_ns);

SWIVEL_ASSUME_NONNULL_END

#endif
