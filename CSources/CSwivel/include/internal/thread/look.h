// SPDX-License-Identifier: Apache-2.0
// The one rule by which a thread looks before it sleeps: it looks when looking has paid, and stops
// when it has not. To sleep and to be woken costs tens of microseconds where the processor goes
// idle meanwhile. A reply that comes within a few is cheaper to look for.
//
// Nothing here reads a clock, knows a thread or calls the system: time and chance are arguments.
// `swivel__look_for` (parker.h) does the looking.
#ifndef SWIVEL_INTERNAL_LOOK_H
#define SWIVEL_INTERNAL_LOOK_H

#include "real.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The shortest and the longest look of a thread whose looks pay. A reply to a post mostly comes
/// within the shortest; the longest is less than it takes to wake an idle processor.
#define SWIVEL_LOOK_NS 5000
#define SWIVEL_LOOK_MAX_NS 20000
/// A look that tries whether looking pays, or that waits for a thread to be woken: that takes tens
/// of microseconds. The other then sees that this thread is awake, and looks in turn
/// (`SWIVEL_REPLY_SOON`). If both looked for the shortest only, each would find the other asleep.
#define SWIVEL_LOOK_TRIAL_NS 60000
/// How long a thread looks in vain before it gives up. Two threads may share a processor while
/// another one is idle; the kernel moves one of them if both want to run at its tick, which comes
/// every 1 to 4 ms.
#define SWIVEL_LOOK_PATIENCE_NS 6000000
/// How much of that a look gives back that found something in time: one in five is enough.
#define SWIVEL_LOOK_CREDIT_NS (4 * SWIVEL_LOOK_NS)
/// A thread that has given up looks once all the same, before one sleep in eight, if the thread
/// that may reply is awake: that one may be trying.
#define SWIVEL_LOOK_PEEK_MASK 7
/// It tries again before one sleep in 256, on average, and half as often after each trial that led
/// nowhere, down to one in 131,072: then trials take a hundredth of the time of a thread that
/// sleeps for a few microseconds each.
#define SWIVEL_LOOK_TRIAL_SHIFT 8
#define SWIVEL_LOOK_TRIALS 9
/// Two threads that share a processor part after this many sleeps for each other, if one takes less
/// than `SWIVEL_LOOK_MAX_NS` on average. To part costs 95 to 130 µs, and each sleep 4 to 6 µs more
/// than a look: these cost as much. The next time it takes twice as many, up to 163,840. Each find
/// gives one back.
#define SWIVEL_LOOK_STAYS 20
#define SWIVEL_LOOK_STAYS_MAX 163840
/// A look while a thread leaves its processor: that one is first to be moved, and the other processor
/// to be woken.
#define SWIVEL_LOOK_ASIDE_NS 200000

/// A thread that wakes another less often than this does not look for the reply: the other has gone to
/// sleep again and again, and will. A look costs more than the sleep that it might save.
#define SWIVEL_LOOK_SELDOM_NS 1000000

/// The expectation of a thread that is about to sleep. Of several the last in this list counts.
typedef enum swivel_reply {
    SWIVEL_REPLY_NONE,   ///< Nothing in particular.
    SWIVEL_REPLY_SOME,   ///< It has asked another thread for something.
    SWIVEL_REPLY_SOON,   ///< Another thread that may reply is awake.
    SWIVEL_REPLY_WOKEN,  ///< It has woken the thread that may reply, or that one is on its way.
    SWIVEL_REPLY_BEHIND, ///< The thread that it has woken, or that has woken it, waits for its
                         ///< processor.
} swivel_reply;

/// A thread's experience with looking. Zero at first: it has yet to try.
typedef struct swivel_look {
    bool pays;         ///< The last trial has found something in time.
    uint32_t vain_ns;  ///< For how long it has looked in vain recently.
    uint32_t extra_ns; ///< By how much its looks are longer than the shortest.
    uint32_t trials;   ///< Trials in a row that led nowhere.
    uint32_t stays;    ///< Sleeps for a thread that waits for this one's processor, since it left one.
    uint32_t extra_stays; ///< How many more than the fewest have it leave.
    uint64_t stays_since_ns;
    swivel_real looked; ///< The time as its latest look read it last.
    swivel_real has_woken; ///< When it last was about to sleep and had woken another thread.
} swivel_look;

/// How long to look before a sleep; 0: not at all. `chance` is a random word.
uint64_t swivel__look_length(swivel_look *look, swivel_reply reply, uint32_t chance);

/// Whether a thread is to look for `SWIVEL_LOOK_ASIDE_NS` while another one leaves its processor:
/// `from_here` is whether that is the thread's own. A reply may take until it has left. One that waits
/// for this processor does so no longer once it leaves.
bool swivel__look_is_awaited(swivel_reply reply, bool from_here);

/// Whether a thread that is about to sleep, and has woken another one, does so too seldom to look.
bool swivel__look_is_seldom(swivel_look *look, swivel_real now);

/// Learns from a look that took `took_ns`.
void swivel__look_ended(swivel_look *look, bool found, uint64_t took_ns);

/// Learns from a look in vain and the sleep behind it, which took `took_ns` together: a longer look
/// might have found what ended the sleep.
void swivel__look_slept(swivel_look *look, uint64_t took_ns);

/// Learns from a sleep for a thread that waits for this one's processor. Returns whether the two are
/// to part.
bool swivel__look_parts(swivel_look *look, uint64_t now_ns);

/// The next random word: a linear congruential generator (Knuth, MMIX). Looks at regular sleeps of
/// two threads might never meet.
static inline uint32_t swivel__look_chance(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

SWIVEL_ASSUME_NONNULL_END

#endif
