// SPDX-License-Identifier: Apache-2.0
// The order of posts that one thread makes in a loop's closures and elsewhere: the former go to the
// loop's own ring, the latter to the inbox.
#ifndef SWIVEL_INTERNAL_GATE_H
#define SWIVEL_INTERNAL_GATE_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The calling thread begins to drive the loop: own posts from here on come after what it has sent,
/// and those of an earlier drive before that.
void swivel__gate_enter(swivel_loop *loop);

/// The calling thread is in a closure of the loop, and leaves it for another loop or for the guest's
/// work: what it sends from here on is noted. `NULL`: it was in none.
void swivel__gate_leave(swivel_loop *SWIVEL_NULLABLE loop);
/// It is back: what it has sent comes after own posts of before, and before those of later.
void swivel__gate_return(swivel_loop *SWIVEL_NULLABLE loop);

SWIVEL_ASSUME_NONNULL_END

#endif
