// SPDX-License-Identifier: Apache-2.0
// An event that happens once, and the threads that wait for it: each sleeps on the latch's word,
// pumps its own loop, or serves the event source. Opener and waiter change one word, so one of them
// sees the other's flag:
//
//     opener                                   waiter
//     old = word |= OPEN                       old = word |= how it waits
//     wake those whose flags are in `old`      OPEN in `old`: return; else wait
#ifndef SWIVEL_INTERNAL_LATCH_H
#define SWIVEL_INTERNAL_LATCH_H

#include "../../swivel_config.h"
#include "../thread/atomics.h"
#include "../thread/lock.h"
#include "../thread/mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Flags of a latch's word, below the cpu of a thread that sleeps, which is a hint. No flag is ever
/// taken back: a wake without a waiter does no harm.
enum {
    SWIVEL_LATCH_OPEN = 1,
    SWIVEL_LATCH_SLEPT = 2,  ///< Threads sleep on the word.
    SWIVEL_LATCH_PUMPED = 4, ///< Threads pump the loops in the list.
    SWIVEL_LATCH_SERVED = 8, ///< A thread serves the event source.
};

/// A loop that pumps until the latch is open; lies on its thread's stack.
typedef struct swivel_latch_pump {
    swivel_loop *loop;
    struct swivel_latch_pump *SWIVEL_NULLABLE next;
} swivel_latch_pump;

/// Zeroed memory is a closed latch.
typedef struct swivel_latch {
    SWIVEL_ATOMIC(uint32_t) word;
    swivel_lock lock; ///< Guards the list.
    swivel_latch_pump *SWIVEL_NULLABLE pumps;
} swivel_latch;

/// Closes it again. **Thread:** the only one that has it.
void swivel__latch_close(swivel_latch *latch);
/// Whether it has happened. **Thread:** any.
bool swivel__latch_is_open(swivel_latch *latch);
/// Opens the latch. Returns the word of before, for `swivel__latch_wake`. **Thread:** any.
uint32_t swivel__latch_open(swivel_latch *latch);
/// Wakes the threads that waited when the latch opened. **Thread:** its opener, which keeps it.
void swivel__latch_wake(swivel_latch *latch, uint32_t before);
/// Spins before a sleep, as `swivel__thread_spin`. Returns whether the latch is open.
bool swivel__latch_spin(swivel_latch *latch);
/// Sleeps until the latch is open, or until `until`. Returns whether it is. **Thread:** any.
bool swivel__latch_sleep(swivel_latch *latch, swivel_mono until);
/// Wakes the loop when the latch opens, until `swivel__latch_leave`. False: it is open.
/// **Thread:** the loop's.
bool swivel__latch_enter(swivel_latch *latch, swivel_latch_pump *pump);
void swivel__latch_leave(swivel_latch *latch, swivel_latch_pump *pump);
/// Serves the event source until then; as `swivel__source_pump`. **Thread:** the source's.
int swivel__latch_serve(swivel_latch *latch, swivel_mono until);

SWIVEL_ASSUME_NONNULL_END

#endif
