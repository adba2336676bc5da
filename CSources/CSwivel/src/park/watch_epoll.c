// SPDX-License-Identifier: Apache-2.0
// Descriptors on Linux: one epoll set of a loop's own, which libuv watches.
//
// libuv's uv_poll ends the process where a descriptor is closed between its first look and its
// registration, and another thread may close one that it has cancelled. Here each refusal of
// epoll_ctl(2) is an answer. The set is told to listen once (EPOLLONESHOT): what is left in it of a
// closed descriptor, whose file lives on under another number, is heard once and then no more.
#if defined(__linux__)

#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/// Events that one call takes.
#define SWIVEL_HEARD 64

static int set_of(const swivel_watchers *all)
{
    return all->set - 1;
}

static int control(const swivel_watcher *watcher, int operation)
{
    int wanted = watcher->wanted;
    struct epoll_event event = {
        .events = EPOLLONESHOT | (wanted & SWIVEL_READABLE ? EPOLLIN : 0u) |
                  (wanted & SWIVEL_WRITABLE ? EPOLLOUT : 0u) |
                  (wanted & SWIVEL_HUNG_UP ? EPOLLRDHUP : 0u) |
                  (wanted & SWIVEL_PRIORITY ? EPOLLPRI : 0u),
        .data.u64 = (uint64_t)watcher->generation << 32 | (uint32_t)watcher->number,
    };
    int set = set_of(&watcher->loop->watchers);
    return epoll_ctl(set, operation, watcher->number, &event) == 0 ? SWIVEL_OK : -errno;
}

static void listen_to(swivel_watcher *watcher)
{
    if (watcher->armed == watcher->wanted || watcher->status != SWIVEL_OK) {
        return;
    }
    int status = control(watcher, EPOLL_CTL_MOD);
    watcher->armed = status == SWIVEL_OK ? watcher->wanted : 0;
    if (status != SWIVEL_OK) {
        swivel__watcher_hears(watcher, 0, status == -ENOENT ? -EBADF : status);
    }
}

static void check(swivel_watcher *watcher)
{
    int status = control(watcher, EPOLL_CTL_ADD);
    if (status == SWIVEL_OK) {
        control(watcher, EPOLL_CTL_DEL); // The number stands for another file.
    }
    // Any other refusal tells that the number is closed, or stands for a file that cannot be polled.
    bool is_watched = status == -EEXIST || status == -ENOMEM || status == -ENOSPC;
    if (!is_watched) {
        swivel__watcher_hears(watcher, 0, -EBADF);
    }
}

static void leave(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    int number = watcher->number;
    if (number >= 0 && number < all->capacity && all->numbers[number] == watcher) {
        all->numbers[number] = NULL;
        control(watcher, EPOLL_CTL_DEL); // It may be closed.
    }
}

static const swivel_watcher_kind descriptor = {listen_to, check, leave, false};

/// Makes the set, and room for the number. Returns `SWIVEL_OK` or a negative errno.
static int prepare(swivel_loop *loop, int number)
{
    swivel_watchers *all = &loop->watchers;
    if (number >= all->capacity) {
        int capacity = all->capacity == 0 ? 64 : all->capacity;
        while (capacity <= number) {
            capacity *= 2;
        }
        void *numbers = realloc(all->numbers, (size_t)capacity * sizeof *all->numbers);
        if (numbers == NULL) {
            return -ENOMEM;
        }
        all->numbers = numbers;
        size_t added = (size_t)(capacity - all->capacity) * sizeof *all->numbers;
        memset(all->numbers + all->capacity, 0, added);
        all->capacity = capacity;
    }
    if (all->set != 0) {
        return SWIVEL_OK;
    }
    int set = epoll_create1(EPOLL_CLOEXEC);
    if (set < 0) {
        return -errno;
    }
    if (!swivel__uv_watch(swivel__park_uv(loop->park), &all->poll, set, &all->set_is_ready)) {
        close(set);
        return -ENOMEM;
    }
    all->set = set + 1;
    return SWIVEL_OK;
}

/// Adds the watcher to the set. One that had the number before has lost its file to this one.
static int add(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (watcher->number == set_of(all)) {
        return -EBADF; // It was closed before the set was made, which has its number now.
    }
    swivel_watcher *before = all->numbers[watcher->number];
    int status = control(watcher, EPOLL_CTL_ADD);
    if (status == -EEXIST && before == NULL) {
        status = control(watcher, EPOLL_CTL_MOD); // Left over from a number that was closed.
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
    int status = prepare(loop, number);
    if (status == SWIVEL_OK) {
        status = add(watcher);
    }
    if (status != SWIVEL_OK) {
        swivel__watcher_close(watcher);
        return status;
    }
    *out = watcher;
    return SWIVEL_OK;
}

/// The meaning of epoll's event to a watcher that wants `wanted`.
static int meaning(uint32_t events, int wanted)
{
    int heard = (events & EPOLLIN ? SWIVEL_READABLE : 0) | (events & EPOLLOUT ? SWIVEL_WRITABLE : 0) |
                (events & EPOLLRDHUP ? SWIVEL_HUNG_UP : 0) |
                (events & EPOLLPRI ? SWIVEL_PRIORITY : 0);
    if (events & (EPOLLHUP | EPOLLERR)) {
        heard |= swivel__end_events(wanted);
    }
    return heard | (events & EPOLLERR ? SWIVEL_FAULTY : 0);
}

void swivel__descriptors_listen(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    if (!SWIVEL_LOAD(&all->set_is_ready, relaxed)) {
        return;
    }
    struct epoll_event events[SWIVEL_HEARD];
    int count = epoll_wait(set_of(all), events, SWIVEL_HEARD, 0);
    for (int i = 0; i < count; i++) {
        int number = (int)(uint32_t)events[i].data.u64;
        swivel_watcher *watcher = number < all->capacity ? all->numbers[number] : NULL;
        if (watcher == NULL || watcher->generation != events[i].data.u64 >> 32) {
            continue; // Of a file that lives on under another number.
        }
        int wanted = watcher->armed;
        watcher->armed = 0;
        int heard = meaning(events[i].events, wanted);
        if (wanted != 0 && heard != 0) {
            swivel__watcher_hears(watcher, heard, SWIVEL_OK);
        }
    }
    if (count < SWIVEL_HEARD) {
        SWIVEL_STORE(&all->set_is_ready, false, relaxed);
    }
}

void swivel__watchers_close(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    if (all->set != 0) {
        swivel__uv_watch(swivel__park_uv(loop->park), &all->poll, -1, NULL);
        close(set_of(all));
        all->set = 0;
    }
    free(all->numbers);
    all->numbers = NULL;
    all->capacity = 0;
}

#else
typedef int swivel__watch_epoll_is_not_used;
#endif
