// SPDX-License-Identifier: Apache-2.0
// Creating and destroying a park, with its libuv loop and the descriptors that it polls; and status
// codes in words, libuv's too.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#endif

/// A libuv loop's descriptors, two at a time: its poller and its wake-up fd, its pipe for signals,
/// and the process's pipe, without which libuv 1.44 aborts.
#define SWIVEL_SPARE_PIPES 3

int swivel__find_descriptors(int pairs)
{
    uv_file spare[2];
    int status = uv_pipe(spare, 0, 0);
    if (status == 0) {
        status = pairs == 1 ? SWIVEL_OK : swivel__find_descriptors(pairs - 1);
        close(spare[0]);
        close(spare[1]);
    }
    return status;
}

int swivel__uv_reserve(uv_loop_t *uv, int descriptor)
{
#if defined(__linux__)
    // This addition is the call that takes memory and counts against the limits of epoll(7).
    struct epoll_event event = {.data.fd = descriptor};
    int status = epoll_ctl(uv->backend_fd, EPOLL_CTL_ADD, descriptor, &event);
    return status == 0 || errno == EEXIST ? SWIVEL_OK : -errno;
#else
    (void)uv, (void)descriptor;
    return SWIVEL_OK;
#endif
}

/// libuv 1.44 leaves its epoll descriptor open if something fails later.
static void close_leftover(const uv_loop_t *uv)
{
#if defined(__linux__)
    struct epoll_event event;
    // If it was not made the field is zero or -1. If a later libuv has closed it, it is no poller.
    if (uv->backend_fd > 0 && epoll_wait(uv->backend_fd, &event, 1, 0) >= 0) {
        close(uv->backend_fd);
    }
#else
    (void)uv;
#endif
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
    // Passes on the flag that notifications have set: see `swivel__source_notify`.
    SWIVEL_EXCHANGE(watch->ready, true, relaxed);
}

static void free_poll(uv_handle_t *handle)
{
    free(handle->data);
}

/// Starts to poll. `NULL`: the system refuses.
static struct swivel_poll *start_poll(uv_loop_t *uv, int descriptor, SWIVEL_ATOMIC(bool) *ready)
{
    struct swivel_poll *watch = calloc(1, sizeof *watch);
    if (watch == NULL || uv_poll_init(uv, &watch->poll, descriptor) < 0) {
        free(watch);
        return NULL;
    }
    watch->descriptor = descriptor;
    watch->ready = ready;
    watch->poll.data = watch;
    uv_poll_start(&watch->poll, UV_READABLE, on_readable); // Fails for a closed handle alone.
    if (swivel__uv_reserve(uv, descriptor) != SWIVEL_OK) {
        uv_close((uv_handle_t *)&watch->poll, free_poll);
        return NULL;
    }
    return watch;
}

bool swivel__uv_watch(uv_loop_t *uv, struct swivel_poll **slot, int descriptor,
                      SWIVEL_ATOMIC(bool) *ready)
{
    struct swivel_poll *before = *slot;
    if ((before == NULL ? -1 : before->descriptor) == descriptor) {
        return true;
    }
    struct swivel_poll *watch = descriptor < 0 ? NULL : start_poll(uv, descriptor, ready);
    if (watch == NULL && descriptor >= 0) {
        return false;
    }
    if (before != NULL) {
        uv_close((uv_handle_t *)&before->poll, free_poll);
    }
    *slot = watch;
    return true;
}

void swivel__park_own_source(swivel_loop *loop)
{
    if (!loop->config.owns_source) {
        return;
    }
    struct swivel_park *park = loop->park;
    const swivel_source *source = swivel__source_here();
    // Only the source's thread may watch: another one would see work that it cannot do.
    int descriptor = source == NULL ? -1 : source->descriptor();
    if (swivel__uv_watch(&park->uv, &park->source, descriptor, &loop->source_is_ready) &&
        source != NULL) {
        swivel__source_enter(loop, source);
    }
}

void swivel__park_destroy(struct swivel_park *park)
{
    swivel__uv_watch(&park->uv, &park->source, -1, NULL);
    if (park->wake.data != NULL) {
        uv_close((uv_handle_t *)&park->wake, NULL);
    }
    if (park->time.data != NULL) {
        uv_close((uv_handle_t *)&park->time, NULL);
    }
    while (uv_run(&park->uv, UV_RUN_DEFAULT) != 0) {
    }
    uv_loop_close(&park->uv);
    swivel__park_close(park);
    free(park);
}

int swivel__park_create(const char *name, swivel_count *wakes, bool is_alone,
                        struct swivel_park **out)
{
    struct swivel_park *park = calloc(1, sizeof *park);
    if (park == NULL) {
        return -ENOMEM;
    }
    int status = swivel__find_descriptors(SWIVEL_SPARE_PIPES);
    status = status < 0 ? status : uv_loop_init(&park->uv);
    if (status < 0) {
        close_leftover(&park->uv);
        free(park);
        return status;
    }
    park->name = name;
    park->wakes = wakes;
    status = swivel__park_open(park, is_alone);
    // All that libuv is about to add to its poller: its own descriptors and the park's.
    for (unsigned int i = 0; i < park->uv.nwatchers && status == SWIVEL_OK; i++) {
        status = park->uv.watchers[i] == NULL ? SWIVEL_OK : swivel__uv_reserve(&park->uv, (int)i);
    }
    if (status < 0) {
        swivel__park_destroy(park);
        return status;
    }
    uv_run(&park->uv, UV_RUN_NOWAIT); // `swivel__park_fd` works before the first wait.
    *out = park;
    return SWIVEL_OK;
}

int swivel__park_fd(struct swivel_park *park)
{
    return uv_backend_fd(&park->uv);
}

const char *swivel_status_text(int status)
{
    switch (status) {
    case SWIVEL_OK:
        return "success";
    case SWIVEL_ESHUTDOWN:
        return "the loop is shut down";
    case SWIVEL_EFORKED:
        return "the loop was created before a fork and is dead in the child";
    case SWIVEL_EFULL:
        return "the loop's queue is full";
    case SWIVEL_ECONFIG:
        return "a configuration value is out of range";
    case SWIVEL_EDEADLOCK:
        return "the wait can never end";
    case SWIVEL_ESTUCK:
        return "virtual time stands still, and what is waited for does not come";
    default:
        return uv_strerror(status);
    }
}
