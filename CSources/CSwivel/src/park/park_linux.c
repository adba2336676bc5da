// SPDX-License-Identifier: Apache-2.0
// A park on Linux: an eventfd for wake-ups and one absolute timerfd, both watched through uv_poll;
// or a word of memory, if only the loop's own thread waits for it. See docs/design/wake-up.md.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"
#include "../../include/internal/thread/process.h"

#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/// Stops the program: this system call has failed, for the reason in errno. **Thread:** any.
_Noreturn static void fail(const struct swivel_park *park, const char *call)
{
    swivel__fatal("the loop '%s' cannot go on: %s: %s", park->name, call, strerror(errno));
}

void swivel__park_hears(struct swivel_park *park, uint32_t own)
{
    if (own == SWIVEL_PARK_TIME) {
        park->expired = true;
        park->armed = SWIVEL_MONO_NEVER;
        return;
    }
    uint64_t wakes; // Left unread, it would keep the poller from sleeping.
    if (read(park->wake_fd, &wakes, sizeof wakes) < 0 && errno != EAGAIN && errno != EINTR) {
        fail(park, "read of its eventfd");
    }
    SWIVEL_COUNT(park->wakes, 1);
}

void swivel__park_arm(struct swivel_park *park, swivel_mono until)
{
    bool is_never = until.ns == SWIVEL_NEVER_NS;
    if (is_never && park->expired) {
        uint64_t expiries; // Left unread and unarmed, it would keep the poller from sleeping.
        park->expired = read(park->time_fd, &expiries, sizeof expiries) < 0 && errno == EINTR;
    }
    // It is never set later: an expiry that a cancel has left behind costs one wake-up, every
    // setting a system call. To set it anew consumes an expiry.
    if (is_never || (!park->expired && !swivel__mono_is_before(until, park->armed))) {
        return;
    }
    uint64_t instant = until.ns == 0 ? 1 : until.ns; // Zero would disarm it.
    struct itimerspec spec = {.it_value = {.tv_sec = (time_t)(instant / UINT64_C(1000000000)),
                                           .tv_nsec = (long)(instant % UINT64_C(1000000000))}};
    if (timerfd_settime(park->time_fd, TFD_TIMER_ABSTIME, &spec, NULL) < 0) {
        fail(park, "timerfd_settime");
    }
    park->armed = until;
    park->expired = false;
}

void swivel__park_poll(struct swivel_park *park, bool wait, swivel_mono until)
{
    if (SWIVEL_LOAD(&park->is_alone, relaxed) && park->source == NULL) {
        bool is_woken = wait ? swivel__parker_sleep(&park->parker, until)
                             : swivel__parker_take(&park->parker);
        SWIVEL_COUNT(park->wakes, is_woken);
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
        fail(park, "write to its eventfd");
    }
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
    (void)status;
    (void)events;
    struct swivel_park *park = handle->data;
    swivel__park_hears(park, handle == &park->time ? SWIVEL_PARK_TIME : SWIVEL_PARK_WAKE);
}

/// Starts a handle. Once its `data` is set it has to be closed.
static int watch(struct swivel_park *park, uv_poll_t *handle, int descriptor)
{
    int status = uv_poll_init(&park->uv, handle, descriptor);
    if (status == 0) {
        handle->data = park;
        uv_poll_start(handle, UV_READABLE, on_readable); // Fails for a closed handle alone.
    }
    return status;
}

int swivel__park_open(struct swivel_park *park, bool is_alone)
{
    park->may_be_alone = is_alone;
    SWIVEL_STORE(&park->is_alone, is_alone, relaxed);
    park->armed = SWIVEL_MONO_NEVER;
    park->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    park->time_fd =
        park->wake_fd < 0 ? -1 : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    int status = park->time_fd < 0 ? -errno : watch(park, &park->wake, park->wake_fd);
    return status < 0 ? status : watch(park, &park->time, park->time_fd);
}

void swivel__park_close(const struct swivel_park *park)
{
    if (park->wake_fd >= 0) {
        close(park->wake_fd);
    }
    if (park->time_fd >= 0) {
        close(park->time_fd);
    }
}

int swivel__park_join(const struct swivel_park *park, int set)
{
    struct epoll_event wake = {.events = EPOLLIN, .data.u64 = SWIVEL_PARK_WAKE};
    struct epoll_event time = {.events = EPOLLIN, .data.u64 = SWIVEL_PARK_TIME};
    bool joins = epoll_ctl(set, EPOLL_CTL_ADD, park->wake_fd, &wake) == 0 &&
                 epoll_ctl(set, EPOLL_CTL_ADD, park->time_fd, &time) == 0;
    return joins ? SWIVEL_OK : -errno;
}

#endif
