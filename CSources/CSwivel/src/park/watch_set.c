// SPDX-License-Identifier: Apache-2.0
// The epoll set of a loop's watched descriptors, in which it sleeps while it watches some. The set
// reports levels, and is changed only if it reports what is not wanted. A closed number keeps its
// registration while its file lives on under another number. The generation in the event shows such a
// leftover; only a new set is free of it. See docs/design/watches.md.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/watcher_uv.h"
#include "../../include/internal/thread/fatal.h"

#if defined(__linux__)

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/// Events that one call takes, and calls of one step of a pass.
#define SWIVEL_EVENTS 256
#define SWIVEL_TAKES 4
/// The time between two sets.
#define SWIVEL_RENEW_NS UINT64_C(100000000)

/// Whether the loop sleeps in the set itself, and not in libuv.
static bool is_slept_in(const swivel_loop *loop)
{
#if defined(SWIVEL_PORTABLE_PARK)
    (void)loop;
    return false;
#else
    return loop->watchers.set != 0 && loop->guest == NULL;
#endif
}

/// Makes the set end the loop's sleeps, and those of a host. Returns `SWIVEL_OK` or a negative errno.
static int enter(swivel_loop *loop, int set)
{
    swivel_watchers *all = &loop->watchers;
    // No other thread waits for a loop that may sleep outside of libuv.
    if (!loop->park->may_be_alone &&
        !swivel__uv_watch(&loop->park->uv, &all->poll, set, &all->set_is_ready)) {
        return -ENOMEM;
    }
#if defined(SWIVEL_PORTABLE_PARK)
    return SWIVEL_OK;
#else
    return swivel__park_join(loop->park, set);
#endif
}

int swivel__set_open(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    if (all->set != 0) {
        return SWIVEL_OK;
    }
    int set = epoll_create1(EPOLL_CLOEXEC);
    if (set < 0) {
        return -errno;
    }
    int status = enter(loop, set);
    if (status != SWIVEL_OK) {
        close(set);
        return status;
    }
    all->set = set + 1;
    return SWIVEL_OK;
}

int swivel__set_control(const swivel_watcher *watcher, int operation, int events)
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

void swivel__set_arm(swivel_watcher *watcher, int events)
{
    int status = swivel__set_control(watcher, EPOLL_CTL_MOD, events);
    watcher->armed = status == SWIVEL_OK ? events : 0;
    if (status != SWIVEL_OK) {
        bool is_lost = status == -ENOENT || status == -EPERM;
        swivel__watcher_hears(watcher, 0, is_lost ? -EBADF : status);
    }
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

/// Takes an event of a watcher. Returns whether the pass under way has heard of it before: then it
/// has heard of all that were ready, because the set reports them in turn (epoll_wait(2)).
static bool hear_event(swivel_watcher *watcher, uint32_t events)
{
    swivel_watchers *all = &watcher->loop->watchers;
    bool is_again = all->is_listening && watcher->pass == all->pass;
    watcher->pass = all->is_listening ? all->pass : watcher->pass;
    if (watcher->armed != 0) { // Else the last one of a watcher that has come to rest.
        int wanted = watcher->is_delivering ? 0 : watcher->wanted;
        int heard = meaning(events, wanted) & swivel__told_events(wanted);
        if (heard == 0) {
            swivel__set_arm(watcher, wanted);
        } else {
            swivel__watcher_hears(watcher, heard, SWIVEL_OK);
        }
    }
    return is_again;
}

/// Takes the park's own event.
static void take_own(swivel_loop *loop, uint32_t own)
{
#if defined(SWIVEL_PORTABLE_PARK)
    (void)loop;
    (void)own;
#else
    swivel__park_hears(loop->park, own);
#endif
}

/// Takes events that are there, or waits for some. Returns whether all that were ready are taken.
static bool take(swivel_loop *loop, int timeout_ms)
{
    swivel_watchers *all = &loop->watchers;
    struct epoll_event events[SWIVEL_EVENTS];
    int count = epoll_wait(swivel__set_of(all), events, SWIVEL_EVENTS, timeout_ms);
    if (count < 0 && errno != EINTR) {
        swivel__fatal("the loop '%s' cannot go on: epoll_wait: %s", loop->name, strerror(errno));
    }
    bool is_again = false;
    for (int i = 0; i < count; i++) {
        uint32_t number = (uint32_t)events[i].data.u64;
        uint32_t generation = (uint32_t)(events[i].data.u64 >> 32);
        swivel_watcher *watcher = number < (uint32_t)all->capacity ? all->numbers[number] : NULL;
        if (generation == 0) {
            take_own(loop, number);
        } else if (watcher == NULL || watcher->generation != generation) {
            all->has_leftover = true;
        } else {
            is_again |= hear_event(watcher, events[i].events);
        }
    }
    bool is_all = count >= 0 && (count < SWIVEL_EVENTS || is_again);
    all->polls += is_all;
    return is_all;
}

bool swivel__descriptors_listen(swivel_loop *loop)
{
    bool is_all = loop->watchers.set == 0;
    for (int left = SWIVEL_TAKES; !is_all && left > 0; left--) {
        is_all = take(loop, 0);
    }
    return is_all;
}

void swivel__descriptors_poll(swivel_loop *loop, bool wait, swivel_mono until)
{
    swivel_watchers *all = &loop->watchers;
    if (is_slept_in(loop)) {
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

/// Adds a watcher to another set. Returns `SWIVEL_OK` or a negative errno.
static int renew(const swivel_watcher *watcher)
{
    return watcher->status == SWIVEL_OK
               ? swivel__set_control(watcher, EPOLL_CTL_ADD, watcher->armed)
               : SWIVEL_OK;
}

void swivel__descriptors_serve(swivel_loop *loop, swivel_mono now)
{
    swivel_watchers *all = &loop->watchers;
    if (!all->has_leftover || swivel__mono_is_before(now, all->renew_at)) {
        return;
    }
    all->renew_at = swivel__mono_after(now, SWIVEL_RENEW_NS);
    int old = swivel__set_of(all), set = epoll_create1(EPOLL_CLOEXEC);
    if (set < 0 || enter(loop, set) != SWIVEL_OK) {
        if (set >= 0) {
            close(set);
            enter(loop, old); // At the next try there may be memory.
        }
        return;
    }
    all->set = set + 1;
    all->has_leftover = false;
    for (int number = 0; number < all->capacity; number++) {
        swivel_watcher *watcher = all->numbers[number];
        int status = watcher == NULL ? SWIVEL_OK : renew(watcher);
        if (status != SWIVEL_OK) {
            watcher->armed = 0;
            swivel__watcher_hears(watcher, 0, status == -EPERM ? -EBADF : status);
        }
    }
    close(old);
}

void swivel__descriptors_close(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    if (all->set != 0) {
        swivel__uv_watch(swivel__park_uv(loop->park), &all->poll, -1, NULL);
        close(swivel__set_of(all));
        all->set = 0;
    }
    free(all->numbers);
    all->numbers = NULL;
    all->capacity = 0;
}

#endif
