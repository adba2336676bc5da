// SPDX-License-Identifier: Apache-2.0
// A fork waits until no other thread is under one of Swivel's locks, and keeps them from taking
// one. A child has the forking thread alone: a lock that another one held would stay held there,
// and its data half changed.
//
// A thread says in a word of its own that it is about to take a lock, and looks whether a fork is
// under way; a fork says that it is, and looks at every thread's word. One of the two sees the
// other (Dekker). Forks are rare, so the full barrier that this needs between a thread's store and
// its load is the fork's affair: membarrier(2) has every running thread execute one.
#ifndef SWIVEL_INTERNAL_FORKS_H
#define SWIVEL_INTERNAL_FORKS_H

#include "../../swivel_base.h"
#include "atomics.h"
#include "thread.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A thread's word to forks.
typedef struct swivel_presence {
    _Alignas(64) SWIVEL_ATOMIC(uint32_t) held; ///< Locks that it holds or is about to take.
    struct swivel_presence *SWIVEL_NULLABLE next;      ///< Of all that there are.
    struct swivel_presence *SWIVEL_NULLABLE next_idle; ///< Of those that are no thread's.
} swivel_presence;

/// Reasons for a thread to look closer before it takes a lock.
enum {
    SWIVEL_FORK_UNDER_WAY = 1,
    /// There is no membarrier here: the barrier is each thread's own affair.
    SWIVEL_FORK_NEEDS_FENCES = 2,
};

extern SWIVEL_ATOMIC(uint32_t) swivel__fork_state;

/// Notices forks from here on. Returns `SWIVEL_OK` or a negative errno; a later try may
/// succeed.
///
/// **Thread:** any, any number of times. The library's constructor is the first.
int swivel__forks_watch(void);

typedef void swivel_fork_function(void);

/// Calls `run` in every child, which has one thread and holds no lock of Swivel's.
/// **Thread:** any.
void swivel__forks_call_in_child(swivel_fork_function *run);

// The cold parts of the two below: a thread's first lock, and a fork that may be under way.
void swivel__forks_hold_unlisted(void);
void swivel__forks_release_unlisted(void);
void swivel__forks_wait(swivel_presence *own);

/// Keeps forks out until the next `swivel__forks_release`, waiting for the end of one that is under
/// way. Calls nest. **Thread:** any; the section must not wait for another thread that is outside
/// of one.
static inline void swivel__forks_hold(void)
{
    swivel_presence *own = swivel__thread.presence;
    if (SWIVEL_UNLIKELY(own == NULL)) {
        swivel__forks_hold_unlisted();
        return;
    }
    uint32_t held = SWIVEL_SETTING(&own->held);
    SWIVEL_STORE(&own->held, held + 1, relaxed);
    // The compiler's half of the barrier; the processor's is the fork's.
    SWIVEL_COMPILER_FENCE();
    if (SWIVEL_UNLIKELY(held == 0 && SWIVEL_LOAD(&swivel__fork_state, relaxed) != 0)) {
        swivel__forks_wait(own);
    }
}

/// Ends the section. **Thread:** the same.
static inline void swivel__forks_release(void)
{
    swivel_presence *own = swivel__thread.presence;
    if (SWIVEL_UNLIKELY(own == NULL)) {
        swivel__forks_release_unlisted();
        return;
    }
    // Pairs with the fork's look: changes made under the lock are in the child.
    SWIVEL_STORE(&own->held, SWIVEL_SETTING(&own->held) - 1, release);
}

SWIVEL_ASSUME_NONNULL_END

#endif
