// SPDX-License-Identifier: Apache-2.0
// The descriptors behind a park on Linux: an eventfd as the bell and one absolute timerfd for time,
// both watched through uv_poll. A round trip through libuv 1.44's own uv_async costs 14 to 37 µs,
// an eventfd's 2 to 6; its timers have milliseconds, a timerfd's nanoseconds.
//
// The eventfd is readable for ever. Ringing has the poller watch it once (EPOLLONESHOT): that
// costs as much as a write(2), spares the read(2), and reaches this bell or nothing at all, because
// the poller knows a descriptor's file as well as its number. A number that somebody else has
// closed, and that is a stranger's by now, is noticed and not written to.
#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

#include "../../include/internal/fatal.h"
#include "../../include/internal/loop.h"
#include "../../include/internal/uv.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct swivel_park {
    uv_loop_t uv;
    uv_poll_t bell, time;
    const char *name;             ///< The loop's.
    int poller, bell_fd, time_fd; ///< The poller is libuv's.
    swivel_real armed; ///< When the timerfd expires; never: it does not, or has.
    bool expired;      ///< It has expired since it was set, and is readable.
    uint64_t heard;
    struct swivel_poll *guest; ///< See `swivel__uv_watch`.
};

/// Whether the poller watches the file that this number stood for. **Thread:** any.
static bool is_ours(const struct swivel_park *park, int descriptor)
{
    struct epoll_event event = {0};
    return epoll_ctl(park->poller, EPOLL_CTL_ADD, descriptor, &event) < 0 && errno == EEXIST;
}

/// Says which descriptor is not the loop's any more. **Thread:** any.
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

static void check(const struct swivel_park *park, int descriptor)
{
    if (SWIVEL_UNLIKELY(!is_ours(park, descriptor))) {
        stop(park);
    }
}

/// Has the poller watch the bell for `events`, once. False: one of the two is not ours.
static bool watch_bell(const struct swivel_park *park, uint32_t events)
{
    // libuv finds the handle of an event by the number that it has put there.
    struct epoll_event event = {.events = events | EPOLLONESHOT, .data.fd = park->bell_fd};
    return epoll_ctl(park->poller, EPOLL_CTL_MOD, park->bell_fd, &event) == 0;
}

static void on_bell(uv_poll_t *handle, int status, int events)
{
    struct swivel_park *park = handle->data;
    (void)status;
    (void)events;
    park->heard += 1;
}

static void on_time(uv_poll_t *handle, int status, int events)
{
    struct swivel_park *park = handle->data;
    (void)status;
    (void)events;
    park->expired = true;
    park->armed = SWIVEL_REAL_NEVER;
}

static int open_descriptors(struct swivel_park *park)
{
    park->bell_fd = park->time_fd = -1;
    park->bell_fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    if (park->bell_fd >= 0) {
        park->time_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    }
    return park->time_fd < 0 ? -errno : SWIVEL_OK;
}

static void close_descriptors(const struct swivel_park *park)
{
    if (park->bell_fd >= 0) {
        close(park->bell_fd);
    }
    if (park->time_fd >= 0) {
        close(park->time_fd);
    }
}

/// Starts a handle. Once its `data` is set it has to be closed.
static int watch(struct swivel_park *park, uv_poll_t *handle, int descriptor, uv_poll_cb heard)
{
    int status = uv_poll_init(&park->uv, handle, descriptor);
    if (status == 0) {
        handle->data = park;
        status = uv_poll_start(handle, UV_READABLE, heard);
    }
    return status < 0 ? status : swivel__uv_reserve(&park->uv, descriptor);
}

/// Has libuv register both handles now, so that `swivel__park_fd` works before the first wait, and
/// the bell ring as it will from here on.
static int settle(struct swivel_park *park)
{
    uv_run(&park->uv, UV_RUN_NOWAIT);
    if (park->heard != 1 || !watch_bell(park, 0) || !watch_bell(park, EPOLLIN)) {
        return UV_ENOTSUP;
    }
    uv_run(&park->uv, UV_RUN_NOWAIT);
    bool rang_once = park->heard == 2;
    park->heard = 0;
    return rang_once ? SWIVEL_OK : UV_ENOTSUP;
}

static void close_uv(struct swivel_park *park)
{
    if (park->bell.data != NULL) {
        uv_close((uv_handle_t *)&park->bell, NULL);
    }
    if (park->time.data != NULL) {
        uv_close((uv_handle_t *)&park->time, NULL);
    }
    swivel__uv_close(&park->uv);
}

/// On an open libuv loop.
static int start(struct swivel_park *park)
{
    park->poller = uv_backend_fd(&park->uv);
    park->armed = SWIVEL_REAL_NEVER;
    int status = watch(park, &park->bell, park->bell_fd, on_bell);
    if (status == 0) {
        status = watch(park, &park->time, park->time_fd, on_time);
    }
    return status < 0 ? status : settle(park);
}

int swivel__park_create(const char *name, struct swivel_park **out)
{
    struct swivel_park *park = calloc(1, sizeof *park);
    if (park == NULL) {
        return -ENOMEM;
    }
    park->name = name;
    int status = open_descriptors(park);
    if (status == SWIVEL_OK) {
        status = swivel__uv_open(&park->uv);
        if (status == SWIVEL_OK && (status = start(park)) < 0) {
            close_uv(park);
        }
    }
    if (status < 0) {
        close_descriptors(park);
        free(park);
        return status;
    }
    *out = park;
    return SWIVEL_OK;
}

void swivel__park_destroy(struct swivel_park *park)
{
    check(park, park->bell_fd);
    check(park, park->time_fd);
    swivel__park_watch(park, -1, NULL);
    close_uv(park);
    close_descriptors(park);
    free(park);
}

/// The timerfd that has expired is readable until it is read, or set anew.
static void read_time(struct swivel_park *park)
{
    uint64_t expiries; // Left unread and unarmed, it would keep the poller from sleeping.
    park->expired = read(park->time_fd, &expiries, sizeof expiries) < 0 && errno == EINTR;
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
    check(park, park->time_fd);
    if (until.ns == SWIVEL_NEVER_NS) {
        if (park->expired) {
            read_time(park);
        }
    } else if (park->expired || swivel__real_is_before(until, park->armed)) {
        // Setting it anew consumes an expiry. It is never set later: an expiry that a cancel has
        // left behind costs one wake-up, every setting a system call.
        set_time(park, until);
    }
}

/// Whether the poller has something for libuv. libuv aborts where it has no poller any more.
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
    if (wait) {
        swivel__park_arm(park, until);
        uv_run(&park->uv, UV_RUN_ONCE);
    } else if (is_ready(park)) {
        uv_run(&park->uv, UV_RUN_NOWAIT);
    }
}

void swivel__park_ring(void *bell)
{
    struct swivel_park *park = *(struct swivel_park **)bell;
    if (SWIVEL_UNLIKELY(!watch_bell(park, EPOLLIN))) {
        stop(park);
    }
}

uint64_t swivel__park_heard(struct swivel_park *park)
{
    uint64_t heard = park->heard;
    park->heard = 0;
    return heard;
}

int swivel__park_fd(struct swivel_park *park)
{
    return park->poller;
}

bool swivel__park_watch(struct swivel_park *park, int descriptor, SWIVEL_ATOMIC(bool) *ready)
{
    return swivel__uv_watch(&park->uv, &park->guest, descriptor, ready);
}

#else
typedef int swivel__park_linux_is_not_used;
#endif
