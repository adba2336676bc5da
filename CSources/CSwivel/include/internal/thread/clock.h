// SPDX-License-Identifier: Apache-2.0
// A loop's clock: virtual on a manual loop, else the processor's counter, anchored to the system's
// monotonic clock once a turn and every 4 µs. A reading takes 9 ns; clock_gettime takes 22.
//
// It is never behind the system's, so no deadline is early; never ahead of it by more than a
// microsecond; and never goes back: `floor_ns` is the latest time that earlier anchors led to.
// docs/design/time.md has the reasons.
#ifndef SWIVEL_INTERNAL_CLOCK_H
#define SWIVEL_INTERNAL_CLOCK_H

#include "atomics.h"
#include "mono.h"

// A test may bring a counter of its own.
#if !defined(SWIVEL_COUNTER) && defined(__x86_64__)
#include <x86intrin.h>
#define SWIVEL_COUNTER() __rdtsc()
#endif

SWIVEL_ASSUME_NONNULL_BEGIN

/// Loop thread only.
typedef struct swivel_clock {
    uint64_t anchor_ticks, anchor_ns;
    uint64_t limit_ticks; ///< Age at which the anchor is replaced; 0: the counter is not usable.
    uint64_t rate;        ///< Nanoseconds per tick, 32.32 fixed point, biased up; 0: not known.
    uint64_t floor_ns;    ///< The latest instant that was read from the clock, but for its anchor.
    uint64_t begin_ticks, begin_ns; ///< Where the measuring of the rate began; 0: it has not.
    bool counts;                    ///< The kernel keeps time by the counter.
    // Any thread may read these, and one that holds a stale handle does so while the record's next
    // loop starts.
    SWIVEL_ATOMIC(uint64_t) manual_ns;
    SWIVEL_ATOMIC(bool) manual;
} swivel_clock;

/// Prepares a clock: a manual one at `start_ns`, or a real one.
void swivel__clock_start(swivel_clock *clock, bool manual, uint64_t start_ns);

/// Reads the system's clock and anchors the counter to it; on a manual loop it only reads.
swivel_mono swivel__clock_anchor(swivel_clock *clock);

/// As `swivel__clock_told` and `swivel__clock_ahead`, if the counter is not usable.
swivel_mono swivel__clock_told_slow(swivel_clock *clock);
uint64_t swivel__clock_ahead_slow(swivel_clock *clock);

/// Whether time is what the loop's driver says. **Thread:** any.
static inline bool swivel__clock_is_manual(const swivel_clock *clock)
{
    return SWIVEL_UNLIKELY(SWIVEL_SETTING(&clock->manual));
}

/// A manual clock's instant. **Thread:** any.
static inline uint64_t swivel__clock_manual(const swivel_clock *clock)
{
    return SWIVEL_LOAD(&clock->manual_ns, relaxed);
}

/// Moves a manual clock forward.
static inline void swivel__clock_set(swivel_clock *clock, uint64_t instant_ns)
{
    if (instant_ns > swivel__clock_manual(clock)) {
        SWIVEL_STORE(&clock->manual_ns, instant_ns, relaxed);
    }
}

/// The loop's exact time, which decides which timers are due: the system's, or the manual instant.
static inline uint64_t swivel__clock_exact(swivel_clock *clock)
{
    return swivel__clock_is_manual(clock) ? swivel__clock_manual(clock)
                                          : swivel__clock_anchor(clock).ns;
}

/// Whether the counter gives the time, which is in `*told_ns` then. Never on a manual loop.
static inline bool swivel__clock_counts(const swivel_clock *clock, uint64_t *told_ns)
{
#if defined(SWIVEL_COUNTER)
    uint64_t age = SWIVEL_COUNTER() - clock->anchor_ticks;
    uint64_t instant_ns = clock->anchor_ns + ((age * clock->rate) >> 32);
    *told_ns = instant_ns > clock->floor_ns ? instant_ns : clock->floor_ns;
    return SWIVEL_LIKELY(age < clock->limit_ticks);
#else
    (void)clock;
    (void)told_ns;
    return false;
#endif
}

/// The loop's time as its thread reads it: not before the exact time, at most a microsecond after
/// it, and not before anything that was read here earlier.
static inline uint64_t swivel__clock_ahead(swivel_clock *clock)
{
    uint64_t told_ns;
    return swivel__clock_counts(clock, &told_ns) ? told_ns : swivel__clock_ahead_slow(clock);
}

/// The real time, read in this way on a manual loop too.
static inline swivel_mono swivel__clock_told(swivel_clock *clock)
{
    swivel_mono told;
    return swivel__clock_counts(clock, &told.ns) ? told : swivel__clock_told_slow(clock);
}

/// The real time or a little later: what lies ahead of it has not come yet. The anchor may be four
/// times as old as for a time that users read, so this is 4 µs ahead at most.
static inline swivel_mono swivel__clock_at_most(swivel_clock *clock)
{
#if defined(SWIVEL_COUNTER)
    uint64_t age = SWIVEL_COUNTER() - clock->anchor_ticks;
    if (SWIVEL_LIKELY(age < 4 * clock->limit_ticks)) {
        swivel_mono at_most = {clock->anchor_ns + ((age * clock->rate) >> 32)};
        return at_most;
    }
#endif
    return swivel__clock_told_slow(clock);
}

/// The latest reading of the system's clock, if the counter is anchored to it, but not before
/// `least_ns`; else `SWIVEL_MONO_PAST`. It is not ahead of the exact time if `least_ns` is not, and
/// right after `swivel__clock_at_most` at most 16 µs behind it.
static inline swivel_mono swivel__clock_last(const swivel_clock *clock, uint64_t least_ns)
{
    swivel_mono last = {clock->anchor_ns > least_ns ? clock->anchor_ns : least_ns};
    return clock->counts ? last : SWIVEL_MONO_PAST;
}

/// No reading from here on is before `told_ns`, an instant that the thread has read elsewhere.
static inline void swivel__clock_hold(swivel_clock *clock, uint64_t told_ns)
{
    clock->floor_ns = told_ns > clock->floor_ns ? told_ns : clock->floor_ns;
}

/// The real clock's reading when the loop's time is `instant_ns`. A manual loop's time does not
/// move by itself: an instant that has not come yet never does.
static inline swivel_mono swivel__mono_of(const swivel_clock *clock, uint64_t instant_ns)
{
    swivel_mono real = {instant_ns};
    if (swivel__clock_is_manual(clock)) {
        real.ns = instant_ns <= swivel__clock_manual(clock) ? 0 : SWIVEL_NEVER_NS;
    }
    return real;
}

/// The loop's time when the real clock reads `real`. For a manual loop it is unknown, so never.
static inline uint64_t swivel__instant_of(const swivel_clock *clock, swivel_mono real)
{
    return swivel__clock_is_manual(clock) ? SWIVEL_NEVER_NS : real.ns;
}

SWIVEL_ASSUME_NONNULL_END

#endif
