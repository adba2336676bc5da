// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "classic.h"
#include "cores.h"

uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void sleep_until(uint64_t instant_ns)
{
    for (uint64_t now = now_ns(); now < instant_ns; now = now_ns()) {
        uint64_t rest = instant_ns - now;
        struct timespec t = {(time_t)(rest / 1000000000), (long)(rest % 1000000000)};
        (void)nanosleep(&t, NULL);
    }
}

static int64_t nanoseconds(struct timeval time)
{
    return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

static struct usage used(void)
{
    struct rusage own;
    (void)getrusage(RUSAGE_SELF, &own);
    return (struct usage){nanoseconds(own.ru_utime) + nanoseconds(own.ru_stime), own.ru_nvcsw,
                          own.ru_nivcsw};
}

static int64_t thread_cpu_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Waits until the process uses hardly any CPU: the lab's `Settle` with its limits. Returns the CPU time
// that the wait itself has cost the calling thread.
static int64_t settle(void)
{
    int64_t start = thread_cpu_ns();
    uint64_t limit = now_ns() + 5000000000u;
    int64_t last = used().cpu_ns;
    for (int calm = 0; calm < 2 && now_ns() < limit;) {
        sleep_until(now_ns() + 1000000);
        int64_t now = used().cpu_ns;
        calm = now < last + 150000 ? calm + 1 : 0;
        last = now;
    }
    return thread_cpu_ns() - start;
}

void span_begin(struct span *span)
{
    (void)settle();
    span->used = used();
    span->start_ns = now_ns();
}

void span_end(struct span *span, uint64_t instant_ns)
{
    span->wall_ns = (int64_t)(instant_ns - span->start_ns);
    // Of the wait, which sleeps too, only the CPU time counts.
    struct usage end = used();
    int64_t waiting = settle();
    span->used.cpu_ns = used().cpu_ns - waiting - span->used.cpu_ns;
    span->used.sleeps = end.sleeps - span->used.sleeps;
    span->used.preemptions = end.preemptions - span->used.preemptions;
}

void *memory(size_t count, size_t size)
{
    void *memory = calloc(count == 0 ? 1 : count, size);
    if (memory == NULL) {
        (void)fputs("no memory\n", stderr);
        abort();
    }
    return memory;
}

// The SplitMix64 generator (Steele, Lea, Flood 2014).
uint64_t draw(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15;
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

uint64_t take_core(uint32_t number)
{
    uint64_t cores = cores_of_thread(0), all = cores;
    int count = __builtin_popcountll(cores);
    for (int skipped = count == 0 ? 0 : (int)(number % (uint32_t)count); skipped > 0;
         skipped -= 1) {
        cores &= cores - 1;
    }
    if (count > 0) {
        cores_confine(0, cores & -cores);
    }
    return all;
}

void give_cores(uint64_t cores)
{
    if (cores != 0) {
        cores_confine(0, cores);
    }
}

void leave_free(uint32_t producers)
{
    uint64_t cores = cores_of_thread(0);
    if (producers < (uint32_t)__builtin_popcountll(cores)) {
        for (uint32_t i = 0; i < producers; i += 1) {
            cores &= cores - 1;
        }
        cores_confine(0, cores);
    }
}
