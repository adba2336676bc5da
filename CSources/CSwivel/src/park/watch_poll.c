// SPDX-License-Identifier: Apache-2.0
// Descriptors where there is no epoll: a uv_poll each, started for one event.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#if !defined(__linux__)

#include <fcntl.h>

static bool is_open(const swivel_watcher *watcher)
{
    return fcntl(watcher->number, F_GETFD) >= 0;
}

static void on_event(uv_poll_t *handle, int status, int events)
{
    swivel_watcher *watcher = handle->data;
    if (status < 0) { // So libuv reports an error of the descriptor.
        events = SWIVEL_FAULTY | (watcher->armed & (SWIVEL_READABLE | SWIVEL_WRITABLE));
        status = is_open(watcher) ? SWIVEL_OK : UV_EBADF;
    }
    uv_poll_stop(handle);
    watcher->armed = 0;
    swivel__watcher_hears(watcher, status == SWIVEL_OK ? events : 0, status);
}

int swivel__descriptor_begin(swivel_watcher *watcher)
{
    uv_loop_t *uv = &watcher->loop->park->uv;
    int status = is_open(watcher) ? uv_poll_init(uv, &watcher->uv, watcher->number) : UV_EBADF;
    if (status == SWIVEL_OK) {
        watcher->uv.data = watcher;
        swivel__descriptor_listen(watcher);
    }
    return status;
}

bool swivel__descriptor_listen(swivel_watcher *watcher)
{
    if (watcher->armed == watcher->wanted) {
        return true;
    }
    int status = !is_open(watcher)      ? UV_EBADF
                 : watcher->wanted == 0 ? uv_poll_stop(&watcher->uv)
                                        : uv_poll_start(&watcher->uv, watcher->wanted, on_event);
    watcher->armed = status == 0 ? watcher->wanted : 0;
    if (status != 0) {
        swivel__watcher_hears(watcher, 0, status);
    } else if (watcher->loop->config.drive != SWIVEL_OWN_THREAD) {
        // Else libuv would take it over in its next poll: the loop's host may sleep before.
        uv_run(&watcher->loop->park->uv, UV_RUN_NOWAIT);
    }
    return true;
}

void swivel__descriptor_check(swivel_watcher *watcher)
{
    if (!is_open(watcher)) {
        uv_poll_stop(&watcher->uv);
        watcher->armed = 0;
        swivel__watcher_hears(watcher, 0, UV_EBADF);
    }
}

static void on_closed(uv_handle_t *handle)
{
    swivel_watcher *watcher = handle->data;
    handle->data = NULL;
    swivel__watcher_free_unused(watcher);
}

void swivel__descriptor_end(swivel_watcher *watcher)
{
    if (watcher->uv.data != NULL) {
        uv_close((uv_handle_t *)&watcher->uv, on_closed);
    }
}

bool swivel__descriptors_listen(swivel_loop *loop)
{
    uv_run(&loop->park->uv, UV_RUN_NOWAIT);
    return true; // Each is started for one event.
}

void swivel__descriptors_poll(swivel_loop *loop, bool wait, swivel_mono until)
{
    swivel__park_poll(loop->park, wait, until);
}

void swivel__descriptors_close(swivel_loop *loop)
{
    (void)loop;
}

#endif
