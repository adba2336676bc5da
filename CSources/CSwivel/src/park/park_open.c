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

static void on_wake(uv_poll_t *handle, int status, int events)
{
    (void)status;
    (void)events;
    swivel__park_hears_wake(handle->data);
}

static void on_time(uv_poll_t *handle, int status, int events)
{
    (void)status;
    (void)events;
    swivel__park_hears_time(handle->data);
}

static int open_descriptors(struct swivel_park *park)
{
    park->wake_fd = park->time_fd = -1;
    park->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (park->wake_fd >= 0) {
        park->time_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    }
    return park->time_fd < 0 ? -errno : SWIVEL_OK;
}

static void close_descriptors(const struct swivel_park *park)
{
    if (park->wake_fd >= 0) {
        close(park->wake_fd);
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

static void close_uv(struct swivel_park *park)
{
    if (park->wake.data != NULL) {
        uv_close((uv_handle_t *)&park->wake, NULL);
    }
    if (park->time.data != NULL) {
        uv_close((uv_handle_t *)&park->time, NULL);
    }
    swivel__uv_close(&park->uv);
}

/// On an open libuv loop.
static int start(struct swivel_park *park)
{
    park->armed = SWIVEL_MONO_NEVER;
    int status = watch(park, &park->wake, park->wake_fd, on_wake);
    if (status == 0) {
        status = watch(park, &park->time, park->time_fd, on_time);
    }
    if (status == 0) {
        uv_run(&park->uv, UV_RUN_NOWAIT); // `swivel__park_fd` works before the first wait.
    }
    return status < 0 ? status : SWIVEL_OK;
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

static int join(int set, int descriptor, uint32_t kind)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = kind};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0 ? SWIVEL_OK : -errno;
}

int swivel__park_join(const struct swivel_park *park, int set)
{
    int status = join(set, park->wake_fd, SWIVEL_PARK_WAKE);
    return status == SWIVEL_OK ? join(set, park->time_fd, SWIVEL_PARK_TIME) : status;
}

void swivel__park_destroy(struct swivel_park *park)
{
    swivel__park_watch(park, -1, NULL);
    close_uv(park);
    close_descriptors(park);
    free(park);
}

#else
typedef int swivel__park_open_is_not_used;
#endif
