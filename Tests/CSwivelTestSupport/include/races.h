// SPDX-License-Identifier: Apache-2.0
/// Fire against rearm and cancel, many times, and what came of it.
#ifndef SWIVEL_TEST_RACES_H
#define SWIVEL_TEST_RACES_H

#include "swivel.h"

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

#endif
