// SPDX-License-Identifier: Apache-2.0
// Runs a few coroutines through every interleaving of their atomic operations, as far as a bound on
// preemptions goes: depth-first, by replay. After M. Musuvathi and S. Qadeer, "Iterative Context
// Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007: most races need two
// preemptions or fewer.
//
// A strong exploration is sequentially consistent. A weak one has fewer preemptions and explores
// what memory orders allow as well, see memory.h; it finds data races on plain memory where the
// sources are compiled with `-fsanitize=thread`, whose calls tsan.c answers. `EXPLORER_WEAK` in the
// environment chooses it.
#ifndef SWIVEL_MODEL_EXPLORER_H
#define SWIVEL_MODEL_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>

#define EXPLORER_THREADS_MAX 4

typedef struct explorer_model {
    const char *name;
    int threads;
    /// Before each execution. Not explored.
    void (*reset)(void);
    /// The work of thread `number`. Explored.
    void (*body)(int number);
    /// No thread can continue. True: something was changed that lets one continue. May be `NULL`.
    bool (*stuck)(void);
    /// After each execution. Not explored.
    void (*check)(void);
    /// At most; one less where the exploration is weak.
    int preemptions;
} explorer_model;

/// Not all memory that threads share is announced: no execution is left out for repeating another.
extern bool explorer_is_whole;

/// Explores the models one after the other, and prints one line about each. Ends the program with 1
/// when a check fails.
void explorer_run(const explorer_model *models, size_t count);
#define EXPLORER_RUN(models) explorer_run(models, sizeof(models) / sizeof *(models))

/// A point at which another thread may go on. Outside of an exploration it does nothing.
void explorer_point(void);

/// Blocks the calling thread until `ready(argument)`.
void explorer_wait(bool (*ready)(void *argument), void *argument);

/// Blocks the calling thread until another one has gone on: the body of a waiting loop.
void explorer_yield(void);

/// The thread that is running; negative outside of an execution. Set by the explorer.
extern int explorer_running;
static inline int explorer_thread(void)
{
    return explorer_running;
}

/// Whether the exploration is weak. Set by the explorer.
extern bool explorer_weak;
/// Whether an execution of a weak exploration is under way.
static inline bool explorer_is_weak(void)
{
    return explorer_weak && explorer_running >= 0;
}

/// Whether the execution under way is the one whose number `EXPLORER_TRACE` names: each atomic
/// operation says what it does.
bool explorer_traces(void);

/// One of `width` ways to go on, each in an execution of its own. 0 comes first.
int explorer_choose(int width);

/// Names storage that each thread is to have for itself, and a function to call when another
/// thread than before continues.
void explorer_thread_local(void *storage, size_t bytes, void (*switches)(int from, int to));

/// Ends the program, and says after which choices.
void explorer_fail(const char *what, const char *file, int line);

#define EXPLORER_CHECK(condition)                                                                  \
    ((condition) ? (void)0 : explorer_fail(#condition, __FILE__, __LINE__))

#endif
