// SPDX-License-Identifier: Apache-2.0
#include "../include/internal/thread_end.h"
#include "../include/internal/atomics.h"
#include "../include/internal/forks.h"
#include "../include/internal/lock.h"
#include "../include/internal/magazine.h"

#include <pthread.h>

static pthread_key_t at_end;
static SWIVEL_ATOMIC(bool) is_watched;
static swivel_lock making;
static _Thread_local bool is_expected;

/// Other destructors may come back to Swivel after this one: then it runs once more.
static void ended(void *unused)
{
    (void)unused;
    is_expected = false;
    swivel__thread_ended();
    swivel__magazine_give_back();
    swivel__forks_thread_ended();
}

int swivel__thread_end_watch(void)
{
    if (SWIVEL_LOAD(&is_watched, acquire)) {
        return SWIVEL_OK;
    }
    swivel__lock(&making);
    int error = SWIVEL_LOAD(&is_watched, relaxed) ? 0 : pthread_key_create(&at_end, ended);
    if (error == 0) {
        SWIVEL_STORE(&is_watched, true, release);
    }
    swivel__unlock(&making);
    swivel__thread_end_expect();
    return -error;
}

void swivel__thread_end_expect(void)
{
    if (!is_expected && SWIVEL_LOAD(&is_watched, acquire)) {
        is_expected = pthread_setspecific(at_end, &is_expected) == 0;
    }
}
