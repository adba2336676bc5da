// SPDX-License-Identifier: Apache-2.0
// libuv's loops, made so that a refusal by the system is an error. libuv itself aborts if it cannot
// make its signal pipe, and if epoll_ctl(2) fails.
#ifndef SWIVEL_INTERNAL_UV_H
#define SWIVEL_INTERNAL_UV_H

#include "../../../../CLibUV/shim.h"
#include "../../swivel_base.h"
#include "../thread/atomics.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Initializes the loop with all that it needs from the system. Returns `SWIVEL_OK` or libuv's
/// code; then nothing is left behind.
int swivel__uv_open(uv_loop_t *uv);

/// Makes room in the poller for the descriptor of a handle that was started, before libuv runs and
/// modifies it there. Returns `SWIVEL_OK` or a negative errno: the handle has to be closed.
int swivel__uv_reserve(uv_loop_t *uv, int descriptor);

struct swivel_poll;

/// Makes the loop set `*ready` whenever the descriptor is readable. It replaces the one in `*slot`;
/// a negative one is none. False: the system refuses. **Thread:** the loop's, outside of uv_run.
bool swivel__uv_watch(uv_loop_t *uv, struct swivel_poll *SWIVEL_NULLABLE *SWIVEL_NONNULL slot,
                      int descriptor, SWIVEL_ATOMIC(bool) *SWIVEL_NULLABLE ready);

/// Closes the loop after its handles: runs their last callbacks.
void swivel__uv_close(uv_loop_t *uv);

SWIVEL_ASSUME_NONNULL_END

#endif
