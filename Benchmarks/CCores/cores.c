// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cores.h"

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
