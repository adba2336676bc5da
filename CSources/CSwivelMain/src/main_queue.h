// SPDX-License-Identifier: Apache-2.0
// The interfaces that main_queue.c uses: libdispatch, and the system's way to drain the main queue.
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

// main_linux.c or main_apple.c. **Thread:** the first, but for `exists` and `notify`.
/// Whether the system lets the first thread drain the main queue.
bool swivel__main_exists(void);
/// Prepares what the others need, if they exist. Returns `SWIVEL_OK` or a negative errno.
int swivel__main_open(void);
/// Runs the main queue's blocks; if not `always`, only after a sleep that some may have ended.
void swivel__main_drain(bool always);
/// Sleeps until there may be blocks, until a notification or until `until`, as part of a wait that
/// began at `began`. A wait that lasts runs the main run loop. May return for no reason.
void swivel__main_sleep(swivel_mono began, swivel_mono until);
void swivel__main_notify(void);
int swivel__main_descriptor(void);
#if defined(__APPLE__)
/// The source's `owner_wait`.
bool swivel__main_owner_wait(int descriptor, swivel_mono until);
#else
#define swivel__main_owner_wait NULL // Owners watch the descriptor.
#endif

#endif
