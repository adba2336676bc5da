// SPDX-License-Identifier: Apache-2.0
// One turn of a loop.
#ifndef SWIVEL_INTERNAL_TURN_H
#define SWIVEL_INTERNAL_TURN_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Runs one turn at `now_ns`: drains, advances, fires, within the budget. Returns whether work that
/// is due is left. **Thread:** the loop's.
bool swivel__turn(swivel_loop *loop, uint64_t now_ns);

/// Runs one entry of a queue: a post, or a message about a node.
void swivel__perform(swivel_loop *loop, swivel_entry entry, uint64_t now_ns);

SWIVEL_ASSUME_NONNULL_END

#endif
