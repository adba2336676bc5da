// SPDX-License-Identifier: Apache-2.0
// The part of a simulated world that lies beneath Swift: the process's clocks and random numbers,
// the runtime's tasks, and a last word if a run ends the process.
//
// Functions of other libraries that are defined here replace theirs in the whole program. On a
// thread that runs no world they call those.
#ifndef SWIVEL_SIMULATION_H
#define SWIVEL_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h> // Swift takes `getenv` and `strdup` from here, on each platform.
#include <string.h>

#pragma clang assume_nonnull begin

/// Of a function that runs where no sanitizer does: before its start, or at the end of a thread.
#define SWIVEL_SIM_BARE __attribute__((disable_sanitizer_instrumentation))

/// A thread's share of the world that it runs.
typedef struct swivel_sim_thread {
    void *_Nullable world; ///< `NULL`: the thread runs none.
    int64_t monotonic_ns;  ///< The world's time on the clocks that never go back.
    int64_t wall_ns;       ///< The same on the wall clock, since 1970.
    uint64_t random;       ///< The state of the generator behind the system's.
    uintptr_t executor[2]; ///< The executor that new tasks prefer.
    bool makes_task;       ///< The thread is making a task, which may have a job already.
    /// Called for each task that is made; `site`: its function.
    void (*_Nullable made)(void *world, const void *task, const char *_Nullable name,
                           const void *_Nullable site);
    /// Written to standard error if a signal ends the process.
    const char *_Nullable last_words;
} swivel_sim_thread;

/// The calling thread's.
swivel_sim_thread *swivel_sim_here(void);
/// The calling thread's name, until the next call.
const char *swivel_sim_thread_name(void);
/// From now on, a signal that ends the process writes the last words of its thread first.
void swivel_sim_catch_signals(void);

/// How this process hashes: the standard library's own variable.
typedef struct swivel_sim_hashing {
    uint64_t seeds[2];
    bool is_deterministic; ///< New sets and dictionaries take nothing from their addresses.
} swivel_sim_hashing;

swivel_sim_hashing *swivel_sim_hashes(void);

/// The runtime's: how many references there are to an object.
size_t swift_retainCount(void *object);

#pragma clang assume_nonnull end
#endif
