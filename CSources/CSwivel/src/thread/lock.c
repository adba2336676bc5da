// SPDX-License-Identifier: Apache-2.0
// On Linux a futex with three states (Drepper, "Futexes Are Tricky", mutex 3); on Apple's systems
// their own lock, which lends its holder the priority of its waiters.
#include "../../include/internal/thread/lock.h"
#include "../../include/internal/thread/forks.h"
#include "../../include/internal/thread/sleep.h"

#if defined(__APPLE__)

static void take(swivel_lock *lock)
{
    os_unfair_lock_lock(&lock->word);
}

static bool try_take(swivel_lock *lock)
{
    return os_unfair_lock_trylock(&lock->word);
}

static void give(swivel_lock *lock)
{
    os_unfair_lock_unlock(&lock->word);
}

#else

static bool try_take(swivel_lock *lock)
{
    uint32_t open = 0;
    return SWIVEL_CAS(&lock->word, &open, 1, acquire, relaxed);
}

static void take(swivel_lock *lock)
{
    if (SWIVEL_LIKELY(try_take(lock))) {
        return;
    }
    while (SWIVEL_EXCHANGE(&lock->word, 2, acquire) != 0) {
        swivel__sleep_while(&lock->word, 2, SWIVEL_REAL_NEVER);
    }
}

static void give(swivel_lock *lock)
{
    if (SWIVEL_UNLIKELY(SWIVEL_EXCHANGE(&lock->word, 0, release) == 2)) {
        swivel__sleep_end(&lock->word, false);
    }
}

#endif

void swivel__lock(swivel_lock *lock)
{
    swivel__forks_hold();
    take(lock);
}

bool swivel__try_lock(swivel_lock *lock)
{
    swivel__forks_hold();
    bool taken = try_take(lock);
    if (!taken) {
        swivel__forks_release();
    }
    return taken;
}

void swivel__unlock(swivel_lock *lock)
{
    give(lock);
    swivel__forks_release();
}

bool swivel__condition_wait(swivel_condition *condition, swivel_lock *lock, swivel_real until)
{
    uint32_t turn = SWIVEL_LOAD(&condition->turn, relaxed);
    condition->sleepers += 1;
    swivel__unlock(lock);
    bool in_time = swivel__sleep_while(&condition->turn, turn, until);
    swivel__lock(lock);
    condition->sleepers -= 1;
    return in_time;
}

void swivel__condition_broadcast(swivel_condition *condition)
{
    if (condition->sleepers > 0) {
        // A thread that is not asleep yet finds another turn, and stays awake.
        SWIVEL_STORE(&condition->turn, SWIVEL_LOAD(&condition->turn, relaxed) + 1, relaxed);
        swivel__sleep_end(&condition->turn, true);
    }
}
