// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/lock.h"
#include "../../include/internal/thread/sleep.h"

bool swivel__condition_wait(swivel_condition *condition, swivel_lock *lock, swivel_mono until)
{
    uint32_t before = SWIVEL_LOAD(&condition->changes, relaxed);
    condition->sleepers += 1;
    swivel__unlock(lock);
    bool in_time = swivel__sleep_while(&condition->changes, before, until);
    swivel__lock(lock);
    condition->sleepers -= 1;
    return in_time;
}

void swivel__condition_broadcast(swivel_condition *condition)
{
    if (condition->sleepers > 0) {
        SWIVEL_STORE(&condition->changes, SWIVEL_LOAD(&condition->changes, relaxed) + 1, relaxed);
        swivel__sleep_end(&condition->changes, true);
    }
}
