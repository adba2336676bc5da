// SPDX-License-Identifier: Apache-2.0
// How a loop paces its parks, as it learns from each. Time is an argument. docs/design/wake-up.md.
#ifndef SWIVEL_INTERNAL_PACE_H
#define SWIVEL_INTERNAL_PACE_H

#include "../thread/mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Parks in a row that a timer ended after a short sleep: from here on it is a rush.
#define SWIVEL_RUSH 8
/// In latenesses of wake-ups: the longest short sleep, the least sleep in a rush; its limit.
#define SWIVEL_RUSH_SHORT 4
#define SWIVEL_RUSH_SLEEP 2
#define SWIVEL_RUSH_SLEEP_MAX_NS 100000
/// The longest spin between a wake-up and the timer for which it was set ahead.
#define SWIVEL_LEAD_MAX_NS 50000
/// Entries at the end of a turn that are a stream; pauses in which more gather, 0.3 µs. They double
/// from turn to turn.
#define SWIVEL_GATHER_ENTRIES 2
#define SWIVEL_GATHER_PAUSES 16u
#define SWIVEL_GATHER_DOUBLINGS 3

/// A loop's experience with its parks. Zero at first. Loop thread only.
typedef struct swivel_pace {
    uint32_t rush;         ///< Parks in a row that a timer has ended after a short sleep.
    uint64_t wake_late_ns; ///< How late the kernel wakes, as a moving average.
    uint64_t wake_lead_ns; ///< The least by which the kernel has been late recently.
    uint32_t streams;      ///< Turns in a row for which more has gathered, as far as it matters.
} swivel_pace;

/// For how many pauses to let more gather, behind entries that wait at the end of a turn.
static inline uint32_t swivel__pace_gather(const swivel_pace *pace, uint64_t waiting)
{
    return waiting < SWIVEL_GATHER_ENTRIES ? 0 : SWIVEL_GATHER_PAUSES << pace->streams;
}

/// Learns whether more has come in that time.
static inline void swivel__pace_gathered(swivel_pace *pace, bool has_more)
{
    pace->streams = has_more ? pace->streams + (pace->streams < SWIVEL_GATHER_DOUBLINGS) : 0;
}

/// Whether timers follow each other more closely than the kernel can wake the loop.
static inline bool swivel__pace_is_rush(const swivel_pace *pace)
{
    return pace->rush >= SWIVEL_RUSH;
}

/// When a park that begins `now` is to end, for a timer at `until`: later in a rush.
static inline swivel_mono swivel__pace_put_off(const swivel_pace *pace, swivel_mono now,
                                               swivel_mono until)
{
    if (!swivel__pace_is_rush(pace)) {
        return until;
    }
    uint64_t sleep_ns = pace->wake_late_ns * SWIVEL_RUSH_SLEEP;
    sleep_ns = sleep_ns < SWIVEL_RUSH_SLEEP_MAX_NS ? sleep_ns : SWIVEL_RUSH_SLEEP_MAX_NS;
    swivel_mono earliest = swivel__mono_after(now, sleep_ns);
    return swivel__mono_is_before(until, earliest) ? earliest : until;
}

/// When the kernel is to wake a loop that parks at `parked` and has a timer at `until`.
static inline swivel_mono swivel__pace_ask(const swivel_pace *pace, swivel_mono parked,
                                           swivel_mono until)
{
    bool is_near = swivel__mono_since(parked, until) < 2 * pace->wake_lead_ns;
    bool leads = until.ns != SWIVEL_NEVER_NS && !swivel__pace_is_rush(pace) && !is_near;
    until.ns -= leads ? pace->wake_lead_ns : 0;
    return until;
}

/// Learns how late the kernel wakes, and whether this is a rush, from a park that was to end at
/// `asked` and ended at `woke`. Returns whether the time has ended it, not another thread.
static inline bool swivel__pace_woke(swivel_pace *pace, swivel_mono parked, swivel_mono asked,
                                     swivel_mono until, swivel_mono woke)
{
    if (swivel__mono_is_before(woke, asked)) {
        pace->rush = 0;
        return false;
    }
    uint64_t late = swivel__mono_since(asked, woke), lead = pace->wake_lead_ns;
    pace->wake_late_ns = (pace->wake_late_ns * 7 + late) / 8;
    lead = late < lead ? (lead + late) / 2 : lead + (late - lead) / 8;
    pace->wake_lead_ns = lead < SWIVEL_LEAD_MAX_NS ? lead : SWIVEL_LEAD_MAX_NS;
    bool is_short = swivel__mono_since(parked, until) < pace->wake_late_ns * SWIVEL_RUSH_SHORT;
    pace->rush = !is_short ? 0 : pace->rush < SWIVEL_RUSH ? pace->rush + 1 : SWIVEL_RUSH;
    return true;
}

SWIVEL_ASSUME_NONNULL_END

#endif
