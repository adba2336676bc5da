// SPDX-License-Identifier: Apache-2.0
/// Manual loops that wait, wherever their time stands to the real clock's. Each returns what did
/// not hold, or `NULL`; a wait that does not end ends the program.
#ifndef SWIVEL_TEST_MANUAL_FIXTURE_H
#define SWIVEL_TEST_MANUAL_FIXTURE_H

#include "swivel.h"

/// Waits in a closure that check again and again, and one in vain, on a loop that begins at
/// `start_ns`.
const char *SWIVEL_NULLABLE swivel_manual_fixture_waits(uint64_t start_ns);
/// A drain whose posts have no end.
const char *SWIVEL_NULLABLE swivel_manual_fixture_limit(uint64_t start_ns);
/// A drain with a timer in the virtual future, which nothing brings nearer, ends at once.
const char *SWIVEL_NULLABLE swivel_manual_fixture_pending(uint64_t start_ns);

#endif
