// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/forks.h"
#include "../../include/internal/thread/barrier.h"
#include "../../include/swivel_loop.h"
#include "../../include/internal/thread/thread_end.h"

#include <pthread.h>
#include <stdlib.h>

SWIVEL_ATOMIC(uint32_t) swivel__fork_state;

/// Guards the lists. A fork holds it until it is over, so that threads wait for the fork here.
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static swivel_presence *all, *idle;

/// Threads that are in a section without a presence, for want of memory.
static SWIVEL_ATOMIC(uint32_t) unlisted;

/// Runs in a child.
static SWIVEL_ATOMIC(swivel_fork_function *) in_child;

static uint32_t forks; // Written while a child has one thread.

uint32_t swivel_forks(void)
{
    return forks;
}

static void thread_ended(void)
{
    swivel_presence *own = swivel__thread.presence;
    swivel__thread.presence = NULL;
    if (own != NULL) {
        pthread_mutex_lock(&registry);
        own->next_idle = idle;
        idle = own;
        pthread_mutex_unlock(&registry);
    }
}

/// Gives the calling thread a presence. False without memory.
static bool enlist(void)
{
    pthread_mutex_lock(&registry);
    swivel_presence *own = idle;
    if (own != NULL) {
        idle = own->next_idle;
    }
    pthread_mutex_unlock(&registry);
    if (own == NULL) {
        void *memory = NULL;
        if (posix_memalign(&memory, _Alignof(swivel_presence), sizeof *own) != 0) {
            return false;
        }
        own = memory;
        SWIVEL_STORE(&own->held, 0, relaxed);
        pthread_mutex_lock(&registry);
        own->next = all;
        all = own;
        pthread_mutex_unlock(&registry);
    }
    swivel__thread.presence = own;
    swivel__thread_end_call(SWIVEL_END_PRESENCE, thread_ended);
    return true;
}

void swivel__forks_hold_unlisted(void)
{
    if (swivel__thread.is_forking) {
        return;
    }
    if (swivel__thread.unlisted_depth == 0 && enlist()) {
        swivel__forks_hold();
    } else if (swivel__thread.unlisted_depth++ == 0) {
        pthread_mutex_lock(&registry);
        SWIVEL_FETCH_ADD(&unlisted, 1, relaxed);
        pthread_mutex_unlock(&registry);
    }
}

void swivel__forks_release_unlisted(void)
{
    if (!swivel__thread.is_forking && --swivel__thread.unlisted_depth == 0) {
        SWIVEL_FETCH_SUB(&unlisted, 1, release);
    }
}

void swivel__forks_wait(swivel_presence *own)
{
    for (;;) {
        uint32_t state = SWIVEL_LOAD(&swivel__fork_state, acquire);
        if (state & SWIVEL_FORK_NEEDS_FENCES) {
            SWIVEL_THREAD_FENCE(seq_cst);
            state = SWIVEL_LOAD(&swivel__fork_state, acquire);
        }
        if (!(state & SWIVEL_FORK_UNDER_WAY) || swivel__thread.is_forking) {
            return;
        }
        SWIVEL_STORE(&own->held, 0, release);
        pthread_mutex_lock(&registry);
        pthread_mutex_unlock(&registry);
        SWIVEL_STORE(&own->held, 1, relaxed);
        SWIVEL_COMPILER_FENCE();
    }
}

static void before_fork(void)
{
    // A signal's handler may fork while its own thread is in a section, which goes on afterwards.
    swivel_presence *own = swivel__thread.presence;
    pthread_mutex_lock(&registry);
    swivel__thread.is_forking = true;
    uint32_t state = SWIVEL_FETCH_OR(&swivel__fork_state, SWIVEL_FORK_UNDER_WAY, seq_cst);
    SWIVEL_THREAD_FENCE(seq_cst);
    if (!(state & SWIVEL_FORK_NEEDS_FENCES) && !swivel__barrier()) {
        // A store on its way from a processor to memory arrives within a fraction of this.
        SWIVEL_FETCH_OR(&swivel__fork_state, SWIVEL_FORK_NEEDS_FENCES, seq_cst);
        swivel__barrier_nap();
    }
    for (swivel_presence *each = all; each != NULL; each = each->next) {
        if (each != own) {
            swivel__wait_until_zero(&each->held);
        }
    }
    if (swivel__thread.unlisted_depth == 0) {
        swivel__wait_until_zero(&unlisted);
    }
}

static void after_fork(void)
{
    SWIVEL_FETCH_AND(&swivel__fork_state, ~(uint32_t)SWIVEL_FORK_UNDER_WAY, release);
    swivel__thread.is_forking = false;
    pthread_mutex_unlock(&registry);
}

static void after_fork_in_child(void)
{
    forks += 1;
    swivel__thread.knows_first = false;
    idle = NULL;
    for (swivel_presence *each = all; each != NULL; each = each->next) {
        if (each != swivel__thread.presence) {
            each->next_idle = idle;
            idle = each;
        }
    }
    swivel_fork_function *run = SWIVEL_LOAD(&in_child, acquire);
    if (run != NULL) {
        run();
    }
    after_fork();
}

void swivel__forks_call_in_child(swivel_fork_function *run)
{
    SWIVEL_STORE(&in_child, run, release);
}

int swivel__forks_watch(void)
{
    static bool is_watching; // Under the registry's lock.
    pthread_mutex_lock(&registry);
    int error = is_watching ? 0 : pthread_atfork(before_fork, after_fork, after_fork_in_child);
    is_watching = error == 0;
    pthread_mutex_unlock(&registry);
    return -error;
}

/// Early, while the process has one thread: registering for membarrier(2) costs milliseconds later.
__attribute__((constructor)) static void watch_at_start(void)
{
    swivel__forks_watch();
    swivel__thread_end_watch();
    if (!swivel__barrier()) {
        SWIVEL_FETCH_OR(&swivel__fork_state, SWIVEL_FORK_NEEDS_FENCES, relaxed);
    }
}
