// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "bare_threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *word)
{
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

#else
#include <os/os_sync_wait_on_address.h>

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
    (void)os_sync_wait_on_address((void *)word, value, sizeof *word, OS_SYNC_WAIT_ON_ADDRESS_NONE);
}

static void wake(_Atomic uint32_t *word)
{
    (void)os_sync_wake_by_address_any((void *)word, sizeof *word, OS_SYNC_WAKE_BY_ADDRESS_NONE);
}

#endif

// Each word has a cache line of its own. It counts the calls, or the answers.
struct bare_pair {
    _Alignas(64) _Atomic uint32_t asked;
    int64_t question;
    bool ends;
    _Alignas(64) _Atomic uint32_t answered;
    int64_t answer;
    _Alignas(64) pthread_t thread;
    bool looks;
};

// The acquiring load pairs with the release in `count_up`.
static void wait_for(struct bare_pair *pair, _Atomic uint32_t *word, uint32_t number)
{
    uint32_t now = atomic_load_explicit(word, memory_order_acquire);
    while (now != number) {
        if (!pair->looks) {
            sleep_while(word, now);
        }
        now = atomic_load_explicit(word, memory_order_acquire);
    }
}

static void count_up(struct bare_pair *pair, _Atomic uint32_t *word)
{
    (void)atomic_fetch_add_explicit(word, 1, memory_order_release);
    if (!pair->looks) {
        wake(word);
    }
}

static void *serve(void *argument)
{
    struct bare_pair *pair = argument;
    for (uint32_t number = 1;; number += 1) {
        wait_for(pair, &pair->asked, number);
        if (pair->ends) {
            return NULL;
        }
        pair->answer = pair->question;
        count_up(pair, &pair->answered);
    }
}

int bare_pair_open(bool looks, struct bare_pair **out)
{
    struct bare_pair *pair = aligned_alloc(64, sizeof *pair);
    if (pair == NULL) {
        return ENOMEM;
    }
    *pair = (struct bare_pair){.looks = looks};
    int status = pthread_create(&pair->thread, NULL, serve, pair);
    if (status != 0) {
        free(pair);
        return status;
    }
    *out = pair;
    return 0;
}

int64_t bare_pair_call(struct bare_pair *pair, int64_t value)
{
    uint32_t number = atomic_load_explicit(&pair->answered, memory_order_relaxed) + 1;
    pair->question = value;
    count_up(pair, &pair->asked);
    wait_for(pair, &pair->answered, number);
    return pair->answer;
}

void bare_pair_close(struct bare_pair *pair)
{
    pair->ends = true;
    count_up(pair, &pair->asked);
    (void)pthread_join(pair->thread, NULL);
    free(pair);
}
