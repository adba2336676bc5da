// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/forks.h"
#include "../../include/internal/thread/atomics.h"
#include "../../include/internal/thread/fatal.h"
#include "../../include/internal/thread/thread.h"

static uint32_t forks; // Written while a child has one thread.
static SWIVEL_ATOMIC(swivel_fork_call *) calls;

uint32_t swivel_forks(void)
{
    return forks;
}

static void in_child(void)
{
    forks += 1;
    swivel__thread.knows_first = false;
    for (swivel_fork_call *call = SWIVEL_LOAD(&calls, acquire); call != NULL; call = call->next) {
        call->run(call->argument);
    }
}

void swivel__forks_call_in_child(swivel_fork_call *call)
{
    call->next = SWIVEL_LOAD(&calls, relaxed);
    while (!SWIVEL_CAS(&calls, &call->next, call, release, relaxed)) {
    }
}

__attribute__((constructor)) static void watch_forks(void)
{
    if (pthread_atfork(NULL, NULL, in_child) != 0) {
        swivel__fatal("there is no memory to notice forks.");
    }
    swivel__thread_end_watch();
}
