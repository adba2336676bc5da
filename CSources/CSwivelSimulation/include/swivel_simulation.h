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

#ifdef __clang__
#define SWIVEL_SIM_NULLABLE _Nullable
#define SWIVEL_SIM_NONNULL _Nonnull
#else
#define SWIVEL_SIM_NULLABLE
#define SWIVEL_SIM_NONNULL
#endif

/// A thread's share of the world that it runs.
typedef struct swivel_sim_thread {
    void *SWIVEL_SIM_NULLABLE world; ///< `NULL`: the thread runs none.
    int64_t monotonic_ns;            ///< The world's time on the clocks that never go back.
    int64_t wall_ns;                 ///< The same on the wall clock, since 1970.
    uint64_t random;                 ///< The state of the generator behind the system's.
    void *SWIVEL_SIM_NULLABLE executor; ///< The executor that new tasks prefer, in two words.
    uintptr_t executor_table;
    bool makes_task; ///< The thread is making a task, which may have a job already.
    /// Called for each task that is made; `site`: its function.
    void (*SWIVEL_SIM_NULLABLE made)(void *SWIVEL_SIM_NONNULL world,
                                     const void *SWIVEL_SIM_NONNULL task,
                                     const char *SWIVEL_SIM_NULLABLE name,
                                     const void *SWIVEL_SIM_NULLABLE site);
} swivel_sim_thread;

/// The calling thread's.
swivel_sim_thread *SWIVEL_SIM_NONNULL swivel_sim_here(void);
/// Time that really passes, in a world too.
int64_t swivel_sim_real_ns(void);

/// The number of a job's task, which no other one has or had.
uint64_t swivel_sim_task_number(const void *SWIVEL_SIM_NONNULL job);
/// Cancels a task.
void swivel_sim_cancel(const void *SWIVEL_SIM_NONNULL task);
size_t swivel_sim_references(void *SWIVEL_SIM_NONNULL object);
void swivel_sim_retain(void *SWIVEL_SIM_NONNULL object);
void swivel_sim_release(void *SWIVEL_SIM_NONNULL object);

/// The two seeds of Swift's hashing in this process.
void swivel_sim_hash_seeds(uint64_t seeds[SWIVEL_SIM_NONNULL 2]);
/// While true, new sets and dictionaries take nothing from their addresses. Returns the old value.
bool swivel_sim_set_hashes_alike(bool are_alike);

/// Writes the calling thread's name.
void swivel_sim_thread_name(char name[SWIVEL_SIM_NONNULL 16]);

/// Keeps a text that is written to standard error if a signal ends the process; `NULL`: none.
void swivel_sim_last_words(const char *SWIVEL_SIM_NULLABLE text);

#endif
