// SPDX-License-Identifier: Apache-2.0
// A park on Linux: its descriptors and libuv's loop, made and closed.
#if defined(__linux__) && !defined(SWIVEL_PORTABLE_PARK)

#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

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

/// Makes libuv register both handles now, so that `swivel__park_fd` works before the first wait,
/// and the bell ring as it will from here on.
static int settle(struct swivel_park *park)
{
    uv_run(&park->uv, UV_RUN_NOWAIT);
    if (park->heard != 1 || !swivel__park_watch_bell(park, 0) ||
        !swivel__park_watch_bell(park, EPOLLIN)) {
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
    if (park->guard.data != NULL) {
        uv_close((uv_handle_t *)&park->guard, NULL);
    }
    swivel__uv_close(&park->uv);
}

/// On an open libuv loop.
static int start(struct swivel_park *park)
{
    park->poller = uv_backend_fd(&park->uv);
    park->armed = park->guarded = SWIVEL_REAL_NEVER;
    uv_timer_init(&park->uv, &park->guard);
    park->guard.data = park;
    int status = watch(park, &park->bell, park->bell_fd, on_bell);
    if (status == 0) {
        status = watch(park, &park->time, park->time_fd, on_time);
    }
    return status < 0 ? status : settle(park);
}

int swivel__park_create(const char *name, bool is_alone, struct swivel_park **out)
{
    struct swivel_park *park = calloc(1, sizeof *park);
    if (park == NULL) {
        return -ENOMEM;
    }
    park->name = name;
    park->may_be_alone = is_alone;
    SWIVEL_STORE(&park->is_alone, is_alone, relaxed);
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
    swivel__park_check(park, park->bell_fd);
    swivel__park_check(park, park->time_fd);
    swivel__park_watch(park, -1, NULL);
    close_uv(park);
    close_descriptors(park);
    free(park);
}

#else
typedef int swivel__park_open_is_not_used;
#endif
