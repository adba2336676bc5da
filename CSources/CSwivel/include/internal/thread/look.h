// SPDX-License-Identifier: Apache-2.0
// The one rule by which a thread looks before it sleeps: it looks when looking has paid, and stops
// when it has not. To sleep and to be woken costs tens of microseconds where the processor goes
// idle meanwhile; what comes within a few is cheaper to look for.
//
// Nothing here reads a clock, knows a thread or calls the system: time and chance are arguments.
// `swivel__look_for` (parker.h) does the looking.
#ifndef SWIVEL_INTERNAL_LOOK_H
#define SWIVEL_INTERNAL_LOOK_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The shortest and the longest look of a thread whose looks have a score. A reply to a post mostly
/// comes within the shortest; the longest is less than it takes to wake an idle processor.
#define SWIVEL_LOOK_NS 5000
#define SWIVEL_LOOK_MAX_NS 20000
/// The highest score. A look that finds something in time scores one, one in vain loses two; with a
/// score a thread looks before every sleep.
#define SWIVEL_LOOK_SCORE_MAX 8
/// Without a score some sleeps are probed by a longer look: whoever replies may have to be woken
/// first. It then sees that this thread is awake, and looks in turn (`SWIVEL_REPLY_SOON`), so that
/// one probe is enough for both.
#define SWIVEL_PROBE_NS 100000
/// One sleep in 16 is probed, on average, and half as many after each probe in vain, down to one in
/// 1,024: fewer than one in a hundred, so that probes are not the tail of what others wait for.
#define SWIVEL_PROBE_SHIFT 4
#define SWIVEL_LOOKS_IN_VAIN 6
/// The limit where the probes find something, but late: the other thread runs beside this one.
#define SWIVEL_LOOKS_LATE 2
/// Looks for a reply that is expected soon become rarer in the same way, down to one in 16.
#define SWIVEL_LOOKS_SOON_IN_VAIN 4

/// What a thread expects before it sleeps.
typedef enum swivel_reply {
    SWIVEL_REPLY_NONE, ///< Nothing in particular.
    SWIVEL_REPLY_SOME, ///< It has asked another thread for something.
    SWIVEL_REPLY_SOON, ///< So it has, and the other thread was awake.
} swivel_reply;

/// A thread's experience with looking. Zero at first.
typedef struct swivel_look {
    uint32_t score;    ///< How often looks have found something in time recently.
    uint32_t extra_ns; ///< By how much its looks are longer than the shortest.
    uint32_t in_vain;  ///< Each halves the chance of a look without a score.
} swivel_look;

/// How long to look before a sleep; 0: not at all. `chance` is a random word.
uint64_t swivel__look_length(const swivel_look *look, swivel_reply reply, uint32_t chance);

/// Learns from a look that took `took_ns`.
void swivel__look_ended(swivel_look *look, bool found, uint64_t took_ns);

/// Learns from a look in vain and the sleep behind it, which took `took_ns` together: a longer look
/// might have found what ended the sleep.
void swivel__look_slept(swivel_look *look, uint64_t took_ns);

/// The next random word: a linear congruential generator (Knuth, MMIX). Looks at regular sleeps of
/// two threads might never meet.
static inline uint32_t swivel__look_chance(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

SWIVEL_ASSUME_NONNULL_END

#endif
