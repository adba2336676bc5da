// SPDX-License-Identifier: Apache-2.0
// Forks while every thread is under locks, and what a child finds of them.
#include "include/process.h"
#include "internal/thread/lock.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define LOCKS 8
#define LIMIT_S 10

/// Two numbers that are equal whenever nobody holds the lock.
typedef struct pair {
    swivel_lock lock;
    swivel_condition changed;
    uint64_t first, second;
} pair;

static pair pairs[LOCKS];
static _Atomic bool is_over;

static void change(pair *pair)
{
    swivel__lock(&pair->lock);
    pair->first += 1;
    atomic_signal_fence(memory_order_seq_cst); // A fork in between finds them different.
    for (volatile int i = 0; i < 20; i++) {
    }
    pair->second += 1;
    swivel__condition_broadcast(&pair->changed);
    swivel__unlock(&pair->lock);
}

/// Takes the locks one inside the other, in one order.
static void change_two(int number)
{
    pair *outer = &pairs[number % (LOCKS - 1)], *inner = outer + 1;
    swivel__lock(&outer->lock);
    outer->first += 1;
    change(inner);
    outer->second += 1;
    swivel__unlock(&outer->lock);
}

static void *hammer(void *argument)
{
    int number = (int)(intptr_t)argument;
    for (int i = 0; !atomic_load(&is_over); i++) {
        if (i % 8 == 0) {
            pair *pair = &pairs[(i + number) % LOCKS];
            swivel__lock(&pair->lock);
            swivel__condition_wait(&pair->changed, &pair->lock, swivel__real_after(swivel__real_now(), 100000));
            pair->first += 1;
            pair->second += 1;
            swivel__unlock(&pair->lock);
        } else {
            change_two(i + number);
        }
    }
    return NULL;
}

/// In the child: every lock is open, and what it guards is whole. Returns the child's exit code.
static int look(void)
{
    for (int i = 0; i < LOCKS; i++) {
        if (!swivel__try_lock(&pairs[i].lock)) {
            return 2;
        }
        if (pairs[i].first != pairs[i].second) {
            return 3;
        }
        // Those who slept for a change are not here, and nobody waits for them to notice it.
        swivel__condition_broadcast(&pairs[i].changed);
        swivel__unlock(&pairs[i].lock);
        change(&pairs[i]);
    }
    pthread_t thread;
    atomic_store(&is_over, true);
    if (pthread_create(&thread, NULL, hammer, NULL) != 0 || pthread_join(thread, NULL) != 0) {
        return 4;
    }
    return 0;
}

static const char *fork_once(void)
{
    pid_t child = fork();
    if (child == 0) {
        swivel_end_child_after(LIMIT_S);
        _exit(look());
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return NULL;
    }
    return WIFSIGNALED(status)           ? "the child hung"
           : WEXITSTATUS(status) == 2    ? "a lock is held in the child"
           : WEXITSTATUS(status) == 3    ? "what a lock guards is half changed in the child"
                                         : "the child could not start a thread";
}

const char *swivel_fork_beside_locks(uint32_t forks)
{
    pthread_t threads[THREADS];
    const char *broken = NULL;
    for (intptr_t i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, hammer, (void *)i);
    }
    for (uint32_t i = 0; i < forks && broken == NULL; i++) {
        broken = fork_once();
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return broken;
}
