// SPDX-License-Identifier: Apache-2.0
// Driving a loop: its thread, its turns and parks, its end.
#ifndef SWIVEL_INTERNAL_DRIVE_H
#define SWIVEL_INTERNAL_DRIVE_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// run.c
/// Starts the loop's thread. Returns `SWIVEL_OK` or a negative errno.
int swivel__thread_start(swivel_loop *loop);
/// Whether its thread was pinned to the processor asked for: `SWIVEL_OK`, also if none was, or a
/// negative errno. **Thread:** any.
int swivel__pin_status(swivel_loop *loop);
/// Waits until the loop has closed and its thread has ended.
void swivel__thread_wait(swivel_loop *loop);
// drive.c
/// Like `swivel_loop_pump`; also asks `done` after every `check_ns` of real time. 0: only between
/// turns.
int swivel__loop_pump(swivel_loop *loop, bool (*done)(void *SWIVEL_NULLABLE argument),
                      void *SWIVEL_NULLABLE argument, uint64_t deadline_ns, uint64_t check_ns);
/// Runs turns and parks until the loop is stopped or asked to close.
void swivel__loop_drive(swivel_loop *loop);

// loop.c
/// Where a loop with real time stands, as another thread sees it.
typedef struct swivel_progress {
    uint64_t turns;    ///< The number of the latest turn.
    uint64_t since_ns; ///< When the loop last went on: began a turn, woke, or looked for work.
    uint64_t due_ns;   ///< When the loop has to be driven; never while it is driven.
    uint64_t running;  ///< The first word of the work under way; 0: none.
} swivel_progress;
/// Whether the loop is awake, so that it runs turns unless a closure blocks it. **Thread:** any.
bool swivel__loop_progress(swivel_loop *loop, swivel_progress *progress);
/// Whether the loop sleeps, is open, and has no timer or descriptor to wait for. **Thread:** any.
bool swivel__loop_is_idle(swivel_loop *loop);

// close.c and driver.c
/// Makes the calling thread the one that drives a loop without a thread. Returns `SWIVEL_OK`, or
/// the reason why not. `swivel__drive_leave` ends it, and closes the loop if that was requested
/// in between.
int swivel__drive_enter(swivel_loop *loop);
void swivel__drive_leave(swivel_loop *loop);
/// Refuses work from here on, and requests that the thread that drives the loop closes it. Under the lock.
void swivel__begin_closing(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns);
/// Runs the shutdown that was asked for: empties the loop, gives its resources back, says so.
/// **Thread:** the one that drives the loop, outside a turn.
void swivel__close(swivel_loop *loop);

// loop.c
/// Closures that have run since shutdown was asked for.
uint64_t swivel__ran(const swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
