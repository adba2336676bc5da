// SPDX-License-Identifier: Apache-2.0
// A system's main queue, as its own file offers it to main_queue.c.
#ifndef SWIVEL_MAIN_QUEUE_H
#define SWIVEL_MAIN_QUEUE_H

#include "internal/thread/real.h"

/// Whether the calling thread is the process's first one.
bool swivel__main_is_first(void);
/// Whether the system lets the first thread drain the main queue. Prepares for it.
/// **Thread:** the first.
bool swivel__main_open(void);
/// The rest after `swivel__main_open` was true, on the first thread. `ring`: on any thread, any
/// time.
void swivel__main_drain(void);
void swivel__main_sleep(swivel_real until);
void swivel__main_ring(void);
int swivel__main_descriptor(void);
/// As the guest's `host_wait`.
void swivel__main_host_wait(int descriptor, swivel_real until);
/// Whether `descriptor` is to be watched; else `host_wait` is called.
extern const bool swivel__main_is_watched;

#endif
