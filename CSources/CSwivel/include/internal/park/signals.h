// SPDX-License-Identifier: Apache-2.0
// The process's handler of the signals that loops watch. See docs/design/signals.md.
#ifndef SWIVEL_INTERNAL_SIGNALS_H
#define SWIVEL_INTERNAL_SIGNALS_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// signal_handler.c
/// How often the signal has come while it was expected or watched; it wraps. **Thread:** any.
uint32_t swivel__signal_count(int number);
/// Counts a signal, and wakes the loops that watch signals. Async-signal-safe. **Thread:** any.
void swivel__signal_came(int number);

/// Adds a watcher to the loop's `signals`, so that signals wake it. **Thread:** the loop's.
void swivel__signals_listen(swivel_loop *loop);

// For signals.c, under its lock.
/// Installs the handler over any other, which it calls. Returns `SWIVEL_OK` or a negative errno.
int swivel__handler_install(int number);
/// Restores the former handler, unless other code has installed another one.
void swivel__handler_restore(int number);
/// Calls none of the handlers that were found before.
void swivel__handler_forget_others(int number);
/// Whether libdispatch's handler is among those that are called.
bool swivel__handler_calls_dispatch(int number);
/// The handler only passes signals on to libdispatch, from whose source they come back.
void swivel__handler_leave_to_dispatch(int number, bool leaves);
/// Calls the handlers of other code for a signal from libdispatch's source, without the lock.
/// **Thread:** one of libdispatch's, which block all signals.
void swivel__handler_relay(int number);

// signals.c
/// If the loop watches signals: puts the handler back for each signal in use, if other code has
/// replaced it. **Thread:** the loop's.
void swivel__signals_check(swivel_loop *loop);
/// Gives each signal in use its former handler, in a forked child.
void swivel__signals_forget(void);

SWIVEL_ASSUME_NONNULL_END

#endif
