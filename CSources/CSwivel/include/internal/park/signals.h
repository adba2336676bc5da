// SPDX-License-Identifier: Apache-2.0
// The process's handler of the signals that loops watch.
//
//     any thread: a signal is expected     -> the handler is there, and counts
//     handler: it counts, looks for loops  -> each that watches signals is to look, and wakes
//     loop: compares its watchers' counts  -> the watchers of those that have grown hear
//
// A signal that comes before its watcher's loop knows of the watcher is in the count as well. libuv's
// handler is called by this one: a host may use it beside Swivel.
#ifndef SWIVEL_INTERNAL_SIGNALS_H
#define SWIVEL_INTERNAL_SIGNALS_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// How often the signal came while it was expected or watched. **Thread:** any.
uint32_t swivel__signal_count(int number);

/// The loop has one watcher of signals more. **Thread:** the loop's.
void swivel__signals_listen_begin(swivel_loop *loop);
/// The loop has one less. **Thread:** the loop's.
void swivel__signals_listen_end(swivel_loop *loop);

/// In a forked child: signals that the process watched have their usual effect.
void swivel__signals_forget(void);

SWIVEL_ASSUME_NONNULL_END

#endif
