// SPDX-License-Identifier: Apache-2.0
// The locks of the C core and of the Swift layer: the system's.
#ifndef SWIVEL_INTERNAL_LOCK_H
#define SWIVEL_INTERNAL_LOCK_H

#include "../../swivel_config.h"
#include "atomics.h"
#include "mono.h"

#if defined(__APPLE__)
#include <os/lock.h>
#else
#include <pthread.h>
#endif

SWIVEL_ASSUME_NONNULL_BEGIN

/// A lock. Zeroed memory is an open one, and none is ever destroyed.
typedef struct swivel_lock {
#if defined(__APPLE__)
    os_unfair_lock system;
#else
    pthread_mutex_t system;
#endif
} swivel_lock;

/// Threads that sleep until what a lock, which guards this too, guards has changed. Zero at first.
typedef struct swivel_condition {
    SWIVEL_ATOMIC(uint32_t) changes; ///< Another number ends the sleeps that began before it.
    uint32_t sleepers;
} swivel_condition;

// Code under a lock may take another lock, and must neither sleep nor call user code.

#if defined(SWIVEL_MODEL)
void swivel__lock(swivel_lock *lock);
bool swivel__try_lock(swivel_lock *lock);
void swivel__unlock(swivel_lock *lock);
#else
static inline void swivel__lock(swivel_lock *lock)
{
#if defined(__APPLE__)
    os_unfair_lock_lock(&lock->system);
#else
    pthread_mutex_lock(&lock->system);
#endif
}

static inline bool swivel__try_lock(swivel_lock *lock)
{
#if defined(__APPLE__)
    return os_unfair_lock_trylock(&lock->system);
#else
    return pthread_mutex_trylock(&lock->system) == 0;
#endif
}

static inline void swivel__unlock(swivel_lock *lock)
{
#if defined(__APPLE__)
    os_unfair_lock_unlock(&lock->system);
#else
    pthread_mutex_unlock(&lock->system);
#endif
}
#endif

/// Opens a lock that a thread of the parent may hold. **Thread:** the only one of a forked child.
static inline void swivel__lock_renew(swivel_lock *lock)
{
    *lock = (swivel_lock){0};
}

/// Gives the lock up, the only one held, sleeps until a broadcast or `until`, and takes it again.
/// May wake for no reason. False: the time is over. **Thread:** one that holds the lock.
bool swivel__condition_wait(swivel_condition *condition, swivel_lock *lock, swivel_mono until);
/// Wakes all sleepers. **Thread:** one that holds the lock.
void swivel__condition_broadcast(swivel_condition *condition);

SWIVEL_ASSUME_NONNULL_END

#endif
