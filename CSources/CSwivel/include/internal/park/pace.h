// SPDX-License-Identifier: Apache-2.0
// How a loop paces its parks: whether to look for work before it parks, when to have the kernel
// wake it, and when to sleep longer than it was asked to. It learns from each look and each park.
//
// Nothing here reads a clock, knows a loop or calls the system: time and chance are arguments.
#ifndef SWIVEL_INTERNAL_PACE_H
#define SWIVEL_INTERNAL_PACE_H

#include "../thread/real.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// How long a loop looks at its inbox before it parks. A reply to a post mostly comes within this
/// time, and waking a parked thread costs as much again.
#define SWIVEL_LOOK_NS 5000
/// The highest score. A look that finds work scores one, one that does not loses two; with a score
/// the loop looks before every park.
#define SWIVEL_LOOK_SCORE_MAX 8
/// Without a score, a loop that has posted to another one probes some of its parks by a longer
/// look: the other loop may have to be woken first, which takes tens of microseconds on an idle
/// virtual processor. Two loops that answer each other find out that looking pays when one probes
/// while the other goes on looking; so after a probe that found work late, the next parks are
/// probed too, up to this many.
#define SWIVEL_PROBE_NS 100000
#define SWIVEL_PROBES_IN_A_ROW 32
/// One such park in 16 is probed, on average, and half as many after each probe in vain. After a
/// whole row that led nowhere one in 256 is: work then just comes at that pace, and probing would
/// burn a core.
#define SWIVEL_PROBE_SHIFT 4
#define SWIVEL_PROBES_IN_VAIN 2
#define SWIVEL_PROBES_LED_NOWHERE 4
/// Parks in a row that a timer ended after a short sleep: from here on it is a rush.
#define SWIVEL_RUSH 8
/// A sleep is short if it is less than this many times the lateness of wake-ups.
#define SWIVEL_RUSH_SHORT 4
/// The least sleep in a rush, in latenesses of wake-ups, and its limit.
#define SWIVEL_RUSH_SLEEP 2
#define SWIVEL_RUSH_SLEEP_MAX_NS 100000
/// A loop asks to be woken before a timer is due, by the least that the kernel is late. It spins
/// until the timer is due, so this is also the longest spin.
#define SWIVEL_LEAD_MAX_NS 50000

/// A loop's experience with its parks. Zero at first. Loop thread only.
typedef struct swivel_pace {
    uint32_t look_score;     ///< How often looks have found work recently.
    uint32_t probes;         ///< Probes in a row that found work, but late.
    uint32_t probes_in_vain; ///< Each halves the chance that a park is probed.
    bool expects_reply;      ///< The loop has posted to another one since it last asked for a look.
    uint32_t rush;           ///< Parks in a row that a timer has ended after a short sleep.
    uint64_t wake_late_ns;   ///< How late the kernel wakes, as a moving average.
    uint64_t wake_lead_ns;   ///< The least by which the kernel has been late recently.
} swivel_pace;

/// How long to look for work before a park with `left_ns` until the next timer; 0: not at all. A
/// timer that is due within the look is the kernel's to keep: spinning for it would take the
/// processor from others. `chance` is a random word.
uint64_t swivel__pace_look(swivel_pace *pace, uint64_t left_ns, uint32_t chance);

/// Learns whether looking pays from a look that took `took_ns`.
void swivel__pace_looked(swivel_pace *pace, bool found, uint64_t took_ns);

/// Whether timers follow each other more closely than the kernel can wake the loop.
static inline bool swivel__pace_is_rush(const swivel_pace *pace)
{
    return pace->rush >= SWIVEL_RUSH;
}

/// When a park that begins `now` in a rush is to end, for a timer at `until`. Waking for each timer
/// would be late all the same. A sleep of twice a wake-up's lateness finds several due: lateness
/// grows by about as much, and the processor's time shrinks to a fraction.
swivel_real swivel__pace_put_off(const swivel_pace *pace, swivel_real now, swivel_real until);

/// When the kernel is to wake a loop that parks at `parked` and has a timer at `until`.
swivel_real swivel__pace_ask(const swivel_pace *pace, swivel_real parked, swivel_real until);

/// Learns how late the kernel wakes, and whether this is a rush, from a park that was to end at
/// `asked` and ended at `woke`. Returns whether the time has ended it, not another thread.
bool swivel__pace_woke(swivel_pace *pace, swivel_real parked, swivel_real asked, swivel_real until,
                       swivel_real woke);

SWIVEL_ASSUME_NONNULL_END

#endif
