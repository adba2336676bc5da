// SPDX-License-Identifier: Apache-2.0
// The descriptors behind a park on Linux: an eventfd as the bell and one absolute timerfd for time,
// both watched through uv_poll. A round trip through libuv 1.44's own uv_async costs 14 to 37 µs,
// an eventfd's 2 to 6; its timers have milliseconds, a timerfd's nanoseconds.
//
// A loop that has a thread of its own, and whose descriptors nobody watches, sleeps on a word of
// memory instead (decision 0033): that is a system call less to sleep and to wake.
//
// The eventfd is always readable. Ringing makes the poller watch it once (EPOLLONESHOT): that costs
// as much as a write(2), spares the read(2), and reaches this bell or nothing, because the poller
// knows a descriptor's file as well as its number. A number that other code has closed, and that
// stands for another file now, is noticed and not written to.
#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"
#include "../../include/internal/thread/fatal.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define SWIVEL_NS_PER_MS UINT64_C(1000000)
/// How much later than its timerfd a park ends by itself, at least; twice as much at most.
#define SWIVEL_OVERSLEPT_NS UINT64_C(1000000000)

/// Whether the poller watches the file that this number stood for. **Thread:** any.
static bool is_ours(const struct swivel_park *park, int descriptor)
{
    struct epoll_event event = {0};
    return epoll_ctl(park->poller, EPOLL_CTL_ADD, descriptor, &event) < 0 && errno == EEXIST;
}

/// Stops the program and names the descriptor that is not the loop's any more. **Thread:** any.
static _Noreturn void stop(const struct swivel_park *park)
{
    const char *what = "poller (an epoll descriptor)";
    int descriptor = park->poller;
    if (is_ours(park, park->bell_fd)) {
        what = "clock (a timerfd)";
        descriptor = park->time_fd;
    } else if (is_ours(park, park->time_fd)) {
        what = "bell (an eventfd)";
        descriptor = park->bell_fd;
    }
    swivel__fatal("the loop '%s' has lost its %s: descriptor %d was closed under it. Some code of "
                  "this program closes a descriptor that it has not opened, or closes one twice.",
                  park->name, what, descriptor);
}

void swivel__park_check(const struct swivel_park *park, int descriptor)
{
    if (SWIVEL_UNLIKELY(!is_ours(park, descriptor))) {
        stop(park);
    }
}

bool swivel__park_watch_bell(const struct swivel_park *park, uint32_t events)
{
    // libuv finds the handle of an event by the number that it has put there.
    struct epoll_event event = {.events = events | EPOLLONESHOT, .data.fd = park->bell_fd};
    return epoll_ctl(park->poller, EPOLL_CTL_MOD, park->bell_fd, &event) == 0;
}

/// The timerfd that has expired is readable until it is read, or set anew.
static void read_time(struct swivel_park *park)
{
    uint64_t expiries; // Left unread and unarmed, it would keep the poller from sleeping.
    park->expired = read(park->time_fd, &expiries, sizeof expiries) < 0 && errno == EINTR;
}

/// The timerfd should have ended the sleep long ago. It may still do so: if the loop was busy, or
/// the machine stood still, libuv calls this before it looks at descriptors.
static void on_overslept(uv_timer_t *handle)
{
    struct swivel_park *park = handle->data;
    park->guarded = SWIVEL_REAL_NEVER;
    if (park->armed.ns != SWIVEL_NEVER_NS) {
        swivel__park_check(park, park->time_fd);
    }
}

/// Makes libuv's own timeout end the sleep too, later than the timerfd does: the poller silently
/// forgets a timerfd that was closed. If sleeps follow each other the timeout stays as it is for a
/// second.
static void guard(struct swivel_park *park)
{
    uint64_t since_ns = swivel__real_since(park->armed, park->guarded);
    if (SWIVEL_LIKELY(since_ns >= SWIVEL_OVERSLEPT_NS && since_ns <= 2 * SWIVEL_OVERSLEPT_NS)) {
        return;
    }
    park->guarded = swivel__real_after(park->armed, 2 * SWIVEL_OVERSLEPT_NS);
    uint64_t now_ms = uv_now(&park->uv), at_ms = park->guarded.ns / SWIVEL_NS_PER_MS;
    uint64_t least_ms = 2 * SWIVEL_OVERSLEPT_NS / SWIVEL_NS_PER_MS;
    uv_timer_start(&park->guard, on_overslept,
                   at_ms > now_ms + least_ms ? at_ms - now_ms : least_ms, 0);
}

static void unguard(struct swivel_park *park)
{
    if (park->guarded.ns != SWIVEL_NEVER_NS) {
        park->guarded = SWIVEL_REAL_NEVER;
        uv_timer_stop(&park->guard);
    }
}

static void set_time(struct swivel_park *park, swivel_real until)
{
    uint64_t instant = until.ns == 0 ? 1 : until.ns; // Zero would disarm it.
    struct itimerspec spec = {.it_value = {.tv_sec = (time_t)(instant / UINT64_C(1000000000)),
                                           .tv_nsec = (long)(instant % UINT64_C(1000000000))}};
    if (timerfd_settime(park->time_fd, TFD_TIMER_ABSTIME, &spec, NULL) < 0) {
        stop(park);
    }
    park->armed = until;
    park->expired = false;
}

void swivel__park_arm(struct swivel_park *park, swivel_real until)
{
    // The poller and the timerfd are about to be relied on.
    swivel__park_check(park, park->time_fd);
    if (until.ns == SWIVEL_NEVER_NS) {
        if (park->expired) {
            read_time(park);
        }
        unguard(park);
        return;
    }
    if (park->expired || swivel__real_is_before(until, park->armed)) {
        // Setting it anew consumes an expiry. It is never set later: an expiry that a cancel has
        // left behind costs one wake-up, every setting a system call.
        set_time(park, until);
    }
    guard(park);
}

/// Whether the poller has something for libuv. libuv aborts if its poller is gone.
static bool is_ready(const struct swivel_park *park)
{
    struct epoll_event event;
    int count = epoll_wait(park->poller, &event, 1, 0);
    if (count < 0 && errno != EINTR) {
        stop(park);
    }
    return count != 0;
}

void swivel__park_poll(struct swivel_park *park, bool wait, swivel_real until)
{
    if (SWIVEL_LOAD(&park->is_alone, relaxed) && park->guest == NULL) {
        park->heard +=
            wait ? swivel__parker_sleep(&park->parker, until) : swivel__parker_take(&park->parker);
    } else if (wait) {
        swivel__park_arm(park, until);
        uv_run(&park->uv, UV_RUN_ONCE);
    } else if (is_ready(park)) {
        uv_run(&park->uv, UV_RUN_NOWAIT);
    }
}

void swivel__park_ring(void *bell)
{
    struct swivel_park *park = *(struct swivel_park **)bell;
    if (SWIVEL_LOAD(&park->is_alone, relaxed)) {
        swivel__parker_wake(&park->parker);
    } else if (SWIVEL_UNLIKELY(!swivel__park_watch_bell(park, EPOLLIN))) {
        stop(park);
    }
}

#else
typedef int swivel__park_linux_is_not_used;
#endif
