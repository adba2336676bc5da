// SPDX-License-Identifier: Apache-2.0
// A loop's clock. Deadlines are made from the processor's counter, anchored to the system's
// monotonic clock once a turn: 9 ns in place of 22 for a clock_gettime.
//
// The counter's reading is never behind the system clock, so a deadline made from it is never
// early: the anchor reads the counter first and the clock second, and the rate is biased up by
// 0.05 %, which is also the most that the kernel slews its clock. An anchor older than 1 ms is
// replaced, so the bias costs half a microsecond at most.
#ifndef SWIVEL_INTERNAL_CLOCK_H
#define SWIVEL_INTERNAL_CLOCK_H

#include "../swivel_base.h"
#include "atomics.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#define SWIVEL_HAS_COUNTER 1
#else
#define SWIVEL_HAS_COUNTER 0
#endif

SWIVEL_ASSUME_NONNULL_BEGIN

/// Loop thread only.
typedef struct swivel_clock {
    uint64_t anchor_ticks, anchor_ns;
    uint64_t limit_ticks; ///< Age at which the anchor is replaced; 0: the counter is not usable.
    uint64_t rate;        ///< Nanoseconds per tick, 32.32 fixed point, biased up.
    uint64_t window_ticks, window_ns; ///< Start of the window that measures the rate.
    // Any thread may read these, and one that holds a stale handle does so while the record's next
    // loop starts.
    SWIVEL_ATOMIC(uint64_t) manual_ns;
    SWIVEL_ATOMIC(bool) manual;
} swivel_clock;

/// Prepares a clock: a manual one at `start_ns`, or a real one that starts to measure its counter.
void swivel__clock_start(swivel_clock *clock, bool manual, uint64_t start_ns);

/// Reads the real clock and anchors the counter to it. Returns the real clock's instant.
uint64_t swivel__clock_anchor(swivel_clock *clock);

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

/// The loop's exact time: the real clock, or the manual instant.
static inline uint64_t swivel__clock_exact(swivel_clock *clock)
{
    return swivel__clock_is_manual(clock) ? swivel__clock_manual(clock)
                                          : swivel__clock_anchor(clock);
}

/// An instant that is not before the exact time and less than a microsecond after it.
static inline uint64_t swivel__clock_ahead(swivel_clock *clock)
{
#if SWIVEL_HAS_COUNTER
    uint64_t age = __rdtsc() - clock->anchor_ticks;
    if (SWIVEL_LIKELY(age < clock->limit_ticks)) {
        return clock->anchor_ns + ((age * clock->rate) >> 32);
    }
#endif
    return swivel__clock_exact(clock);
}

/// `instant + delay`, saturating at `SWIVEL_NEVER_NS`.
static inline uint64_t swivel__saturating_add(uint64_t instant_ns, uint64_t delay_ns)
{
    uint64_t sum;
    return __builtin_add_overflow(instant_ns, delay_ns, &sum) ? SWIVEL_NEVER_NS : sum;
}

SWIVEL_ASSUME_NONNULL_END

#endif
