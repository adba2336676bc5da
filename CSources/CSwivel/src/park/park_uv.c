// SPDX-License-Identifier: Apache-2.0
// libuv's loops and polls, created so that a refusal by the system is an error.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#endif

/// A libuv loop's descriptors, two at a time: its poller and its wake-up fd, its pipe for signals, and
/// the process's pipe, made with the first loop. libuv 1.44 aborts if it cannot make that one.
#define SWIVEL_SPARE_PIPES 3

/// Whether the system has the descriptors that libuv is about to open.
static int probe(void)
{
    uv_file spare[SWIVEL_SPARE_PIPES][2];
    int status = SWIVEL_OK, count = 0;
    while (count < SWIVEL_SPARE_PIPES && (status = uv_pipe(spare[count], 0, 0)) == 0) {
        count += 1;
    }
    while (count > 0) {
        count -= 1;
        close(spare[count][0]);
        close(spare[count][1]);
    }
    return status;
}

#if defined(__linux__)

int swivel__uv_reserve(uv_loop_t *uv, int descriptor)
{
    // When libuv next runs it finds the descriptor in the poller and modifies it. This addition is
    // the call that takes memory and counts against the limits of epoll(7).
    struct epoll_event event = {.data.fd = descriptor};
    int status = epoll_ctl(uv->backend_fd, EPOLL_CTL_ADD, descriptor, &event);
    return status == 0 || errno == EEXIST ? SWIVEL_OK : -errno;
}

/// libuv 1.44 leaves its epoll descriptor open if something fails after it has made that.
static void close_leftover(const uv_loop_t *uv)
{
    struct epoll_event event;
    // Where it was not made the field is zero or -1; where a later libuv has closed it, its number
    // is no poller's.
    if (uv->backend_fd > 0 && epoll_wait(uv->backend_fd, &event, 1, 0) >= 0) {
        close(uv->backend_fd);
    }
}

#else

int swivel__uv_reserve(uv_loop_t *uv, int descriptor)
{
    (void)uv;
    (void)descriptor;
    return SWIVEL_OK;
}

static void close_leftover(const uv_loop_t *uv)
{
    (void)uv;
}

#endif

/// libuv's own two: its wake-up fd, and the pipe that its signal handler writes to.
static int reserve_own(uv_loop_t *uv)
{
    int own[] = {uv->async_io_watcher.fd, uv->signal_pipefd[0]}, status = SWIVEL_OK;
    for (int i = 0; i < 2 && status == SWIVEL_OK; i++) {
        if (own[i] >= 0) {
            status = swivel__uv_reserve(uv, own[i]);
        }
    }
    return status;
}

int swivel__uv_open(uv_loop_t *uv)
{
    int status = probe();
    if (status < 0) {
        return status;
    }
    status = uv_loop_init(uv);
    if (status < 0) {
        close_leftover(uv);
        return status;
    }
    status = reserve_own(uv);
    if (status < 0) {
        swivel__uv_close(uv);
    }
    return status;
}

void swivel__uv_close(uv_loop_t *uv)
{
    while (uv_run(uv, UV_RUN_DEFAULT) != 0) {
    }
    uv_loop_close(uv);
}

/// A descriptor in the poller: that it is readable is recorded.
struct swivel_poll {
    uv_poll_t poll;
    int descriptor;
    SWIVEL_ATOMIC(bool) *ready;
};

static void on_readable(uv_poll_t *handle, int status, int events)
{
    struct swivel_poll *watch = handle->data;
    (void)status;
    (void)events;
    // Passes on the flag that notifications have set: see `swivel__guest_notify`.
    SWIVEL_EXCHANGE(watch->ready, true, relaxed);
}

static void free_poll(uv_handle_t *handle)
{
    free(handle->data);
}

static bool start_poll(uv_loop_t *uv, struct swivel_poll *watch)
{
    if (uv_poll_start(&watch->poll, UV_READABLE, on_readable) == 0 &&
        swivel__uv_reserve(uv, watch->descriptor) == SWIVEL_OK) {
        return true;
    }
    uv_close((uv_handle_t *)&watch->poll, free_poll);
    return false;
}

bool swivel__uv_watch(uv_loop_t *uv, struct swivel_poll **slot, int descriptor,
                      SWIVEL_ATOMIC(bool) *ready)
{
    struct swivel_poll *watch = *slot;
    if ((watch == NULL ? -1 : watch->descriptor) == descriptor) {
        return true;
    }
    if (watch != NULL) {
        uv_close((uv_handle_t *)&watch->poll, free_poll);
        *slot = NULL;
    }
    if (descriptor < 0) {
        return true;
    }
    watch = calloc(1, sizeof *watch);
    if (watch == NULL) {
        return false;
    }
    *watch = (struct swivel_poll){.descriptor = descriptor, .ready = ready};
    watch->poll.data = watch;
    if (uv_poll_init(uv, &watch->poll, descriptor) < 0) {
        free(watch);
        return false;
    }
    if (!start_poll(uv, watch)) {
        return false;
    }
    *slot = watch;
    return true;
}
