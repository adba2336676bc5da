// SPDX-License-Identifier: Apache-2.0
// Descriptors on Linux: one epoll set of a loop's own, which it sleeps in while it watches some.
//
// libuv's uv_poll ends the process if a descriptor is closed between its first look and its
// registration, and another thread may close one that it has cancelled. Here each refusal of
// epoll_ctl(2) is a result.
//
// The set reports levels, so that an event needs no system call but the wait. It is changed only if
// it reports what is not wanted: an event of a watcher that has come to rest, or whose owner is being
// called. epoll knows a descriptor by its number and its file together. What is left in the set of a
// number that was closed, while the file lives on under another one, is recognized by its generation;
// only a new set is free of it.
#if defined(__linux__)

#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watch_set.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

/// Registers a watcher for `events`; for none, it is reported once at most.
static int control(const swivel_watcher *watcher, int operation, int events)
{
    struct epoll_event event = {
        .events = (events == 0 ? EPOLLONESHOT : 0u) | (events & SWIVEL_READABLE ? EPOLLIN : 0u) |
                  (events & SWIVEL_WRITABLE ? EPOLLOUT : 0u) |
                  (events & SWIVEL_HUNG_UP ? EPOLLRDHUP : 0u) |
                  (events & SWIVEL_PRIORITY ? EPOLLPRI : 0u),
        .data.u64 = (uint64_t)watcher->generation << 32 | (uint32_t)watcher->number,
    };
    int set = swivel__set_of(&watcher->loop->watchers);
    return epoll_ctl(set, operation, watcher->number, &event) == 0 ? SWIVEL_OK : -errno;
}

/// Has the set report these events. A refusal tells that the number is closed, or stands for another
/// file.
static void arm(swivel_watcher *watcher, int events)
{
    int status = control(watcher, EPOLL_CTL_MOD, events);
    watcher->armed = status == SWIVEL_OK ? events : 0;
    if (status != SWIVEL_OK) {
        bool is_lost = status == -ENOENT || status == -EPERM;
        swivel__watcher_hears(watcher, 0, is_lost ? -EBADF : status);
    }
}

static void listen_to(swivel_watcher *watcher)
{
    if (watcher->status != SWIVEL_OK) {
        return;
    }
    if (watcher->wanted & ~watcher->armed) {
        arm(watcher, watcher->wanted);
    } else {
        swivel__watcher_doubts(watcher);
    }
}

static void check(swivel_watcher *watcher)
{
    arm(watcher, watcher->wanted);
}

static void leave(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    int number = watcher->number;
    if (number >= 0 && number < all->capacity && all->numbers[number] == watcher) {
        all->numbers[number] = NULL;
        control(watcher, EPOLL_CTL_DEL, 0); // It may be closed.
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
    int status = control(watcher, EPOLL_CTL_ADD, watcher->wanted);
    if (status == -EEXIST && before == NULL) {
        // Left over from a number that was closed.
        status = control(watcher, EPOLL_CTL_MOD, watcher->wanted);
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

bool swivel__set_event(swivel_watcher *watcher, uint32_t events)
{
    swivel_watchers *all = &watcher->loop->watchers;
    bool is_again = all->is_listening && watcher->pass == all->pass;
    watcher->pass = all->is_listening ? all->pass : watcher->pass;
    swivel__watcher_forget_doubt(watcher);
    if (watcher->armed != 0) { // Else the last one of a watcher that has come to rest.
        int wanted = watcher->is_delivering ? 0 : watcher->wanted;
        int heard = meaning(events, wanted) & swivel__told_events(wanted);
        if (heard == 0) {
            arm(watcher, wanted);
        } else {
            swivel__watcher_hears(watcher, heard, SWIVEL_OK);
        }
    }
    return is_again;
}

int swivel__set_renew(swivel_watcher *watcher)
{
    return watcher->status == SWIVEL_OK ? control(watcher, EPOLL_CTL_ADD, watcher->armed) : SWIVEL_OK;
}

#else
typedef int swivel__watch_epoll_is_not_used;
#endif
