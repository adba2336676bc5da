// SPDX-License-Identifier: Apache-2.0
// Watchers of descriptors on Linux: begun, changed and ended in the loop's epoll set.
#if defined(__linux__)

#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

static void listen_to(swivel_watcher *watcher)
{
    if (watcher->status != SWIVEL_OK) {
        return;
    }
    if (watcher->wanted & ~watcher->armed) {
        swivel__set_arm(watcher, watcher->wanted);
    } else {
        swivel__watcher_doubts(watcher);
    }
}

static void check(swivel_watcher *watcher)
{
    swivel__set_arm(watcher, watcher->wanted);
}

static void leave(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    int number = watcher->number;
    if (number >= 0 && number < all->capacity && all->numbers[number] == watcher) {
        all->numbers[number] = NULL;
        swivel__set_control(watcher, EPOLL_CTL_DEL, 0); // It may be closed.
    }
}

static const swivel_watcher_kind descriptor = {listen_to, check, leave, false};

/// Makes room for the number. Returns `SWIVEL_OK` or `-ENOMEM`.
static int make_room(swivel_watchers *all, int number)
{
    int capacity = all->capacity == 0 ? 64 : all->capacity;
    while (capacity <= number) {
        capacity *= 2;
    }
    if (capacity == all->capacity) {
        return SWIVEL_OK;
    }
    void *numbers = realloc(all->numbers, (size_t)capacity * sizeof *all->numbers);
    if (numbers == NULL) {
        return -ENOMEM;
    }
    all->numbers = numbers;
    size_t added = (size_t)(capacity - all->capacity) * sizeof *all->numbers;
    memset(all->numbers + all->capacity, 0, added);
    all->capacity = capacity;
    return SWIVEL_OK;
}

/// Adds the watcher to the set. One that had the number before has lost its file to this one.
static int add(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (watcher->number == swivel__set_of(all)) {
        return -EBADF; // It was closed before the set was made, which has its number now.
    }
    swivel_watcher *before = all->numbers[watcher->number];
    int status = swivel__set_control(watcher, EPOLL_CTL_ADD, watcher->wanted);
    if (status == -EEXIST && before == NULL) {
        // Left over from a number that was closed.
        status = swivel__set_control(watcher, EPOLL_CTL_MOD, watcher->wanted);
    }
    if (status == SWIVEL_OK) {
        all->numbers[watcher->number] = watcher;
        watcher->armed = watcher->wanted;
        if (before != NULL) {
            swivel__watcher_hears(before, 0, -EBADF);
        }
    }
    return status;
}

int swivel__watch_descriptor(swivel_loop *loop, int number, int events, swivel_watcher_calls calls,
                             void *owner, swivel_watcher **out)
{
    if (fcntl(number, F_GETFD) < 0) {
        return -EBADF;
    }
    swivel_watcher *watcher = swivel__watcher_make(loop, &descriptor, number, calls, owner);
    if (watcher == NULL) {
        return -ENOMEM;
    }
    watcher->wanted = events;
    int status = make_room(&loop->watchers, number);
    if (status == SWIVEL_OK) {
        status = swivel__set_open(loop);
    }
    status = status == SWIVEL_OK ? add(watcher) : status;
    if (status != SWIVEL_OK) {
        swivel__watcher_close(watcher);
        return status;
    }
    *out = watcher;
    return SWIVEL_OK;
}

#else
typedef int swivel__watch_epoll_is_not_used;
#endif
