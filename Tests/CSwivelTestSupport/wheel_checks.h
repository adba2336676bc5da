// SPDX-License-Identifier: Apache-2.0
// Invariants of a wheel between two of its operations, by brute force. For fixtures and models.
#ifndef SWIVEL_TEST_WHEEL_CHECKS_H
#define SWIVEL_TEST_WHEEL_CHECKS_H

#include "internal/wheel/wheel.h"

/// The first invariant that does not hold, or `NULL`. O(nodes ever carved).
const char *SWIVEL_NULLABLE swivel_wheel_check(swivel_wheel *SWIVEL_NONNULL wheel);

#endif
