// SPDX-License-Identifier: Apache-2.0
// Descriptors and signals that a loop watches for its owner.
//
//     poller: a descriptor is ready  -> the watcher records the events and joins the loop's queue
//     turn, before own posts         -> the queue is delivered within a budget: the owner is called
//     turn, before due timers        -> a pass over all that is ready; see turn/events.c
#ifndef SWIVEL_INTERNAL_WATCHER_H
#define SWIVEL_INTERNAL_WATCHER_H

#include "../../swivel_config.h"
#include "../thread/atomics.h"
#include "../thread/mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_loop;

/// News of a descriptor. The first four can be requested, and are libuv's bits.
enum {
    SWIVEL_READABLE = 1,
    SWIVEL_WRITABLE = 2,
    SWIVEL_HUNG_UP = 4, ///< The other side has closed, or sends nothing any more.
    SWIVEL_PRIORITY = 8,
    SWIVEL_FAULTY = 16, ///< It has an error, which a read, a write or SO_ERROR returns.
};

/// A descriptor or a signal that is watched.
typedef struct swivel_watcher swivel_watcher;

/// How an owner is called: on the loop's thread, as the loop's closures are called.
typedef struct swivel_watcher_calls {
    /// The news. A negative `status` is the reason why the watcher has ended: it is closed after
    /// this call. `number` is the descriptor or the signal, which is readable.
    void (*heard)(void *owner, int number, int events, int status);
    /// The loop closes, and has ended the watcher: the last call. Returns false if the owner had
    /// cancelled it, which may still be on its way to the loop.
    bool (*ended)(void *owner);
    uint64_t site; ///< The first word of its closure, for reports; 0: not known.
} swivel_watcher_calls;

/// To check this many descriptors one by one costs less than a sleep that ends for the check.
#define SWIVEL_DOUBTED_FEW 4
#define SWIVEL_DOUBTED 64
/// Of two descriptors that answer each other, every other poll reports each.
#define SWIVEL_DOUBT_POLLS 2

struct swivel_poll;

/// All that a loop watches. The loop's thread only, but for `count`.
typedef struct swivel_watchers {
    swivel_watcher *SWIVEL_NULLABLE first;
    swivel_watcher *SWIVEL_NULLABLE unchecked; ///< The next one of the current round of checks.
    swivel_mono check_at; ///< When a round begins; never: nothing has run since the last one.
    uint64_t ran;         ///< Closures that had run when the last round began.
    /// Those whose events are to be delivered. They are numbered in their order.
    swivel_watcher *SWIVEL_NULLABLE first_queued, *SWIVEL_NULLABLE last_queued;
    uint64_t queued, delivered;
    /// A pass over all that was ready at `pass_ns`, before timers that were due then; 0: none. It
    /// is delivered once `delivered` is `pass_end`, which is the maximum until all are taken.
    uint64_t pass_ns, pass_end;
    uint32_t pass; ///< Its number.
    /// Some whose owner was called since they were reported, and may have closed the descriptor.
    swivel_watcher *SWIVEL_NULLABLE doubted[SWIVEL_DOUBTED];
    uint32_t doubts;
    bool is_busy; ///< Events have come without a sleep: a poll that does not wait may find more.
    /// On Linux: an epoll set of all descriptors, 1 + its number, and how libuv watches it.
    int set;
    struct swivel_poll *SWIVEL_NULLABLE poll;
    SWIVEL_ATOMIC(bool) set_is_ready;
    swivel_watcher *SWIVEL_NULLABLE *SWIVEL_NULLABLE numbers; ///< By descriptor.
    int capacity; ///< Of `numbers`.
    uint32_t generation;
    SWIVEL_ATOMIC(uint32_t) count;
} swivel_watchers;

// **Thread:** the loop's, if nothing else is stated.

/// Watches a descriptor for `events`; zero: none yet. Returns `SWIVEL_OK`, `UV_EBADF`, `UV_EPERM`
/// if it cannot be polled, `UV_EEXIST` if the loop watches it already, or `UV_ENOMEM`.
int swivel__watch_descriptor(struct swivel_loop *loop, int descriptor, int events,
                             swivel_watcher_calls calls, void *owner,
                             swivel_watcher *SWIVEL_NULLABLE *SWIVEL_NONNULL watcher);

/// Ends `swivel__signal_expect` with a watcher; `count` is from there. Returns as above.
int swivel__watch_signal(struct swivel_loop *loop, int number, uint32_t count,
                         swivel_watcher_calls calls, void *owner,
                         swivel_watcher *SWIVEL_NULLABLE *SWIVEL_NONNULL watcher);

/// Watches for other events from here on; zero: for none.
void swivel__watcher_want(swivel_watcher *watcher, int events);
/// Ends the watcher, and forgets the owner.
void swivel__watcher_close(swivel_watcher *watcher);
/// The owner of the watcher of a descriptor; `NULL`: there is none. O(n).
void *SWIVEL_NULLABLE swivel__watcher_owner(struct swivel_loop *loop, int descriptor);

/// Counts a signal from here on, and calls the handlers of other code, until `swivel__watch_signal`
/// or `swivel__signal_leave`. `*count` is how often it had come before. Returns `SWIVEL_OK` or a
/// negative errno, `-EINVAL` if no process can handle the signal. **Thread:** any.
int swivel__signal_expect(int number, uint32_t *count);
/// Ends `swivel__signal_expect` without a watcher. **Thread:** any.
void swivel__signal_leave(int number);

/// How many descriptors and signals the loop watches. **Thread:** any.
uint32_t swivel__watchers_number(struct swivel_loop *loop);
/// Lists at most `room` of them, with their owners: a signal as its number below zero. Returns how
/// many. **Thread:** as `swivel__pending`.
size_t swivel__watchers_list(struct swivel_loop *loop, int *numbers,
                             void *SWIVEL_NONNULL *SWIVEL_NONNULL owners, size_t room);

// For park.c, drive.c and close.c, and for turns.
/// Before a park: takes signals, and checks some descriptors. Returns whether there is more to do.
bool swivel__watchers_serve(struct swivel_loop *loop);
/// Before a sleep: checks descriptors that their owners may have closed. Returns whether there is
/// something to deliver. `*until` becomes the next check's time, if that is earlier.
bool swivel__watchers_ready(struct swivel_loop *loop, swivel_mono *until);
/// `swivel__park_poll` for a loop that watches: queues what is ready. It may end early.
void swivel__watchers_poll(struct swivel_loop *loop, bool wait, swivel_mono until);
/// Takes events that are there, in a pass. Returns whether all that were ready are taken.
bool swivel__descriptors_listen(struct swivel_loop *loop);
/// Ends all watchers. Returns how many were not cancelled. **Thread:** that which closes the loop.
uint32_t swivel__watchers_end(struct swivel_loop *loop);

/// Whether there is anything to serve.
static inline bool swivel__watches(const swivel_watchers *watchers)
{
    return watchers->first != NULL;
}

/// In a forked child: nothing is left to deliver.
static inline void swivel__watchers_forget(swivel_watchers *watchers)
{
    watchers->first_queued = watchers->last_queued = NULL;
    watchers->pass_ns = 0;
}

// signal_handler.c
/// How often the signal has come while it was expected or watched; it wraps. **Thread:** any.
uint32_t swivel__signal_count(int number);
/// Counts a signal, and wakes the loops that watch signals. Async-signal-safe. **Thread:** any.
void swivel__signal_came(int number);

/// Adds a watcher to the loop's `signals`, so that signals wake it. **Thread:** the loop's.
void swivel__signals_listen(struct swivel_loop *loop);

// For signals.c, under its lock.
/// Installs the handler over any other, which it calls. Returns `SWIVEL_OK` or a negative errno.
int swivel__handler_install(int number);
/// Restores the former handler, unless other code has installed another one.
void swivel__handler_restore(int number);
/// Calls none of the handlers that were found before.
void swivel__handler_forget_others(int number);
/// Whether libdispatch's handler is among those that are called.
bool swivel__handler_calls_dispatch(int number);
/// The handler only passes signals on to libdispatch, whose source reports them.
void swivel__handler_leave_to_dispatch(int number, bool leaves);
/// Calls the handlers of other code if libdispatch's source has reported a signal, or cannot report
/// a signal that was left to it. Without the lock. **Thread:** libdispatch's: they block signals.
void swivel__handler_relay(int number, bool has_come);

// signals.c
/// Puts the handler back for each signal in use, if the loop watches any. **Thread:** the loop's.
void swivel__signals_check(struct swivel_loop *loop);
/// Gives each signal in use its former handler, in a forked child.
void swivel__signals_forget(void);

SWIVEL_ASSUME_NONNULL_END

#endif
