// SPDX-License-Identifier: Apache-2.0
// A park: of park_linux.c, which park_open.c creates and closes, or of park_portable.c.
#ifndef SWIVEL_INTERNAL_PARK_STRUCT_H
#define SWIVEL_INTERNAL_PARK_STRUCT_H

#include "../loop.h"
#include "../thread/parker.h"
#include "uv.h"

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_park {
    uv_loop_t uv;
    uint64_t heard;    ///< See `swivel__park_heard`.
    struct swivel_poll *SWIVEL_NULLABLE guest; ///< See `swivel__uv_watch`.
    bool may_be_alone; ///< Nobody but the loop's own thread waits for it. Linux only.
    /// It sleeps on `parker`, and nobody looks at its descriptors. Written by the loop's thread
    /// before it parks: whoever rings has seen it park.
    SWIVEL_ATOMIC(bool) is_alone;
#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)
    uv_poll_t bell, time;
    uv_timer_t guard; ///< Ends a sleep that the timerfd has not ended.
    const char *name; ///< The loop's.
    swivel_parker parker; ///< Its bell then, and its clock.
    int poller, bell_fd, time_fd; ///< The poller is libuv's.
    swivel_real armed; ///< When the timerfd expires; never: it does not, or has.
    bool expired;      ///< It has expired since it was set, and is readable.
    swivel_real guarded; ///< When the guard ends a sleep; never: it is not started.
#else
    uv_async_t bell;
    uv_timer_t time;
#endif
};

#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

/// Stops the program unless the poller watches the file that this number stood for.
void swivel__park_check(const struct swivel_park *park, int descriptor);

/// Has the poller watch the bell for `events`, once. False: one of the two is not ours.
bool swivel__park_watch_bell(const struct swivel_park *park, uint32_t events);
#endif

SWIVEL_ASSUME_NONNULL_END

#endif
