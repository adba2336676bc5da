// SPDX-License-Identifier: Apache-2.0
// Driving a loop: its thread, its turns and parks, virtual time, its end, and the work that waits.
#ifndef SWIVEL_INTERNAL_DRIVE_H
#define SWIVEL_INTERNAL_DRIVE_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// run.c
/// Starts the loop's thread. Returns `SWIVEL_OK` or a negative errno.
int swivel__thread_start(swivel_loop *loop);
/// Waits until the loop has closed and its thread has ended.
void swivel__thread_wait(swivel_loop *loop);

/// Whether its thread was pinned as asked for: `SWIVEL_OK` or a negative errno. **Thread:** any.
static inline int swivel__pin_status(swivel_loop *loop)
{
    return loop->pin_status;
}

// drive.c
/// Runs turns and parks until the loop is stopped or asked to close.
void swivel__loop_drive(swivel_loop *loop);

// manual.c
/// How long a pump of a manual loop waits for other threads. All zero at first.
typedef struct swivel_patience {
    swivel_mono ends;  ///< Nothing is expected from then on.
    swivel_mono moves; ///< Virtual time may move from then on.
} swivel_patience;

/// Waits in a pump of a manual loop until another thread sends something, or for `check_ns` if not
/// 0. After a hundredth of the loop's patience, if no work is still out, virtual time moves to
/// `next_ns`, unless that is never; then again at once, until another thread sends something.
/// False: there is nothing to move to, and the patience is over. **Thread:** the loop's.
bool swivel__manual_wait(swivel_loop *loop, swivel_patience *patience, uint64_t check_ns,
                         uint64_t next_ns);

/// Posts that the loop's own closures have made. **Thread:** the loop's.
static inline uint64_t swivel__own_posts(const swivel_loop *loop)
{
    return loop->local.tail;
}

/// Posts and messages that other threads have sent since the loop was made. **Thread:** any.
static inline uint64_t swivel__sent(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->inbox.tail, seq_cst) & ~SWIVEL_CLOSED;
}

/// Moves a manual loop's clock and runs nothing. **Thread:** the thread that drives it.
static inline void swivel__loop_set_time(swivel_loop *loop, uint64_t instant_ns)
{
    swivel__clock_set(&loop->clock, instant_ns);
}

/// Sets the loop in whose turn the thread is, as far as it knows. Returns the one before.
static inline swivel_loop *SWIVEL_NULLABLE swivel__swap_current(swivel_loop *SWIVEL_NULLABLE loop)
{
    swivel_loop *before = swivel__thread.loops.current;
    swivel__thread.loops.current = loop;
    return before;
}

/// Sets the latest instant that the thread has read, even to an earlier one. Returns the former.
static inline uint64_t swivel__swap_read(uint64_t read_ns)
{
    uint64_t before = swivel__thread.loops.read_ns;
    swivel__thread.loops.read_ns = read_ns;
    return before;
}

// close.c and shutdown.c
/// Empties the loop, gives its resources back, reports. **Thread:** its driver's, outside a turn.
void swivel__close(swivel_loop *loop);
/// Requests the shutdown of a loop that has a thread, and does not wait. Nothing on that thread, or
/// if the loop has none: then it closes inside of `swivel_loop_shutdown`. **Thread:** any.
void swivel__begin_shutdown(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns);

// loop.c
/// A loop with real time, as another thread sees it.
typedef struct swivel_progress {
    uint64_t turns;    ///< The number of the latest turn.
    uint64_t since_ns; ///< When the loop last began a turn, woke, or looked for work.
    uint64_t due_ns;   ///< When the loop has to be driven; never while it is driven.
    uint64_t running;  ///< The first word of the running work; 0: none.
} swivel_progress;
/// Whether the loop is awake, so that it runs turns unless a closure blocks it. **Thread:** any.
bool swivel__loop_progress(swivel_loop *loop, swivel_progress *progress);
/// Whether the loop sleeps, is open, and has no timer or descriptor to wait for. **Thread:** any.
bool swivel__loop_is_idle(swivel_loop *loop);
/// Closures that have run since shutdown was asked for.
uint64_t swivel__ran(const swivel_loop *loop);

/// A pending timer. `flags` are those of its node's state.
typedef struct swivel_pending {
    swivel_timer timer;
    /// To be compared only: a cancel on another thread may have released the closure.
    swivel_work work;
    uint64_t fire_at_ns; ///< 0: in the next turn.
    uint64_t sequence;
    uint64_t interval_ns; ///< 0: not a repeat.
    uint64_t flags;
    bool is_after_completion;
} swivel_pending;

/// Lists the pending timers without `flags` that fire first, in order, in half of `room`, at least
/// one. Returns the number of all. O(n log room) in the nodes that were ever in use at once.
/// **Thread:** the loop's; any within `swivel__resting_enter` and `swivel__resting_leave`.
size_t swivel__pending(swivel_loop *loop, swivel_pending *list, size_t room, uint64_t flags);
/// The earliest deadline of timers that virtual time brings, or never. O(n). **Thread:** as above.
uint64_t swivel__next_timed(swivel_loop *loop);

/// Posts, and messages about timers, that wait for the next turn. **Thread:** as above.
static inline uint64_t swivel__pending_posts(swivel_loop *loop)
{
    return swivel__sent(loop) - loop->inbox.cursor + loop->local.tail - loop->local.head;
}

/// Holds up a loop without a thread that is not driven: a thread that comes to drive it waits.
/// False: it is driven, or closes, or has a thread. **Thread:** any; nothing is run or waited for.
bool swivel__resting_enter(swivel_loop *loop);
/// Ends `swivel__resting_enter`.
void swivel__resting_leave(swivel_loop *loop);

// adopt.c: a loop that lives in a host's own libuv loop.
typedef struct swivel_adoption swivel_adoption;

/// How an owner is called, on the host's thread, in its uv_run.
typedef struct swivel_adoption_calls {
    void (*turn)(void *owner);  ///< The loop has something to do.
    void (*ended)(void *owner); ///< The last call: the host has none of the handles.
} swivel_adoption_calls;

/// Makes the host's `uv_loop_t` call `turn` whenever a copy of the descriptor is readable. Returns
/// `SWIVEL_OK`, or an error: then nothing is left behind once it has run. **Thread:** the host's.
int swivel__adopt(void *host, int descriptor, swivel_adoption_calls calls, void *owner,
                  swivel_adoption *SWIVEL_NULLABLE *SWIVEL_NONNULL adoption);
/// Takes the handles out of the host's loop when that runs; not in a child. **Thread:** any, once.
void swivel__adoption_end(swivel_adoption *adoption);

SWIVEL_ASSUME_NONNULL_END

#endif
