// SPDX-License-Identifier: Apache-2.0
// What watch_set.c, which has the epoll set, and watch_epoll.c, which registers watchers in it, need
// of each other. Linux only.
#ifndef SWIVEL_INTERNAL_WATCH_SET_H
#define SWIVEL_INTERNAL_WATCH_SET_H

#include "watcher_uv.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The set's descriptor.
static inline int swivel__set_of(const swivel_watchers *all)
{
    return all->set - 1;
}

/// Makes the set if there is none. Returns `SWIVEL_OK` or a negative errno.
int swivel__set_open(swivel_loop *loop);

/// Takes an event of a watcher. Returns whether the pass under way has heard of it before: then it
/// has heard of all that were ready, because the set reports them in turn (epoll_wait(2)).
bool swivel__set_event(swivel_watcher *watcher, uint32_t events);

/// Adds a watcher to another set. Returns `SWIVEL_OK` or a negative errno.
int swivel__set_renew(swivel_watcher *watcher);

SWIVEL_ASSUME_NONNULL_END

#endif
