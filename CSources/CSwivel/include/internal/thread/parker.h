// SPDX-License-Identifier: Apache-2.0
// A thread sleeps on a word of memory. A wake makes a system call only if the thread sleeps.
//
//     waker                                    sleeper
//     old = exchange(word, WOKEN)              WOKEN: word = AWAKE, return
//     old is ASLEEP: system call               else:  AWAKE becomes ASLEEP, or it is WOKEN; sleep
//                                              exchange(word, AWAKE); WOKEN: return
//
// One exchange decides, so a wake is neither lost nor made twice. A wake of an awake thread ends
// its next sleep. ASLEEP contains the sleeper's processor, on which it mostly wakes.
#ifndef SWIVEL_INTERNAL_PARKER_H
#define SWIVEL_INTERNAL_PARKER_H

#include "atomics.h"
#include "mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Zeroed memory is a parker that was not woken.
typedef struct swivel_parker {
    SWIVEL_ATOMIC(uint32_t) word;
} swivel_parker;

/// Sleeps until a wake or until `until`. False: without a wake. **Thread:** the parker's.
bool swivel__parker_sleep(swivel_parker *parker, swivel_mono until);

/// Takes a wake that has come. **Thread:** the parker's.
bool swivel__parker_take(swivel_parker *parker);

/// Ends the current wait, or the next one, and does not touch the parker after that. Returns
/// whether the thread slept. **Thread:** any.
bool swivel__parker_wake(swivel_parker *parker);

/// Notes that the calling thread has woken one that slept with this word. If that waits for the
/// calling thread's processor (`is_awaited`), this thread yields or sleeps next, and does not spin.
void swivel__note_woken(uint32_t word);

// sleep.c: the system's way to sleep until a word of memory changes.
/// Sleeps while the word is `value`, until `until` at most; may wake early. False: time-out.
bool swivel__sleep_while(SWIVEL_ATOMIC(uint32_t) *word, uint32_t value, swivel_mono until);

/// Wakes at most one of the word's sleepers, or all.
void swivel__sleep_end(SWIVEL_ATOMIC(uint32_t) *word, bool all);

/// The number of the calling thread's processor, from 1 on, in the upper bits of a word that is
/// slept on; 0: not known. **Thread:** any.
#define SWIVEL_SLEEP_CPU_SHIFT 8
uint32_t swivel__sleep_cpu(void);

SWIVEL_ASSUME_NONNULL_END

#endif
