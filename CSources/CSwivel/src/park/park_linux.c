// SPDX-License-Identifier: Apache-2.0
// The descriptors behind a park on Linux: an eventfd for wake-ups and one absolute timerfd for time,
// both watched through uv_poll. A round trip through libuv 1.44's own uv_async costs 14 to 37 µs,
// an eventfd's 2 to 6; its timers have milliseconds, a timerfd's nanoseconds.
//
// A loop that has a thread of its own, and whose descriptors nobody watches, sleeps on a word of
// memory instead: that is a system call less to sleep and to wake. A loop that watches descriptors
// sleeps in the epoll set that they are in, which has these two as well.
#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"
#include "../../include/internal/thread/fatal.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

void swivel__park_fails(const struct swivel_park *park, const char *call)
{
    swivel__fatal("the loop '%s' cannot go on: %s: %s", park->name, call, strerror(errno));
}

void swivel__park_hears_wake(struct swivel_park *park)
{
    uint64_t wakes; // Left unread, it would keep the poller from sleeping.
    if (read(park->wake_fd, &wakes, sizeof wakes) < 0 && errno != EAGAIN && errno != EINTR) {
        swivel__park_fails(park, "read of its eventfd");
    }
    park->heard += 1;
}

void swivel__park_hears_time(struct swivel_park *park)
{
    park->expired = true;
    park->armed = SWIVEL_MONO_NEVER;
}

/// The timerfd that has expired is readable until it is read, or set anew.
static void read_time(struct swivel_park *park)
{
    uint64_t expiries; // Left unread and unarmed, it would keep the poller from sleeping.
    park->expired = read(park->time_fd, &expiries, sizeof expiries) < 0 && errno == EINTR;
}

static void set_time(struct swivel_park *park, swivel_mono until)
{
    uint64_t instant = until.ns == 0 ? 1 : until.ns; // Zero would disarm it.
    struct itimerspec spec = {.it_value = {.tv_sec = (time_t)(instant / UINT64_C(1000000000)),
                                           .tv_nsec = (long)(instant % UINT64_C(1000000000))}};
    if (timerfd_settime(park->time_fd, TFD_TIMER_ABSTIME, &spec, NULL) < 0) {
        swivel__park_fails(park, "timerfd_settime");
    }
    park->armed = until;
    park->expired = false;
}

void swivel__park_arm(struct swivel_park *park, swivel_mono until)
{
    if (until.ns == SWIVEL_NEVER_NS) {
        if (park->expired) {
            read_time(park);
        }
    } else if (park->expired || swivel__mono_is_before(until, park->armed)) {
        // Setting it anew consumes an expiry. It is never set later: an expiry that a cancel has
        // left behind costs one wake-up, every setting a system call.
        set_time(park, until);
    }
}

void swivel__park_poll(struct swivel_park *park, bool wait, swivel_mono until)
{
    if (SWIVEL_LOAD(&park->is_alone, relaxed) && park->guest == NULL) {
        park->heard +=
            wait ? swivel__parker_sleep(&park->parker, until) : swivel__parker_take(&park->parker);
        return;
    }
    if (wait) {
        swivel__park_arm(park, until);
    }
    uv_run(&park->uv, wait ? UV_RUN_ONCE : UV_RUN_NOWAIT);
}

void swivel__park_notify(void *slot)
{
    struct swivel_park *park = *(struct swivel_park **)slot;
    if (SWIVEL_LOAD(&park->is_alone, relaxed)) {
        swivel__parker_wake(&park->parker);
        return;
    }
    uint64_t one = 1;
    // EAGAIN: unread wake-ups have filled the counter, and the descriptor is readable.
    if (write(park->wake_fd, &one, sizeof one) < 0 && errno != EAGAIN) {
        swivel__park_fails(park, "write to its eventfd");
    }
}

#else
typedef int swivel__park_linux_is_not_used;
#endif
