// SPDX-License-Identifier: Apache-2.0
// Forked children. A lock that another thread held is locked in the child for good, and what it
// guards may be half changed. So before `fork` returns there, each lock and table of the process is
// made anew, and each inherited loop is dead. See docs/design/forks.md.
#ifndef SWIVEL_INTERNAL_FORKS_H
#define SWIVEL_INTERNAL_FORKS_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A call in each forked child. Lasts as long as the process.
typedef struct swivel_fork_call {
    void (*run)(void *SWIVEL_NULLABLE argument);
    void *SWIVEL_NULLABLE argument;
    struct swivel_fork_call *SWIVEL_NULLABLE next;
} swivel_fork_call;

/// Makes the call in every child from here on. **Thread:** any, once for each call.
void swivel__forks_call_in_child(swivel_fork_call *call);

SWIVEL_ASSUME_NONNULL_END

#endif
