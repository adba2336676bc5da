// SPDX-License-Identifier: Apache-2.0
// Where loops' records come from: they are never freed, so that a handle can always look at one.
#ifndef SWIVEL_INTERNAL_RECORDS_H
#define SWIVEL_INTERNAL_RECORDS_H

#include "loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Records that a process can have.
#define SWIVEL_RECORDS_MAX 65536u

/// A record for a new loop, empty, with its next epoch; `NULL` without memory.
swivel_loop *SWIVEL_NULLABLE swivel__record_take(void);

/// Gives an emptied record back.
void swivel__record_put(swivel_loop *loop);

/// Makes all loops dead. **Thread:** the only one of a forked child.
void swivel__records_after_fork(void);

SWIVEL_ASSUME_NONNULL_END

#endif
