// SPDX-License-Identifier: Apache-2.0
// The process's handler of the signals that loops watch.
//
//     any thread: a signal is expected     -> Swivel's handler is installed
//     handler: counts, wakes the loops     -> and calls the handlers that it has found
//     loop: compares its watchers' counts  -> the watchers whose count has changed are called
//     loop, at most every 100 ms of turns  -> a handler that other code has replaced is put back
//
// A signal that comes before its watcher's loop has begun to watch is in the count as well.
// On Linux libdispatch takes signals before any handler runs: see signal_dispatch.c.
#ifndef SWIVEL_INTERNAL_SIGNALS_H
#define SWIVEL_INTERNAL_SIGNALS_H

#include "../loop.h"

#include <signal.h>

SWIVEL_ASSUME_NONNULL_BEGIN

// signal_handler.c
/// How often the signal has come while it was expected or watched; it wraps. **Thread:** any.
uint32_t swivel__signal_count(int number);

/// Counts a signal, and wakes the loops that watch signals. Async-signal-safe. **Thread:** any.
void swivel__signal_came(int number);

/// Adds a watcher of signals to the loop. **Thread:** the loop's.
void swivel__signals_listen_begin(swivel_loop *loop);
/// Removes one. **Thread:** the loop's.
void swivel__signals_listen_end(swivel_loop *loop);

// For signals.c, under its lock.
/// Puts the handler over the one that it finds, if that is another. Returns `SWIVEL_OK` or a
/// negative errno.
int swivel__handler_install(int number);
/// Restores the former handler, unless other code has installed another one.
void swivel__handler_restore(int number);
/// Calls none of the handlers that were found before.
void swivel__handler_forget_others(int number);
/// Whether libdispatch's handler is among those that are called.
bool swivel__handler_calls_dispatch(int number);
/// The handler does not count a signal that it passes on to libdispatch, whose source does.
void swivel__handler_leave_to_dispatch(int number, bool leaves);
bool swivel__handler_leaves_to_dispatch(int number);
/// Runs the handler on the calling thread, for the handlers of other code only, if libdispatch has
/// taken the signal before any thread ran it. Without the lock.
void swivel__handler_relay(int number);
/// No loop watches signals, in a forked child.
void swivel__handler_forget_loops(void);

// signals.c
/// Puts the handler back if other code has replaced it, for each signal in use. Does nothing for a
/// loop that watches no signals. **Thread:** the loop's.
void swivel__signals_check(swivel_loop *loop);

/// Gives each signal in use its former handler, in a forked child.
void swivel__signals_forget(void);

// signal_dispatch.c
/// Whether a handler is the one that libdispatch installs for its signal sources.
bool swivel__is_dispatchs_handler(const struct sigaction *found);

/// The source works from here on (`is_first`), or the signal has come. On a queue of libdispatch's.
typedef void swivel_dispatch_heard(uintptr_t ticket, bool is_first);

/// Makes a source of libdispatch's for the signal, which calls `heard`, the same for all, with
/// `ticket`. Returns `SWIVEL_OK` or a negative errno. **Thread:** any.
int swivel__dispatch_source(int number, uintptr_t ticket, swivel_dispatch_heard *heard,
                            void *SWIVEL_NULLABLE *SWIVEL_NONNULL source);
/// Ends it. A call that has begun is not interrupted. **Thread:** any.
void swivel__dispatch_source_end(void *source);

SWIVEL_ASSUME_NONNULL_END

#endif
