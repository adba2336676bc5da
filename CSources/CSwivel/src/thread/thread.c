// SPDX-License-Identifier: Apache-2.0
// The calling thread's own state, and its end.
#include "../../include/internal/thread/thread.h"

#include <sched.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// Stack that is left to a closure that a pump calls.
#define SWIVEL_STACK_RESERVE (128u * 1024u)

SWIVEL_THREAD_LOCAL swivel_thread swivel__thread;

void *swivel__thread_cell(void)
{
    return swivel__thread.cell;
}

swivel_loop *swivel_loop_current(void)
{
    return swivel__thread.loops.current;
}

bool swivel_loop_is_current(swivel_loop *loop)
{
    return swivel__thread.loops.current == loop;
}

uint64_t swivel__thread_number(void)
{
    static SWIVEL_ATOMIC(uint64_t) numbers;
    if (swivel__thread.number == 0) {
        swivel__thread.number = SWIVEL_FETCH_ADD(&numbers, 1, relaxed) + 1;
    }
    return swivel__thread.number;
}

bool swivel__thread_is_first(void)
{
    if (!swivel__thread.knows_first) {
#if defined(__linux__)
        swivel__thread.is_first = syscall(SYS_gettid) == getpid();
#else
        swivel__thread.is_first = pthread_main_np() != 0;
#endif
        swivel__thread.knows_first = true;
    }
    return swivel__thread.is_first;
}

/// The lowest address, from the system; 0 if unknown.
static uintptr_t find_stack_low(void)
{
    uintptr_t low = 0;
#if defined(__linux__)
    pthread_attr_t attributes;
    void *address;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
            low = (uintptr_t)address + SWIVEL_STACK_RESERVE;
        }
        pthread_attr_destroy(&attributes);
    }
#elif defined(__APPLE__)
    low = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) -
          pthread_get_stacksize_np(pthread_self()) + SWIVEL_STACK_RESERVE;
#endif
    return low;
}

bool swivel__stack_is_low(void)
{
    if (swivel__thread.stack_low == 0) {
        swivel__thread.stack_low = find_stack_low();
    }
    // Not a variable's address: AddressSanitizer keeps those elsewhere.
    return (uintptr_t)__builtin_frame_address(0) < swivel__thread.stack_low;
}

static pthread_key_t key;
static bool has_key; ///< From the start of the library on.
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

void swivel__thread_end_watch(void)
{
    has_key = pthread_key_create(&key, ended) == 0;
}

bool swivel__thread_end_expect(void)
{
    if (has_key && !swivel__thread.is_end_expected) {
        swivel__thread.is_end_expected = pthread_setspecific(key, &swivel__thread) == 0;
    }
    return swivel__thread.is_end_expected;
}

bool swivel__thread_end_call(swivel_end end, swivel_end_function *run)
{
    // Mostly known: a store would take the line from all threads that come here.
    if (SWIVEL_LOAD(&at_end[end], relaxed) != run) {
        SWIVEL_STORE(&at_end[end], run, release);
    }
    return swivel__thread_end_expect();
}

#if defined(SWIVEL_CHAOS)

/// Now and then pauses or yields before an atomic operation, so that tests meet interleavings that
/// a quiet machine never shows. Never sleeps: with timer slack a sleep has no end.
void swivel__point(void)
{
    static _Thread_local uint64_t random;
    random = random * UINT64_C(6364136223846793005) + (uintptr_t)&random;
    uint32_t dice = (uint32_t)(random >> 40) & 1023;
    for (int i = 0; dice < 8 && i < (dice == 0 ? 64 : 1); i++) {
        sched_yield();
    }
    for (int i = 0; dice >= 8 && dice < 32 && i < 64; i++) {
        SWIVEL_PAUSE();
    }
}

#endif
