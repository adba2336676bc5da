// SPDX-License-Identifier: Apache-2.0
// The descriptors behind a park on Linux: an eventfd as the bell and one absolute timerfd for time,
// both watched through uv_poll. A round trip through libuv 1.44's own uv_async costs 14 to 37 µs,
// an eventfd's 2 to 6; its timers have milliseconds, a timerfd's nanoseconds.
#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

#include "../include/internal/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

/// Descriptors a loop needs, with libuv's process-wide signal pipe: libuv 1.44 aborts when it runs
/// out of them between its first and its last.
#define SWIVEL_SPARE_DESCRIPTORS 8

struct swivel_park {
    uv_loop_t uv;
    uv_poll_t bell, time;
    int bell_fd, time_fd;
    swivel_real armed; ///< When the timerfd expires; never: it does not, or has.
    bool expired;      ///< It has expired since it was set, and is readable.
    uint64_t heard;
    struct swivel_watch *watch;
};

/// Whether as many descriptors are free as a loop may need.
static int probe_descriptors(void)
{
    int spare[SWIVEL_SPARE_DESCRIPTORS], status = SWIVEL_OK, count = 0;
    while (count < SWIVEL_SPARE_DESCRIPTORS) {
        spare[count] = eventfd(0, EFD_CLOEXEC);
        if (spare[count] < 0) {
            status = -errno;
            break;
        }
        count += 1;
    }
    while (count > 0) {
        close(spare[--count]);
    }
    return status;
}

static void on_bell(uv_poll_t *handle, int status, int events)
{
    struct swivel_park *park = handle->data;
    uint64_t rings;
    (void)status;
    (void)events;
    if (read(park->bell_fd, &rings, sizeof rings) == sizeof rings) {
        park->heard += 1;
    }
}

static void on_time(uv_poll_t *handle, int status, int events)
{
    struct swivel_park *park = handle->data;
    (void)status;
    (void)events;
    park->expired = true;
    park->armed = SWIVEL_REAL_NEVER;
}

int swivel__park_create(struct swivel_park **out)
{
    int status = probe_descriptors();
    if (status < 0) {
        return status;
    }
    struct swivel_park *park = calloc(1, sizeof *park);
    if (park == NULL) {
        return -ENOMEM;
    }
    park->armed = SWIVEL_REAL_NEVER;
    park->bell_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    park->time_fd =
        park->bell_fd < 0 ? -1 : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    status = park->time_fd < 0 ? -errno : uv_loop_init(&park->uv);
    if (status < 0) {
        if (park->bell_fd >= 0) {
            close(park->bell_fd);
        }
        if (park->time_fd >= 0) {
            close(park->time_fd);
        }
        free(park);
        return status;
    }
    park->bell.data = park->time.data = park;
    uv_poll_init(&park->uv, &park->bell, park->bell_fd);
    uv_poll_init(&park->uv, &park->time, park->time_fd);
    uv_poll_start(&park->bell, UV_READABLE, on_bell);
    uv_poll_start(&park->time, UV_READABLE, on_time);
    // Registers both with the poller now, so that `swivel__park_fd` works before the first wait.
    uv_run(&park->uv, UV_RUN_NOWAIT);
    *out = park;
    return SWIVEL_OK;
}

void swivel__park_destroy(struct swivel_park *park)
{
    swivel__park_watch(park, -1, NULL);
    uv_close((uv_handle_t *)&park->bell, NULL);
    uv_close((uv_handle_t *)&park->time, NULL);
    while (uv_run(&park->uv, UV_RUN_DEFAULT) != 0) {
    }
    uv_loop_close(&park->uv);
    close(park->bell_fd);
    close(park->time_fd);
    free(park);
}

void swivel__park_arm(struct swivel_park *park, swivel_real until)
{
    if (until.ns == SWIVEL_NEVER_NS) {
        if (park->expired) {
            uint64_t expiries; // Left unread and unarmed, it would keep the poller from sleeping.
            park->expired = read(park->time_fd, &expiries, sizeof expiries) < 0 && errno == EINTR;
        }
    } else if (park->expired || swivel__real_is_before(until, park->armed)) {
        // Setting it anew consumes an expiry. It is never set later: an expiry that a cancel has
        // left behind costs one wake-up, every setting a system call.
        uint64_t instant = until.ns == 0 ? 1 : until.ns; // Zero would disarm it.
        struct itimerspec spec = {.it_value = {.tv_sec = (time_t)(instant / UINT64_C(1000000000)),
                                               .tv_nsec = (long)(instant % UINT64_C(1000000000))}};
        timerfd_settime(park->time_fd, TFD_TIMER_ABSTIME, &spec, NULL);
        park->armed = until;
        park->expired = false;
    }
}

void swivel__park_poll(struct swivel_park *park, bool wait, swivel_real until)
{
    if (wait) {
        swivel__park_arm(park, until);
    }
    uv_run(&park->uv, wait ? UV_RUN_ONCE : UV_RUN_NOWAIT);
}

void swivel__park_ring(void *bell)
{
    struct swivel_park *park = *(struct swivel_park **)bell;
    uint64_t one = 1;
    // Fails only when the counter is full, and then the bell is ringing.
    while (write(park->bell_fd, &one, sizeof one) < 0 && errno == EINTR) {
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
    return uv_backend_fd(&park->uv);
}

void *swivel__park_uv(struct swivel_park *park)
{
    return &park->uv;
}

struct swivel_watch **swivel__park_watched(struct swivel_park *park)
{
    return &park->watch;
}

#else
typedef int swivel__park_linux_is_not_used;
#endif
