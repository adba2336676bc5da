// SPDX-License-Identifier: Apache-2.0
/// The clock on a simulated machine, where nothing depends on the real one.
#ifndef SWIVEL_TEST_CLOCK_FIXTURE_H
#define SWIVEL_TEST_CLOCK_FIXTURE_H

#include "clock_watch.h"

/// The behaviour of the machine.
typedef struct swivel_clock_script {
    uint64_t seed;
    uint64_t start_ns;        ///< The first reading of the system's clock.
    uint64_t readings;        ///< How often the clock is read.
    uint64_t delayed_reading; ///< The reading of either clock that another process delays.
    uint64_t delay_one_in;    ///< One reading in this many is delayed, too; 0: none.
    uint64_t delay_ns;
    int64_t slew_ppm, then_ppm; ///< How much faster the system's clock runs, before and after
    uint64_t turn_ns;           ///< this time.
    uint64_t stops_at;          ///< The reading before which the counter stands still,
    uint64_t stop_ns;           ///< for this time.
} swivel_clock_script;

/// Runs the script, and compares each reading with the machine's own clock.
swivel_clock_watched swivel_clock_fixture_run(const swivel_clock_script *script);

#endif
