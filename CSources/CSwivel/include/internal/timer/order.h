// SPDX-License-Identifier: Apache-2.0
// The numbers of calls that arm and move timers. Timers with equal deadlines fire in this order.
//
// A call on another thread takes its number from the loop's counter when it is made: its message may
// be read much later, and a move may send none. The loop's own thread takes a block of numbers for a
// turn, if others have taken any since its last block, and counts in that without atomics. So the
// numbers of one thread rise with its calls, on both sides. Calls of several threads have the order of
// the counter; a turn's own calls count as one, unless the turn runs a nested one.
#ifndef SWIVEL_INTERNAL_ORDER_H
#define SWIVEL_INTERNAL_ORDER_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Numbers in a block: more than most turns use, and few enough for centuries of blocks.
#define SWIVEL_ORDER_BLOCK (UINT64_C(1) << 16)

/// Takes the next block for the loop's own thread, behind what it has used.
static inline void swivel__order_take(swivel_loop *loop)
{
    uint64_t used = loop->wheel.sequence, next = SWIVEL_SETTING(&loop->inbox.order);
    // A turn that used up its block has gone on beyond it.
    while (next < used &&
           !SWIVEL_CAS(&loop->inbox.order, &next, used, relaxed, relaxed)) {
    }
    loop->wheel.sequence = SWIVEL_FETCH_ADD(&loop->inbox.order, SWIVEL_ORDER_BLOCK, relaxed);
    loop->numbers_end = loop->wheel.sequence + SWIVEL_ORDER_BLOCK;
}

/// The number of a call. **Thread:** any but the loop's own.
static inline uint64_t swivel__order_next(swivel_loop *loop)
{
    // Relaxed: the push of an entry, or the store of a deadline, publishes it.
    return SWIVEL_FETCH_ADD(&loop->inbox.order, 1, relaxed);
}

/// After a drain's limit is known: own calls from here on come after those of all entries up to it.
static inline void swivel__order_begin(swivel_loop *loop)
{
    if (SWIVEL_UNLIKELY(SWIVEL_SETTING(&loop->inbox.order) != loop->numbers_end)) {
        swivel__order_take(loop);
    }
}

/// At a turn's end, before other threads may learn of its calls.
static inline void swivel__order_end(swivel_loop *loop)
{
    if (SWIVEL_UNLIKELY(loop->wheel.sequence > loop->numbers_end)) {
        swivel__order_take(loop);
    }
}

SWIVEL_ASSUME_NONNULL_END

#endif
