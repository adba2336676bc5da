// SPDX-License-Identifier: Apache-2.0
// A thread's place to sleep, on a word of memory. A wake makes a system call only if the thread
// sleeps. Those who sleep look first if looking has paid.
//
//     waker                                    sleeper
//     old = exchange(word, RUNG)               RUNG: word = AWAKE, go on
//     old is ASLEEP: system call               else:  AWAKE becomes ASLEEP, or it is RUNG; sleep
//                                              exchange(word, AWAKE); RUNG: go on
//
// One exchange decides, so a wake is neither lost nor made twice. A wake that nobody waits for ends
// the next wait. ASLEEP and RUNG come with the processor of whoever wrote them: each of the two learns
// whether the other one has to wait for its own (`SWIVEL_REPLY_BEHIND`).
#ifndef SWIVEL_INTERNAL_PARKER_H
#define SWIVEL_INTERNAL_PARKER_H

#include "atomics.h"
#include "look.h"
#include "real.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Zeroed memory is a parker that nobody has woken.
typedef struct swivel_parker {
    SWIVEL_ATOMIC(uint32_t) word;
    swivel_look look; ///< The sleeper's.
} swivel_parker;

/// Sleeps until a wake or until `until`. **Thread:** the parker's; one at a time.
/// - Returns: False at the end of the time, without a wake.
bool swivel__parker_sleep(swivel_parker *parker, swivel_real until);

/// Takes a wake that has come. **Thread:** the parker's.
bool swivel__parker_take(swivel_parker *parker);

/// Ends the wait under way, or the next one.
///
/// **Thread:** any. It does not touch the parker after the sleeper can go on.
/// - Returns: Whether the thread slept, and a system call was made.
bool swivel__parker_wake(swivel_parker *parker);

/// Notes that the calling thread has woken one that may reply. `word`: as it was, with the place of
/// the sleeper.
void swivel__expect_woken(uint32_t word);

/// How long the calling thread is to look before it sleeps; 0: not at all, as in a process that had one
/// processor when it started.
uint64_t swivel__look_before(swivel_look *look, swivel_reply reply);

/// Looks for `length_ns` until `found(argument)`, and learns from it. Returns whether it was found.
bool swivel__look_for(swivel_look *look, uint64_t length_ns,
                      bool (*found)(void *SWIVEL_NULLABLE argument), void *SWIVEL_NULLABLE argument);

/// Looks as the calling thread has learned to, as one that has asked for something, or yields its
/// processor to the thread that waits for it. Returns whether it was found. **Thread:** any that is
/// about to sleep, in no loop's turn.
bool swivel__thread_look(bool (*found)(void *SWIVEL_NULLABLE argument),
                         void *SWIVEL_NULLABLE argument);

SWIVEL_ASSUME_NONNULL_END

#endif
