// SPDX-License-Identifier: Apache-2.0
/// A park without a loop.
#ifndef SWIVEL_TEST_PARK_FIXTURE_H
#define SWIVEL_TEST_PARK_FIXTURE_H

#include "swivel.h"

/// Waits `count` times for an instant `offset_ns` from now, and returns how many waits have ended
/// before it without a wake-up. Where the clock passes the instant on the way into the poller, the
/// wait must end all the same: a process that hangs is ended by a signal after some seconds.
uint64_t swivel_park_fixture_waits(uint32_t count, int64_t offset_ns);

/// The state of the spins before the loop's parks, in one number. **Thread:** the loop's.
uint64_t swivel_park_fixture_spin(const swivel_loop *loop);

#endif
