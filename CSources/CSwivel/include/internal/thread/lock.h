// SPDX-License-Identifier: Apache-2.0
// The locks of the C core and of the Swift layer. None is ever held in a forked child, and the data
// that they guard is whole there: see forks.h.
#ifndef SWIVEL_INTERNAL_LOCK_H
#define SWIVEL_INTERNAL_LOCK_H

#include "../../swivel_base.h"
#include "atomics.h"
#include "real.h"

#if defined(__APPLE__)
#include <os/lock.h>
#endif

SWIVEL_ASSUME_NONNULL_BEGIN

/// A lock. Zeroed memory is an open one, which takes nothing from the system and is never
/// destroyed.
typedef struct swivel_lock {
#if defined(__APPLE__)
    os_unfair_lock word;
#else
    SWIVEL_ATOMIC(uint32_t) word; ///< 0: open, 1: held, 2: held, and somebody may sleep for it.
#endif
} swivel_lock;

/// A place for threads to sleep that have found nothing to do under a lock. The lock guards it.
/// Zeroed memory: no thread sleeps.
typedef struct swivel_condition {
    SWIVEL_ATOMIC(uint32_t) turn; ///< Another one ends the sleeps that began before it.
    uint32_t sleepers;
} swivel_condition;

/// Takes the lock. Waits for it, and for a running fork. Code under it may take another lock, and
/// must neither sleep nor call user code.
///
/// **Thread:** any.
/// - Complexity: two atomic exchanges with the unlock, if nobody else wants it.
void swivel__lock(swivel_lock *lock);

/// Takes the lock unless a thread holds it. **Thread:** any.
bool swivel__try_lock(swivel_lock *lock);

/// Gives the lock up. **Thread:** the one that holds it.
void swivel__unlock(swivel_lock *lock);

/// Gives the lock up, sleeps until a broadcast or until `until`, and takes the lock again. May wake
/// for no reason. No other lock may be held.
///
/// **Thread:** one that holds the lock.
/// - Returns: False at the end of the time.
bool swivel__condition_wait(swivel_condition *condition, swivel_lock *lock, swivel_real until);

/// Wakes all sleepers. **Thread:** one that holds the lock.
void swivel__condition_broadcast(swivel_condition *condition);

SWIVEL_ASSUME_NONNULL_END

#endif
