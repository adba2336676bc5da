// SPDX-License-Identifier: Apache-2.0
// A park: of park_linux.c or of park_portable.c.
#ifndef SWIVEL_INTERNAL_PARK_STRUCT_H
#define SWIVEL_INTERNAL_PARK_STRUCT_H

#include "../loop.h"
#include "../thread/parker.h"
#include "uv.h"

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_park {
    uv_loop_t uv;
    const char *name;  ///< The loop's.
    uint64_t heard;    ///< See `swivel__park_heard`.
    struct swivel_poll *SWIVEL_NULLABLE guest; ///< See `swivel__uv_watch`.
    bool may_be_alone; ///< No thread but the loop's own waits for it. Linux only.
    /// It sleeps on `parker`, and no other thread polls its descriptors. Written by the loop's thread
    /// before it parks: a thread that notifies it has seen it park.
    SWIVEL_ATOMIC(bool) is_alone;
#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)
    uv_poll_t wake, time; ///< Open once their data is set.
    swivel_parker parker; ///< Wakes it then, and is its clock.
    int wake_fd, time_fd;
    swivel_mono armed; ///< When the timerfd expires; never: it does not, or has.
    bool expired;      ///< It has expired since it was set, and is readable.
#else
    uv_async_t wake; ///< Open once its data is set, as `time` is.
    uv_timer_t time;
#endif
};

// park_linux.c or park_portable.c
/// Opens what the park's two handles need, and starts them on its open libuv loop. Returns `SWIVEL_OK`
/// or libuv's code; `swivel__park_destroy` closes what is open then.
int swivel__park_open(struct swivel_park *park, bool is_alone);
/// Closes the descriptors, after the handles.
void swivel__park_close(const struct swivel_park *park);

#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

/// The data of the events of the park's own descriptors in a set of watched descriptors.
enum { SWIVEL_PARK_WAKE, SWIVEL_PARK_TIME };

/// Adds the park's two descriptors to an epoll set that the loop is to sleep in. Returns `SWIVEL_OK`
/// or a negative errno.
int swivel__park_join(const struct swivel_park *park, int set);

/// The eventfd, or the timerfd, is readable. **Thread:** the loop's.
void swivel__park_hears_wake(struct swivel_park *park);
void swivel__park_hears_time(struct swivel_park *park);

/// Stops the program: this system call has failed, for the reason in errno. **Thread:** any.
_Noreturn void swivel__park_fails(const struct swivel_park *park, const char *call);
#endif

SWIVEL_ASSUME_NONNULL_END

#endif
