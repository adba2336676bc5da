// SPDX-License-Identifier: Apache-2.0
// The interfaces that main_queue.c uses: libdispatch, the system's way to drain the main queue, and
// the lane.
#ifndef SWIVEL_MAIN_QUEUE_H
#define SWIVEL_MAIN_QUEUE_H

#include "internal/thread/real.h"

// libdispatch's public interface. Its headers need blocks, which C11 does not have.
struct swivel_dispatch_queue;
extern struct swivel_dispatch_queue _dispatch_main_q;
extern void dispatch_async_f(struct swivel_dispatch_queue *queue, void *argument,
                             void (*function)(void *argument));
extern void dispatch_queue_set_specific(struct swivel_dispatch_queue *queue, const void *key,
                                        void *value, void (*release)(void *));
extern void *dispatch_get_specific(const void *key);

// main_linux.c and main_apple.c

/// Whether the system lets the first thread drain the main queue. Prepares what draining needs.
/// **Thread:** the first.
bool swivel__main_open(void);
// The rest is for the first thread, after `swivel__main_open` has returned true. `ring` may be
// called on any thread at any time.
void swivel__main_drain(void);
void swivel__main_sleep(swivel_real until);
void swivel__main_ring(void);
int swivel__main_descriptor(void);
#if defined(__APPLE__)
/// The guest's `host_wait`. **Thread:** any.
bool swivel__main_host_wait(int descriptor, swivel_real until);
#else
#define swivel__main_host_wait NULL // Hosts watch the descriptor.
#endif

// main_lane.c

/// The number of the block that the main queue is to run for the lane; 0 if there is none.
/// **Thread:** any.
uint64_t swivel__lane_block(void);
/// Runs the lane's work if its block is still `block`. Returns whether work is left that could run
/// now. **Thread:** the main queue's.
bool swivel__lane_run(uint64_t block);

#endif
