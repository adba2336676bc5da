// SPDX-License-Identifier: Apache-2.0
// Invariants of a wheel between two of its operations, checked by brute force in debug builds.
#ifndef SWIVEL_INTERNAL_CHECKS_H
#define SWIVEL_INTERNAL_CHECKS_H

#include "wheel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The first invariant that does not hold, or `NULL`.
/// - Complexity: O(nodes ever carved).
const char *SWIVEL_NULLABLE swivel__checks_wheel(swivel_wheel *wheel);

#if defined(DEBUG) && !defined(SWIVEL_NO_CHECKS)
/// Checks small wheels now and then, and stops the program with the invariant that does not hold.
void swivel__checks_sample(swivel_wheel *wheel);
#define SWIVEL_CHECK_WHEEL(wheel) swivel__checks_sample(wheel)
#else
#define SWIVEL_CHECK_WHEEL(wheel) ((void)0)
#endif

SWIVEL_ASSUME_NONNULL_END

#endif
