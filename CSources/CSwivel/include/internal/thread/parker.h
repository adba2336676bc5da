// SPDX-License-Identifier: Apache-2.0
// How a thread waits: it may spin, and sleeps on a word. Only a sleeper's wake is a system call.
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

// Spinning before a sleep, because to sleep and to be woken takes 5 µs or more. Each thread, loop
// and worker has a window, for which it spins before each of its sleeps. A spin that finds
// something sets the window to twice its time and 10 µs more, and another one halves it. Without a
// window, one sleep in 16 to 1,024 is preceded by a probe of 50 µs. See docs/design/spinning.md.

#define SWIVEL_SPIN_MAX_NS 50000   ///< The longest spin, and the length of a probe.
#define SWIVEL_SPIN_SPARE_NS 10000 ///< By how much a window is longer than twice a spin.
#define SWIVEL_SPIN_MIN_NS 2000    ///< A shorter window is none.
#define SWIVEL_SPIN_STRIDE 8       ///< Pauses between two readings of the clock, 0.3 µs.
/// Sleeps between two probes, which double from probe to probe.
#define SWIVEL_SPIN_PERIOD_MIN 16
#define SWIVEL_SPIN_PERIOD_MAX 1024

/// Zeroed memory begins with a probe.
typedef struct swivel_spin {
    uint32_t window_ns; ///< How long it spins before each sleep; 0: it only probes.
    uint32_t period;    ///< Sleeps between two probes.
    uint32_t skips;     ///< Sleeps until the next one.
} swivel_spin;

/// How long to spin before a sleep of `left_ns`; 0 also if a timer is due within the window.
uint32_t swivel__spin_window(swivel_spin *spin, uint64_t left_ns);
/// Learns from a spin that took `took_ns`.
void swivel__spin_ended(swivel_spin *spin, bool found, uint64_t took_ns);
/// As `swivel__spin_window`; 0 if the thread's partner waits for this processor, or if the process
/// had only one at its start: a thread may be pinned, and its partner elsewhere.
uint32_t swivel__spin_before_sleep(swivel_spin *spin, uint64_t left_ns);
/// Spins for `window_ns`, or until `found(argument)`, learns from it, and returns whether it was
/// found. `*ended`: when the spin ended.
bool swivel__spin_for(swivel_spin *spin, uint32_t window_ns,
                      bool (*found)(void *SWIVEL_NULLABLE argument),
                      void *SWIVEL_NULLABLE argument, swivel_mono *ended);
/// Spins with the calling thread's own window, or yields the processor to the partner that waits
/// for it. Returns whether it was found. **Thread:** any that is about to sleep, in no loop's turn.
bool swivel__thread_spin(bool (*found)(void *SWIVEL_NULLABLE argument),
                         void *SWIVEL_NULLABLE argument);

SWIVEL_ASSUME_NONNULL_END

#endif
