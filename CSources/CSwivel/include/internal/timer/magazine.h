// SPDX-License-Identifier: Apache-2.0
// A thread's small store of nodes for each loop that is not its own.
#ifndef SWIVEL_INTERNAL_MAGAZINE_H
#define SWIVEL_INTERNAL_MAGAZINE_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A node of the loop's slab for the calling thread; nil without memory. **Thread:** any, while the
/// loop is retained.
uint32_t swivel__magazine_take(swivel_loop *loop);

/// Puts an unused node back. **Thread:** the one that took it, while the loop is retained.
void swivel__magazine_put(swivel_loop *loop, uint32_t index);

/// The calling thread's nodes of the loop, if it has armed timers there and the nodes may become more
/// by one; else `NULL`. **Thread:** any but the loop's.
struct swivel_magazine *SWIVEL_NULLABLE swivel__magazine_with_room(const swivel_loop *loop);

/// Keeps a node whose timer the calling thread has recalled, for its next one.
void swivel__magazine_keep(struct swivel_magazine *magazine, uint32_t index);

SWIVEL_ASSUME_NONNULL_END

#endif
