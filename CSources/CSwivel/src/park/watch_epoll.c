// SPDX-License-Identifier: Apache-2.0
// Watchers of descriptors on Linux, in an epoll set in which the loop sleeps while it watches some.
// The set reports levels, and is changed only if it reports what is not wanted. A closed number
// whose file lives on stays in the set: the generation in its events shows that, and only a new
// set is free of it. See docs/design/watches.md.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"
#include "../../include/internal/thread/process.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/// Events that one call takes, which is a step of a pass.
#define SWIVEL_EVENTS 256

#if defined(SWIVEL_PORTABLE_PARK)
static const bool sleeps_in_set = false; // But in libuv, which polls the set.
#define swivel__park_join(park, set) SWIVEL_OK
#define swivel__park_hears(park, own) (void)(own)
#else
static const bool sleeps_in_set = true;
#endif

/// Makes a set that ends the sleeps of the loop and of a host. The caller closes the former one.
/// Returns `SWIVEL_OK` or a negative errno.
static int make_set(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    int set = epoll_create1(EPOLL_CLOEXEC);
    int status = set < 0 ? -errno : swivel__park_join(loop->park, set);
    // No other thread waits for a loop that may sleep outside of libuv.
    if (status == SWIVEL_OK && !loop->park->may_be_alone) {
        bool polls = swivel__uv_watch(&loop->park->uv, &all->poll, set, &all->set_is_ready);
        status = polls ? SWIVEL_OK : -ENOMEM;
        // Else libuv would take it over in its next poll: the loop's host may sleep before.
        uv_run(&loop->park->uv, UV_RUN_NOWAIT);
    }
    if (status == SWIVEL_OK) {
        all->set = set + 1;
    } else if (set >= 0) {
        close(set);
    }
    return status;
}

/// Calls epoll_ctl(2); for no events, the watcher is reported once at most. Returns its error.
static int control(int set, const swivel_watcher *watcher, int operation, int events)
{
    struct epoll_event event = {
        .events = (events == 0 ? EPOLLONESHOT : 0u) | (events & SWIVEL_READABLE ? EPOLLIN : 0u) |
                  (events & SWIVEL_WRITABLE ? EPOLLOUT : 0u) |
                  (events & SWIVEL_HUNG_UP ? EPOLLRDHUP : 0u) |
                  (events & SWIVEL_PRIORITY ? EPOLLPRI : 0u),
        .data.u64 = (uint64_t)watcher->generation << 32 | (uint32_t)watcher->number,
    };
    return epoll_ctl(set, operation, watcher->number, &event) == 0 ? SWIVEL_OK : -errno;
}

/// Makes the set report these events. If it refuses, the watcher ends.
static void arm(swivel_watcher *watcher, int events)
{
    int status = control(watcher->loop->watchers.set - 1, watcher, EPOLL_CTL_MOD, events);
    watcher->armed = status == SWIVEL_OK ? events : 0;
    if (status != SWIVEL_OK) {
        bool is_lost = status == -ENOENT || status == -EPERM;
        swivel__watcher_hears(watcher, 0, is_lost ? -EBADF : status);
    }
}

void swivel__descriptor_check(swivel_watcher *watcher)
{
    arm(watcher, watcher->wanted);
}

bool swivel__descriptor_listen(swivel_watcher *watcher)
{
    bool arms = watcher->wanted & ~watcher->armed;
    if (arms) {
        arm(watcher, watcher->wanted);
    }
    return arms;
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
    if (watcher->number == all->set - 1) {
        return -EBADF; // It was closed before the set was made, which has its number now.
    }
    swivel_watcher *before = all->numbers[watcher->number];
    int status = control(all->set - 1, watcher, EPOLL_CTL_ADD, watcher->wanted);
    if (status == -EEXIST && before == NULL) {
        // Left over from a number that was closed.
        status = control(all->set - 1, watcher, EPOLL_CTL_MOD, watcher->wanted);
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
    swivel_watchers *all = &watcher->loop->watchers;
    int status = fcntl(watcher->number, F_GETFD) < 0 ? -EBADF : make_room(all, watcher->number);
    status = status == SWIVEL_OK && all->set == 0 ? make_set(watcher->loop) : status;
    return status == SWIVEL_OK ? add(watcher) : status;
}

void swivel__descriptor_end(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    int number = watcher->number;
    if (number >= 0 && number < all->capacity && all->numbers[number] == watcher) {
        all->numbers[number] = NULL;
        control(all->set - 1, watcher, EPOLL_CTL_DEL, 0); // It may be closed.
    }
}

/// The meaning of epoll's event to a watcher that wants `wanted`.
static int meaning(uint32_t events, int wanted)
{
    int heard =
        (events & EPOLLIN ? SWIVEL_READABLE : 0) | (events & EPOLLOUT ? SWIVEL_WRITABLE : 0) |
        (events & EPOLLRDHUP ? SWIVEL_HUNG_UP : 0) | (events & EPOLLPRI ? SWIVEL_PRIORITY : 0);
    if (events & (EPOLLHUP | EPOLLERR)) {
        heard |= swivel__end_events(wanted);
    }
    return heard | (events & EPOLLERR ? SWIVEL_FAULTY : 0);
}

/// Takes an event. Returns whether the current pass has taken one of the watcher before, and so has
/// taken all: the set reports what is ready in turn (epoll_wait(2)).
static bool hear_event(swivel_watcher *watcher, uint32_t events)
{
    uint32_t pass = watcher->loop->watchers.pass;
    bool is_again = watcher->pass == pass;
    watcher->pass = pass;
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

/// Replaces a set that reports descriptors which are closed. Only the old set shows, by a refusal,
/// that a number stands for another file by now.
static void renew(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    int old = all->set - 1;
    if (make_set(loop) != SWIVEL_OK) {
        return; // At the next report there may be memory.
    }
    for (int number = 0; number < all->capacity; number++) {
        swivel_watcher *watcher = all->numbers[number];
        if (watcher == NULL || watcher->status != SWIVEL_OK) {
            continue;
        }
        int status = control(all->set - 1, watcher, EPOLL_CTL_ADD, watcher->armed);
        if (status == -EPERM || control(old, watcher, EPOLL_CTL_MOD, 0) != SWIVEL_OK) {
            status = -EBADF;
        }
        if (status != SWIVEL_OK) {
            watcher->armed = 0;
            swivel__watcher_hears(watcher, 0, status);
        }
    }
    close(old);
}

/// Takes events that are there, or waits for some. Returns whether all that were ready are taken.
static bool take(swivel_loop *loop, int timeout_ms)
{
    swivel_watchers *all = &loop->watchers;
    struct epoll_event events[SWIVEL_EVENTS];
    int count = epoll_wait(all->set - 1, events, SWIVEL_EVENTS, timeout_ms);
    if (count < 0 && errno != EINTR) {
        swivel__fatal("the loop '%s' cannot go on: epoll_wait: %s", loop->name, strerror(errno));
    }
    bool is_again = false, has_leftover = false;
    for (int i = 0; i < count; i++) {
        uint32_t number = (uint32_t)events[i].data.u64;
        uint32_t generation = (uint32_t)(events[i].data.u64 >> 32);
        swivel_watcher *watcher = number < (uint32_t)all->capacity ? all->numbers[number] : NULL;
        if (generation == 0) {
            swivel__park_hears(loop->park, number); // The park's own.
        } else if (watcher == NULL || watcher->generation != generation) {
            has_leftover = true;
        } else {
            is_again |= hear_event(watcher, events[i].events);
        }
    }
    if (has_leftover) {
        renew(loop);
    }
    return count >= 0 && (count < SWIVEL_EVENTS || is_again);
}

bool swivel__descriptors_listen(swivel_loop *loop)
{
    return loop->watchers.set == 0 || take(loop, 0);
}

void swivel__descriptors_poll(swivel_loop *loop, bool wait, swivel_mono until)
{
    swivel_watchers *all = &loop->watchers;
    if (sleeps_in_set && all->set != 0 && loop->source == NULL) {
        // Without a wait, a time that has come is not reported again.
        swivel__park_arm(loop->park, wait ? until : SWIVEL_MONO_NEVER);
        take(loop, wait ? -1 : 0);
        return;
    }
    swivel__park_poll(loop->park, wait, until);
    if (all->set != 0 && SWIVEL_EXCHANGE(&all->set_is_ready, false, relaxed)) {
        take(loop, 0);
    }
}

void swivel__descriptors_close(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    if (all->set != 0) {
        swivel__uv_watch(&loop->park->uv, &all->poll, -1, NULL);
        close(all->set - 1);
        all->set = 0;
    }
    free(all->numbers);
    all->numbers = NULL;
    all->capacity = 0;
}

#endif
