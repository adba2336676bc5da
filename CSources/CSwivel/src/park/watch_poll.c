// SPDX-License-Identifier: Apache-2.0
// Descriptors where there is no epoll: a uv_poll each, started for one event.
#if !defined(__linux__)

#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <fcntl.h>

static void on_event(uv_poll_t *handle, int status, int events)
{
    swivel_watcher *watcher = handle->data;
    int wanted = watcher->armed;
    uv_poll_stop(handle);
    watcher->armed = 0;
    if (status < 0) {
        // So libuv reports an error of the descriptor.
        bool is_open = fcntl(watcher->number, F_GETFD) >= 0;
        events = SWIVEL_FAULTY | (wanted & (SWIVEL_READABLE | SWIVEL_WRITABLE));
        swivel__watcher_hears(watcher, is_open ? events : 0, is_open ? SWIVEL_OK : UV_EBADF);
    } else {
        swivel__watcher_hears(watcher, events, SWIVEL_OK);
    }
}

static void listen_to(swivel_watcher *watcher)
{
    if (watcher->armed == watcher->wanted || watcher->status != SWIVEL_OK) {
        return;
    }
    bool is_open = fcntl(watcher->number, F_GETFD) >= 0;
    int status = !is_open               ? UV_EBADF
                 : watcher->wanted == 0 ? uv_poll_stop(&watcher->uv)
                                        : uv_poll_start(&watcher->uv, watcher->wanted, on_event);
    watcher->armed = status == 0 ? watcher->wanted : 0;
    watcher->loop->watchers.has_changed = true;
    if (status != 0) {
        swivel__watcher_hears(watcher, 0, status);
    }
}

static void check(swivel_watcher *watcher)
{
    if (fcntl(watcher->number, F_GETFD) < 0) {
        uv_poll_stop(&watcher->uv);
        watcher->armed = 0;
        swivel__watcher_hears(watcher, 0, UV_EBADF);
    }
}

static void leave(swivel_watcher *watcher)
{
    if (watcher->has_handle) {
        swivel__watcher_close_handle(watcher);
    }
}

static const swivel_watcher_kind descriptor = {listen_to, check, leave, false};

int swivel__watch_descriptor(swivel_loop *loop, int number, int events, swivel_watcher_calls calls,
                             void *owner, swivel_watcher **out)
{
    swivel_watcher *watcher = swivel__watcher_make(loop, &descriptor, number, calls, owner);
    if (watcher == NULL) {
        return UV_ENOMEM;
    }
    int status = fcntl(number, F_GETFD) < 0
                     ? UV_EBADF
                     : uv_poll_init(swivel__park_uv(loop->park), &watcher->uv, number);
    if (status != 0) {
        swivel__watcher_close(watcher);
        return status;
    }
    watcher->has_handle = true;
    swivel__watcher_want(watcher, events);
    *out = watcher;
    return SWIVEL_OK;
}

bool swivel__descriptors_listen(swivel_loop *loop)
{
    uv_run(swivel__park_uv(loop->park), UV_RUN_NOWAIT);
    return true; // Each is started for one event.
}

void swivel__descriptors_poll(swivel_loop *loop, bool wait, swivel_mono until)
{
    swivel__park_poll(loop->park, wait, until);
    loop->watchers.polls += 1;
}

void swivel__descriptors_serve(swivel_loop *loop, swivel_mono now)
{
    (void)loop;
    (void)now;
}

void swivel__watchers_close(swivel_loop *loop)
{
    (void)loop;
}

#else
typedef int swivel__watch_poll_is_not_used;
#endif
