// SPDX-License-Identifier: Apache-2.0
// A loop's clock: virtual on a manual loop, else the processor's counter, anchored to the monotonic
// clock in most turns and every 4 µs. A reading takes 9 ns, clock_gettime 22. Never behind the
// system's clock, never ahead by more than a microsecond, never going back. docs/design/time.md.
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

/// Loop thread only. The rest of the core calls `swivel__loop_now` (loop.h), `swivel__exact_now`
/// (thread.h) or `swivel__mono_now` (mono.h).
typedef struct swivel_clock {
    uint64_t anchor_ticks, anchor_ns;
    uint64_t limit_ticks; ///< Age at which the anchor is replaced; 0: the counter is not usable.
    uint64_t rate;        ///< Nanoseconds per tick, 32.32 fixed point, biased up; 0: not known.
    uint64_t floor_ns;    ///< No later reading is before it.
    uint64_t begin_ticks, begin_ns; ///< Where the measuring of the rate began; 0: it has not.
    bool counts;                    ///< The kernel keeps time by the counter.
    // Any thread may read these, with a stale handle while the record's next loop starts.
    SWIVEL_ATOMIC(uint64_t) manual_ns;
    SWIVEL_ATOMIC(bool) manual;
} swivel_clock;

/// Prepares a clock: a manual one at `start_ns`, or a real one.
void swivel__clock_start(swivel_clock *clock, bool manual, uint64_t start_ns);

/// The exact time: the manual instant, or the system's clock, to which it anchors the counter.
uint64_t swivel__clock_exact(swivel_clock *clock);

/// As `swivel__clock_ahead`, if the counter is not usable.
uint64_t swivel__clock_ahead_slow(swivel_clock *clock);

/// Whether the loop's driver sets the time. **Thread:** any.
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

/// The time that the anchor gives at this age, in ticks.
static inline uint64_t swivel__clock_at_age(const swivel_clock *clock, uint64_t age)
{
    return clock->anchor_ns + ((age * clock->rate) >> 32);
}

/// The time: not before the exact one, nor before an earlier reading, at most a microsecond ahead.
static inline uint64_t swivel__clock_ahead(swivel_clock *clock)
{
#if defined(SWIVEL_COUNTER)
    uint64_t age = SWIVEL_COUNTER() - clock->anchor_ticks;
    if (SWIVEL_LIKELY(age < clock->limit_ticks)) { // Never on a manual loop.
        uint64_t instant_ns = swivel__clock_at_age(clock, age);
        return instant_ns > clock->floor_ns ? instant_ns : clock->floor_ns;
    }
#endif
    return swivel__clock_ahead_slow(clock);
}

/// No reading from here on is before `read_ns`, an instant that the thread has read elsewhere.
static inline void swivel__clock_hold(swivel_clock *clock, uint64_t read_ns)
{
    clock->floor_ns = read_ns > clock->floor_ns ? read_ns : clock->floor_ns;
}

/// The real clock's reading when the loop's time is `instant_ns`. A manual loop's time does not
/// move by itself: an instant that has not come never does.
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

/// A time that runs and stands, in one word, so that any thread reads it as it is. One thread
/// starts and stops it, by turns. All zeroes: it stands, at zero.
typedef struct swivel_stopwatch {
    /// Twice the time, while it stands. While it runs: one more than twice the instant at which it
    /// would have begun if it had always run.
    SWIVEL_ATOMIC(uint64_t) word;
} swivel_stopwatch;

static inline uint64_t swivel__stopwatch_at(uint64_t word, swivel_mono now)
{
    return (word & 1) == 0 ? word >> 1 : swivel__mono_since((swivel_mono){word >> 1}, now);
}

/// Nothing if it runs.
static inline void swivel__stopwatch_start(swivel_stopwatch *watch, swivel_mono now)
{
    uint64_t word = SWIVEL_LOAD(&watch->word, relaxed);
    if ((word & 1) == 0) {
        SWIVEL_STORE(&watch->word, (now.ns - (word >> 1)) << 1 | 1, relaxed);
    }
}

/// Nothing if it stands.
static inline void swivel__stopwatch_stop(swivel_stopwatch *watch, swivel_mono now)
{
    uint64_t word = SWIVEL_LOAD(&watch->word, relaxed);
    SWIVEL_STORE(&watch->word, swivel__stopwatch_at(word, now) << 1, relaxed);
}

/// Nanoseconds, now. **Thread:** any.
static inline uint64_t swivel__stopwatch_read(swivel_stopwatch *watch)
{
    uint64_t word;
    swivel_mono now;
    do { // It may have been stopped long before the clock is read.
        word = SWIVEL_LOAD(&watch->word, acquire);
        now = swivel__mono_now();
    } while (SWIVEL_LOAD(&watch->word, acquire) != word);
    return swivel__stopwatch_at(word, now);
}

SWIVEL_ASSUME_NONNULL_END

#endif
