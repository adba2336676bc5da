// SPDX-License-Identifier: Apache-2.0
// Watchers of descriptors on Linux: begun, changed and ended in the loop's epoll set.
#include "../../include/internal/park/watcher_uv.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

bool swivel__descriptor_listen(swivel_watcher *watcher)
{
    bool arms = watcher->wanted & ~watcher->armed;
    if (arms) {
        swivel__set_arm(watcher, watcher->wanted);
    }
    return arms;
}

void swivel__descriptor_check(swivel_watcher *watcher)
{
    swivel__set_arm(watcher, watcher->wanted);
}

void swivel__descriptor_end(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    int number = watcher->number;
    if (number >= 0 && number < all->capacity && all->numbers[number] == watcher) {
        all->numbers[number] = NULL;
        swivel__set_control(watcher, EPOLL_CTL_DEL, 0); // It may be closed.
    }
}

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

int swivel__descriptor_begin(swivel_watcher *watcher)
{
    if (fcntl(watcher->number, F_GETFD) < 0) {
        return -EBADF;
    }
    int status = make_room(&watcher->loop->watchers, watcher->number);
    if (status == SWIVEL_OK) {
        status = swivel__set_open(watcher->loop);
    }
    return status == SWIVEL_OK ? add(watcher) : status;
}

#endif
