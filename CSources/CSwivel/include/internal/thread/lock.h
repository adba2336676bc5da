// SPDX-License-Identifier: Apache-2.0
// The locks of the C core and of the Swift layer: the system's.
#ifndef SWIVEL_INTERNAL_LOCK_H
#define SWIVEL_INTERNAL_LOCK_H

#include "../../swivel_config.h"

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

SWIVEL_ASSUME_NONNULL_END

#endif
