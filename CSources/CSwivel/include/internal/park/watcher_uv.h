// SPDX-License-Identifier: Apache-2.0
// A watcher's record. watcher.c has its life, watch_epoll.c, watch_poll.c and watch_signal.c its
// kinds, watchers.c what a loop does with all of them.
#ifndef SWIVEL_INTERNAL_WATCHER_UV_H
#define SWIVEL_INTERNAL_WATCHER_UV_H

#include "../loop.h"
#include "uv.h"
#include "watcher.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The behaviour of a kind of watcher.
typedef struct swivel_watcher_kind {
    /// Listens for what is wanted now: the owner was told, or wants something else.
    void (*listen)(swivel_watcher *watcher);
    /// Ends the watcher if its descriptor does not stand for the same file any more.
    void (*check)(swivel_watcher *watcher);
    /// Listens no more.
    void (*leave)(swivel_watcher *watcher);
    bool is_signal;
} swivel_watcher_kind;

/// The loop's thread only. It lives until libuv has closed its handle and its post has run.
struct swivel_watcher {
    uv_poll_t uv; ///< For descriptors, but not on Linux.
    const swivel_watcher_kind *kind;
    swivel_loop *loop;
    swivel_watcher_calls calls;
    void *SWIVEL_NULLABLE owner; ///< `NULL`: closed.
    swivel_watcher *SWIVEL_NULLABLE next, *SWIVEL_NULLABLE before;
    int number;  ///< The descriptor or the signal.
    uint32_t generation; ///< Of the watchers that have had the number.
    uint32_t count; ///< How often its signal had come when that was heard.
    int wanted;  ///< Events that its owner wants to hear.
    int armed;   ///< Events that are listened for, until one is heard.
    int heard, status; ///< The news for its owner.
    bool is_queued;  ///< Its post waits.
    bool is_telling; ///< Its owner is being told.
    bool again;      ///< A signal came meanwhile.
    bool has_handle; ///< libuv has yet to close it.
};

/// The events by which an owner hears that the other side has closed: those of them that it wants, or
/// that a read does not wait.
static inline int swivel__end_events(int wanted)
{
    int events = wanted & (SWIVEL_READABLE | SWIVEL_WRITABLE | SWIVEL_HUNG_UP);
    return events == 0 && wanted != 0 ? SWIVEL_READABLE : events;
}

// watcher.c
/// Makes a record in the loop's list. `NULL` without memory.
swivel_watcher *SWIVEL_NULLABLE swivel__watcher_make(swivel_loop *loop,
                                                     const swivel_watcher_kind *kind, int number,
                                                     swivel_watcher_calls calls, void *owner);
/// Notes what was heard, and posts the watcher. **Thread:** the loop's, in uv_run or outside.
void swivel__watcher_hears(swivel_watcher *watcher, int events, int status);
/// Whether it has news for its owner; posts it unless it is posted.
bool swivel__watcher_waits(swivel_watcher *watcher);
/// Has libuv close the watcher's handle. It is freed after that.
void swivel__watcher_close_handle(swivel_watcher *watcher);

// watch_signal.c
/// Takes signals that have come. **Thread:** the loop's.
void swivel__signals_hear(swivel_loop *loop);

// watch_epoll.c or watch_poll.c
/// Takes what descriptors have to tell, after uv_run. **Thread:** the loop's.
void swivel__descriptors_listen(swivel_loop *loop);
/// Ends the use of descriptors, with the loop.
void swivel__watchers_close(swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
