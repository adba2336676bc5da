// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cores.h"

#include <time.h>

/// Keeps the compiler from adding up what the processor is to add.
#define OPAQUE(a, b, c, d) __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

double cores_room(void)
{
    uint64_t first = 1, second = 2, third = 3, fourth = 4, chain = 5;
    uint64_t began = now_ns();
    for (int i = 0; i < 16000; i += 1) {
        first += 1, second += 1, third += 1, fourth += 1;
        OPAQUE(first, second, third, fourth);
    }
    uint64_t middle = now_ns();
    for (int i = 0; i < 8000; i += 1) {
        // A multiplication takes three cycles, of which it keeps its unit for one.
        chain *= first;
        OPAQUE(chain, first, second, third);
    }
    uint64_t ended = now_ns();
    return middle == began ? 0 : (double)(ended - middle) / (double)(middle - began);
}

#if defined(__linux__)

#include <sched.h>

uint64_t cores_of_thread(int thread)
{
    cpu_set_t set;
    uint64_t cores = 0;
    if (sched_getaffinity(thread, sizeof set, &set) == 0) {
        for (int core = 0; core < 64; core += 1) {
            cores |= (uint64_t)(CPU_ISSET(core, &set) != 0) << core;
        }
    }
    return cores;
}

void cores_confine(int thread, uint64_t cores)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core = 0; core < 64; core += 1) {
        if ((cores >> core & 1) != 0) {
            CPU_SET(core, &set);
        }
    }
    (void)sched_setaffinity(thread, sizeof set, &set);
}

#else

uint64_t cores_of_thread(int thread)
{
    (void)thread;
    return 0;
}

void cores_confine(int thread, uint64_t cores)
{
    (void)thread;
    (void)cores;
}

#endif
