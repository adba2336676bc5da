// SPDX-License-Identifier: Apache-2.0
// The epoll set, for watch_epoll.c, which registers watchers in it. Linux only.
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

/// Registers a watcher for `events`; for none, it is reported once at most. `operation` is that of
/// epoll_ctl(2). Returns `SWIVEL_OK` or a negative errno.
int swivel__set_control(const swivel_watcher *watcher, int operation, int events);

/// Makes the set report these events. After a refusal the watcher ends: the number is closed, or
/// stands for another file.
void swivel__set_arm(swivel_watcher *watcher, int events);

SWIVEL_ASSUME_NONNULL_END

#endif
