// SPDX-License-Identifier: Apache-2.0
// The interfaces that main_queue.c uses: libdispatch, the system's way to drain the main queue, and
// the lane.
#ifndef SWIVEL_MAIN_QUEUE_H
#define SWIVEL_MAIN_QUEUE_H

#include "internal/thread/mono.h"

// libdispatch's public interface. Its headers need blocks, which C11 does not have.
struct swivel_dispatch_queue;
extern struct swivel_dispatch_queue _dispatch_main_q;
extern void dispatch_async_f(struct swivel_dispatch_queue *queue, void *argument,
                             void (*function)(void *argument));
extern void dispatch_queue_set_specific(struct swivel_dispatch_queue *queue, const void *key,
                                        void *value, void (*release)(void *));
extern void *dispatch_get_specific(const void *key);

// main_linux.c and main_apple.c

/// Whether the system lets the first thread drain the main queue. **Thread:** any.
bool swivel__main_exists(void);
/// Prepares what draining and sleeping need, if they exist. Returns `SWIVEL_OK` or a negative
/// errno. **Thread:** the first.
int swivel__main_open(void);
// The rest is for the first thread, after `swivel__main_open` has succeeded. `notify` may be called
// on any thread at any time.

/// Runs the main queue's blocks. If not `always`, only after a sleep that ended because there may
/// be some.
void swivel__main_drain(bool always);
/// Sleeps until there may be blocks, until a notification or until `until`, as part of a wait that
/// began at `began`. A wait that lasts runs the main run loop. May return for no reason.
void swivel__main_sleep(swivel_mono began, swivel_mono until);
void swivel__main_notify(void);
int swivel__main_descriptor(void);
#if defined(__APPLE__)
/// The guest's `host_wait`. **Thread:** any.
bool swivel__main_host_wait(int descriptor, swivel_mono until);
#else
#define swivel__main_host_wait NULL // Hosts watch the descriptor.

/// Takes notice of blocks and notifications, or sleeps until some come. Returns whether some have. **Thread:** the first.
bool swivel__main_poll(int timeout_ms);

// main_run_loop.c

/// Runs the main run loop until it has done something, until a notification, or for `limit_ns`.
/// False: it cannot. **Thread:** the first.
bool swivel__run_loop_sleep(uint64_t limit_ns);
/// Ends the sleep under way, if there is one. **Thread:** any.
void swivel__run_loop_notify(void);
#endif

// main_lane.c

/// The number of the block that the main queue is to run for the lane; 0 if there is none.
/// **Thread:** any.
uint64_t swivel__lane_block(void);
/// Runs the lane's work if its block is still `block`. Returns whether work is left that could run
/// now. **Thread:** the main queue's.
bool swivel__lane_run(uint64_t block);
/// Makes the lane anew, without the work of its parent, in a forked child.
void swivel__lane_forget(void);

#endif
