// SPDX-License-Identifier: Apache-2.0
// A loop that lives in a host's own libuv loop: one handle there watches the loop's descriptor, and
// another one is woken by any thread when the loop is over.
#ifndef SWIVEL_INTERNAL_ADOPT_H
#define SWIVEL_INTERNAL_ADOPT_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_adoption swivel_adoption;

/// How an owner is called. On the host's thread, in its uv_run.
typedef struct swivel_adoption_calls {
    /// The loop has something to do.
    void (*turn)(void *owner);
    /// The host's loop has no handle of the adoption's any more. The last call.
    void (*ended)(void *owner);
} swivel_adoption_calls;

/// Has the host's `uv_loop_t` call `turn` whenever the descriptor is readable. It uses a number of
/// its own for the descriptor.
///
/// **Thread:** the host's. Returns `SWIVEL_OK` or a negative status; then nothing is left behind
/// once the host's loop has run.
int swivel__adopt(void *host, int descriptor, swivel_adoption_calls calls, void *owner,
                  swivel_adoption *SWIVEL_NULLABLE *SWIVEL_NONNULL adoption);

/// Takes the handles out of the host's loop, the next time that it runs. Nothing in a forked child.
///
/// **Thread:** any, once.
void swivel__adoption_end(swivel_adoption *adoption);

SWIVEL_ASSUME_NONNULL_END

#endif
