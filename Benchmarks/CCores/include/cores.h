// SPDX-License-Identifier: Apache-2.0
#ifndef CORES_H
#define CORES_H

#include <stdint.h>

/// The cores that a thread may run on, as bits of the first 64; 0 where the system does not tell.
///
/// `thread` is a Linux thread id; 0 is the caller. **Thread:** any.
uint64_t cores_of_thread(int thread);

/// Lets a thread run on these cores only. A thread that has ended is passed over. Does nothing
/// where the system knows no such thing. **Thread:** any.
void cores_confine(int thread, uint64_t cores);

/// How fast the caller's core takes instructions that do not wait for each other, beside those that
/// do, over some ten microseconds. The number says nothing by itself: it falls while another thread
/// runs on the same core, and does not depend on the core's speed. **Thread:** any.
double cores_room(void);

#endif
