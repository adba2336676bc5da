// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/thread/thread_end.h"
#include "../../include/internal/thread/atomics.h"
#include "../../include/internal/thread/thread.h"

#include <stddef.h>

/// The key, and 1; 0 before there is one.
static SWIVEL_ATOMIC(uintptr_t) key_and_one;
static SWIVEL_ATOMIC(swivel_end_function *) at_end[SWIVEL_ENDS];

/// Other destructors may come back to Swivel after this one: then it runs once more.
static void ended(void *unused)
{
    (void)unused;
    swivel__thread.is_end_expected = false;
    for (int i = 0; i < SWIVEL_ENDS; i++) {
        swivel_end_function *run = SWIVEL_LOAD(&at_end[i], acquire);
        if (run != NULL) {
            run();
        }
    }
}

int swivel__thread_end_watch(void)
{
    uintptr_t none = 0;
    if (SWIVEL_LOAD(&key_and_one, acquire) == none) {
        pthread_key_t key;
        int error = pthread_key_create(&key, ended);
        if (error != 0) {
            return -error;
        }
        if (!SWIVEL_CAS(&key_and_one, &none, (uintptr_t)key + 1, acq_rel, acquire)) {
            pthread_key_delete(key); // Another thread was faster.
        }
    }
    swivel__thread_end_expect();
    return SWIVEL_OK;
}

void swivel__thread_end_expect(void)
{
    uintptr_t known = swivel__thread.is_end_expected ? 0 : SWIVEL_LOAD(&key_and_one, acquire);
    if (known != 0) {
        int error = pthread_setspecific((pthread_key_t)(known - 1), &swivel__thread);
        swivel__thread.is_end_expected = error == 0;
    }
}

bool swivel__thread_end_call(swivel_end end, swivel_end_function *run)
{
    // Mostly known: a store would take the line from all threads that come here.
    if (SWIVEL_LOAD(&at_end[end], relaxed) != run) {
        SWIVEL_STORE(&at_end[end], run, release);
    }
    swivel__thread_end_expect();
    return swivel__thread.is_end_expected;
}
