// SPDX-License-Identifier: Apache-2.0
/// Fire against cancel and against rearm, many times, and what came of it.
#ifndef SWIVEL_TEST_RACES_H
#define SWIVEL_TEST_RACES_H

#include "swivel.h"

/// The loop's activity during the race.
typedef enum swivel_race_mode {
    SWIVEL_RACE_PARKED, ///< It sleeps until the deadline wakes it.
    SWIVEL_RACE_BUSY,   ///< It runs closures all the time.
    /// It has just run a closure: it ends its turn, looks, parks.
    SWIVEL_RACE_PARKING,
} swivel_race_mode;

typedef struct swivel_races {
    swivel_race_mode mode;
    uint32_t races; ///< A multiple of 8: they come in batches.
    uint64_t seed;

    uint64_t cancelled, running, finished; ///< The results of the cancels.
    uint64_t both;                         ///< Ran although the cancel had won.
    uint64_t neither;                      ///< Did not run although the cancel had lost.
    uint64_t unequal;                      ///< Were not released exactly once.
    uint64_t early;                        ///< Ran before their deadline.
    uint64_t pending;                      ///< Timers that the loop still counted at the end.
} swivel_races;

void swivel_races_run(swivel_races *races);

typedef struct swivel_rearm_races {
    uint32_t races; ///< A multiple of 8.
    uint64_t seed;

    uint64_t moved, over; ///< The results of the rearms.
    uint64_t early;       ///< Moved, and ran before the new deadline.
    uint64_t lost;        ///< Did not run exactly once.
    uint64_t pending;
} swivel_rearm_races;

void swivel_rearm_races_run(swivel_rearm_races *races);

/// One thread arms, one cancels, one rearms; the loop fires.
typedef struct swivel_relay {
    uint32_t timers;
    uint64_t seed;

    uint64_t ran, cancelled, moved;
    uint64_t wrong; ///< Did not end in exactly one of run and cancel.
    uint64_t pending;
} swivel_relay;

void swivel_relay_run(swivel_relay *relay);

/// A kept timer under one thread's arms and disarms, at about the moment when it fires.
typedef struct swivel_kept_races {
    uint32_t rounds;
    uint64_t seed;

    uint64_t armed, ticked, disarmed, running, freed;
    uint64_t early;   ///< Ticks before the deadline of the last arm.
    uint64_t ghosts;  ///< Ticks after a disarm or a free that found none under way.
    uint64_t lost;    ///< Arms that were left alone and did not tick once.
    uint64_t unequal; ///< Timers that were not released exactly once.
    uint64_t pending;
} swivel_kept_races;

void swivel_kept_races_run(swivel_kept_races *races);

#endif
