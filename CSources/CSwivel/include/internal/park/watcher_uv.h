// SPDX-License-Identifier: Apache-2.0
// A watcher's record. watcher.c has its life; watch_epoll.c, watch_poll.c and signals.c receive the
// system's events; watchers.c has what a loop does with all of them.
#ifndef SWIVEL_INTERNAL_WATCHER_UV_H
#define SWIVEL_INTERNAL_WATCHER_UV_H

#include "park_struct.h"
#include "watcher.h"

#include <stdlib.h>

SWIVEL_ASSUME_NONNULL_BEGIN

/// The loop's thread only. The fields that an event uses come first, in two cache lines.
struct swivel_watcher {
    swivel_loop *loop;
    swivel_watcher_calls calls;
    void *SWIVEL_NULLABLE owner; ///< `NULL`: closed.
    swivel_watcher *SWIVEL_NULLABLE next_queued;
    int number; ///< The descriptor or the signal.
    uint32_t generation; ///< Of the watchers that have had the number; never 0.
    uint32_t pass;  ///< The last one in which it was heard.
    int wanted;  ///< Events that its owner wants.
    int armed;   ///< Events that the system reports; may be more than are wanted.
    int heard, status;  ///< The news for its owner.
    bool is_signal;
    bool is_queued;     ///< It is in the loop's queue.
    bool is_delivering; ///< Its owner is being called.
    uint8_t doubt;      ///< Polls until it is checked; 0: it is not in `doubted`.
    uint32_t count; ///< How often its signal had come when that was heard.
    swivel_watcher *SWIVEL_NULLABLE next, *SWIVEL_NULLABLE before;
    uv_poll_t uv; ///< For descriptors, but not on Linux. Open once its data is set.
};

/// The events that report a closed other side to an owner: those that it wants, or that a read does
/// not wait.
static inline int swivel__end_events(int wanted)
{
    int events = wanted & (SWIVEL_READABLE | SWIVEL_WRITABLE | SWIVEL_HUNG_UP);
    return events == 0 && wanted != 0 ? SWIVEL_READABLE : events;
}

/// The events that an owner which wants these is called for.
static inline int swivel__told_events(int wanted)
{
    return wanted == 0 ? 0 : wanted | swivel__end_events(wanted) | SWIVEL_FAULTY;
}

// watcher.c
/// Checks a descriptor unless its news, or its owner's return, ends in a check anyway.
void swivel__watcher_check(swivel_watcher *watcher);
/// Checks all those in doubt by one system call. That does not show that a closed number stands for
/// another file by now: the next round of checks, or a watch of that file, does.
void swivel__watcher_resolve_crowd(swivel_watchers *all);
/// Listens for what the owner wants now.
void swivel__watcher_listen(swivel_watcher *watcher);

/// Frees a closed record that nothing refers to any more.
static inline void swivel__watcher_free_unused(swivel_watcher *watcher)
{
    if (watcher->owner == NULL && watcher->uv.data == NULL && !watcher->is_queued &&
        !watcher->is_delivering) {
        free(watcher);
    }
}

/// Queues a watcher with news, unless it is queued or its owner is being called.
static inline void swivel__watcher_queue(swivel_watcher *watcher)
{
    swivel_watchers *all = &watcher->loop->watchers;
    if (watcher->is_queued || watcher->is_delivering || watcher->owner == NULL) {
        return;
    }
    watcher->is_queued = true;
    watcher->next_queued = NULL;
    *(all->first_queued == NULL ? &all->first_queued : &all->last_queued->next_queued) = watcher;
    all->last_queued = watcher;
    all->queued += 1;
}

/// Takes the first watcher out of the queue.
static inline swivel_watcher *swivel__watcher_take(swivel_watchers *all)
{
    swivel_watcher *watcher = all->first_queued;
    all->first_queued = watcher->next_queued;
    all->delivered += 1;
    watcher->is_queued = false;
    return watcher;
}

/// Records what was heard, and queues the watcher.
static inline void swivel__watcher_hears(swivel_watcher *watcher, int events, int status)
{
    watcher->heard |= events;
    watcher->status = watcher->status == SWIVEL_OK ? status : watcher->status;
    swivel__watcher_queue(watcher);
}

// signals.c
/// Takes signals that have come.
void swivel__signals_hear(swivel_loop *loop);
void swivel__signal_begin(swivel_watcher *watcher);
void swivel__signal_end(const swivel_watcher *watcher);

// watch_epoll.c or watch_poll.c
/// Watches a new watcher's descriptor. Returns `SWIVEL_OK` or a negative status.
int swivel__descriptor_begin(swivel_watcher *watcher);
/// Listens for what is wanted now. False: that took no system call: the number may be closed.
bool swivel__descriptor_listen(swivel_watcher *watcher);
/// Ends the watcher if its descriptor does not stand for the same file any more.
void swivel__descriptor_check(swivel_watcher *watcher);
/// Listens no more, or not at all after a failure.
void swivel__descriptor_end(swivel_watcher *watcher);
/// Waits for events or takes those that are there, as `swivel__park_poll`.
void swivel__descriptors_poll(swivel_loop *loop, bool wait, swivel_mono until);
/// Ends the use of descriptors, with the loop.
void swivel__descriptors_close(swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
