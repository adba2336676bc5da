// SPDX-License-Identifier: Apache-2.0
/// Loops to which memory is refused.
#ifndef SWIVEL_TEST_SHORTAGE_H
#define SWIVEL_TEST_SHORTAGE_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Pretends that as many entries wait in the loop's inbox as fit into it, until its next drain
/// ends.
/// **Thread:** the loop's.
void swivel_inbox_pretend_full(swivel_loop *loop);

/// From here on a step of the loop's wheel examines `step` timers.
/// **Thread:** the loop's.
void swivel_wheel_limit(swivel_loop *loop, uint32_t step);

/// Fires `count` timers of one instant while the system gives this process no more memory. Returns
/// the text of the first expectation that does not hold, or `NULL`. For a process of its own.
const char *SWIVEL_NULLABLE swivel_shortage_of_pages(uint32_t count);

SWIVEL_ASSUME_NONNULL_END

#endif
