// SPDX-License-Identifier: Apache-2.0
/// A clock read again and again, next to the system's.
#ifndef SWIVEL_TEST_CLOCK_WATCH_H
#define SWIVEL_TEST_CLOCK_WATCH_H

#include "swivel.h"

typedef struct swivel_clock_watched {
    uint64_t behind; ///< Readings before a system time that was read earlier.
    uint64_t worst_behind_ns;
    uint64_t back;           ///< Readings before the previous one.
    uint64_t worst_ahead_ns; ///< How far a reading was ahead of a system time read later.
    uint64_t counted;        ///< Readings after which the counter was in use.
} swivel_clock_watched;

/// Compares a reading with the one before, and with readings of the system's clock around it.
static inline void swivel_clock_compare(swivel_clock_watched *watched, uint64_t *previous,
                                        uint64_t before, uint64_t reading, uint64_t after)
{
    uint64_t behind = before > reading ? before - reading : 0;
    uint64_t ahead = reading > after ? reading - after : 0;
    watched->behind += behind > 0;
    watched->worst_behind_ns = watched->worst_behind_ns < behind ? behind : watched->worst_behind_ns;
    watched->worst_ahead_ns = watched->worst_ahead_ns < ahead ? ahead : watched->worst_ahead_ns;
    watched->back += reading < *previous;
    *previous = reading;
}

/// Reads `count` times, with a fresh anchor every 500 readings, as turns have it.
swivel_clock_watched swivel_clock_watch(uint64_t count);
/// Reads around `count` sleeps of 1 to 3 ms, so that anchors grow old and windows long.
swivel_clock_watched swivel_clock_watch_with_rests(uint64_t count);

#endif
