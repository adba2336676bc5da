// SPDX-License-Identifier: Apache-2.0
// A time that runs and stands, in one word, so that any thread reads it as it is.
#ifndef SWIVEL_INTERNAL_STOPWATCH_H
#define SWIVEL_INTERNAL_STOPWATCH_H

#include "atomics.h"
#include "mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// One thread starts and stops it, by turns. All zeroes: it stands, at zero.
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
