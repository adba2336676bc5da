// SPDX-License-Identifier: Apache-2.0
// A park, of park_linux.c or of park_portable.c, and libuv's loops as parks use them: a refusal by
// the system is an error, at which libuv would abort (its signal pipe, epoll_ctl(2)).
#ifndef SWIVEL_INTERNAL_PARK_STRUCT_H
#define SWIVEL_INTERNAL_PARK_STRUCT_H

#include "../../../../CLibUV/shim.h"
#include "../loop.h"
#include "../thread/parker.h"

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_park {
    uv_loop_t uv;
    const char *name;  ///< The loop's.
    swivel_count *wakes; ///< Counts its wake-ups.
    struct swivel_poll *SWIVEL_NULLABLE source; ///< See `swivel__uv_watch`.
    bool may_be_alone; ///< No thread but the loop's own waits for it. Linux only.
    /// It sleeps on `parker`. Written before it parks: a thread that notifies it has seen it park.
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

/// All sleeps are in the poller from here on if it watches descriptors. **Thread:** the loop's.
static inline void swivel__park_reveal(struct swivel_park *park, bool is_watched)
{
    SWIVEL_STORE(&park->is_alone, park->may_be_alone && !is_watched, relaxed);
}

// park_linux.c or park_portable.c
/// Starts the park's two handles on its libuv loop. Returns `SWIVEL_OK`, or libuv's code and leaves
/// what is open to `swivel__park_destroy`.
int swivel__park_open(struct swivel_park *park, bool is_alone);
/// Closes the descriptors, after the handles.
void swivel__park_close(const struct swivel_park *park);

#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)
/// The park's own descriptors, and the data of their events in a set of watched ones.
enum { SWIVEL_PARK_WAKE, SWIVEL_PARK_TIME };

/// Adds both to an epoll set that the loop is to sleep in. Returns `SWIVEL_OK` or a negative errno.
int swivel__park_join(const struct swivel_park *park, int set);
/// One of them is readable. **Thread:** the loop's.
void swivel__park_hears(struct swivel_park *park, uint32_t own);
#endif

// park_uv.c
/// Adds the descriptor of a handle that was started to the poller, where libuv modifies it in its
/// next run. Returns `SWIVEL_OK` or a negative errno: the handle has to be closed.
int swivel__uv_reserve(uv_loop_t *uv, int descriptor);
/// Makes the loop set `*ready` whenever the descriptor is readable, instead of that in `*slot`.
/// Negative: none. False: the system refuses. **Thread:** the loop's, outside of uv_run.
bool swivel__uv_watch(uv_loop_t *uv, struct swivel_poll *SWIVEL_NULLABLE *SWIVEL_NONNULL slot,
                      int descriptor, SWIVEL_ATOMIC(bool) *SWIVEL_NULLABLE ready);

SWIVEL_ASSUME_NONNULL_END

#endif
