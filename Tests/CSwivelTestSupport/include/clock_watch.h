// SPDX-License-Identifier: Apache-2.0
/// A clock read again and again beside the system's.
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

/// Reads `count` times, with a fresh anchor every 500 readings, as turns have it.
swivel_clock_watched swivel_clock_watch(uint64_t count);
/// Reads around `count` sleeps of 1 to 3 ms, so that anchors grow old and windows long.
swivel_clock_watched swivel_clock_watch_with_rests(uint64_t count);

#endif
