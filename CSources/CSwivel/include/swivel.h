// SPDX-License-Identifier: Apache-2.0
/// The C face of Swivel: loops, posts and timers on libuv.
///
/// A program in C needs this header alone:
///
///     swivel_loop *loop;
///     int status = swivel_loop_create(NULL, &loop);
///     if (status < 0) fail(swivel_status_text(status));
///     swivel_timer timer = swivel_schedule(loop, 5 * 1000 * 1000, 0, swivel_call(work, argument));
///     swivel_cancel(timer);
///     swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, NULL);
///     swivel_loop_release(loop);
#ifndef SWIVEL_H
#define SWIVEL_H

#include "swivel_config.h"
#include "swivel_loop.h"
#include "swivel_timer.h"

#endif
