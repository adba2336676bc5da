// SPDX-License-Identifier: Apache-2.0
// The locks of a stub: points like all others. A lock is taken while its first word is not zero.
#include "explorer.h"
#include "memory.h"

#include "internal/thread/lock.h"

static bool is_open(void *lock)
{
    return *(uint32_t *)lock == 0;
}

static void set(swivel_lock *lock, uint32_t word)
{
    *(uint32_t *)lock = word;
}

bool swivel__try_lock(swivel_lock *lock)
{
    explorer_point();
    bool open = is_open(lock);
    set(lock, 1);
    if (open) {
        memory_take(lock);
    }
    return open;
}

void swivel__lock(swivel_lock *lock)
{
    explorer_point();
    if (explorer_thread() >= 0) {
        explorer_wait(is_open, lock);
    }
    EXPLORER_CHECK(is_open(lock));
    set(lock, 1);
    memory_take(lock);
}

void swivel__unlock(swivel_lock *lock)
{
    memory_give(lock);
    set(lock, 0);
}
