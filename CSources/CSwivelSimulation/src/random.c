// SPDX-License-Identifier: Apache-2.0
// Random numbers: all that `SystemRandomNumberGenerator` generates. The standard library takes them
// from the system's call, by the C library's function for any call.
#if defined(__linux__)
#include "../include/swivel_simulation.h"

#include <dlfcn.h>
#include <sys/syscall.h>

/// SplitMix64.
static uint64_t next(swivel_sim_thread *here)
{
    uint64_t z = here->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static long fill(swivel_sim_thread *here, void *buffer, size_t count)
{
    for (size_t done = 0; done < count;) {
        uint64_t word = next(here);
        size_t part = count - done < sizeof word ? count - done : sizeof word;
        memcpy((char *)buffer + done, &word, part);
        done += part;
    }
    return (long)count;
}

/// The C library's function.
static long (*of_system)(long, ...);

/// Called before other threads exist.
__attribute__((constructor)) static void find(void)
{
    of_system = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

// The library's declaration has a variable list, which passes up to six words as this one does.
// Those that the caller has not passed are not looked at.
SWIVEL_SIM_BARE long syscall(long number, long a, long b, long c, long d, long e, long f)
{
    swivel_sim_thread *here = swivel_sim_here();
    if (here->world != NULL && number == SYS_getrandom) {
        return fill(here, (void *)a, (size_t)b);
    }
    if (of_system == NULL) {
        find();
    }
    return of_system(number, a, b, c, d, e, f);
}

#endif
