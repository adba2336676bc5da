// SPDX-License-Identifier: Apache-2.0
// A barrier that one thread executes for all of them. Two threads that each store and then look at
// what the other has stored need a full barrier in between (Dekker), or both may miss the other.
// Where one of them does so rarely, and the other in nanoseconds, the rare one takes on both.
#ifndef SWIVEL_INTERNAL_BARRIER_H
#define SWIVEL_INTERNAL_BARRIER_H

#include "../../swivel_base.h"
#include "atomics.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Makes every running thread of the process execute a full barrier, by membarrier(2): 0.2 to 5 µs.
/// False: the system cannot. **Thread:** any.
bool swivel__barrier(void);

/// Sleeps for longer than a store takes on its way from a processor to memory: all that is left where
/// there is no barrier.
void swivel__barrier_nap(void);

/// Waits until the word, which another thread sets for a few instructions, is zero.
void swivel__wait_until_zero(SWIVEL_ATOMIC(uint32_t) *word);

SWIVEL_ASSUME_NONNULL_END

#endif
