// SPDX-License-Identifier: Apache-2.0
#ifndef CORES_H
#define CORES_H

#include <stdint.h>

/// The cores that a thread may run on, as bits of the first 64; 0 if the system does not report them.
///
/// `thread` is a Linux thread id; 0 is the caller. **Thread:** any.
uint64_t cores_of_thread(int thread);

/// Lets a thread run on these cores only. A thread that has ended is passed over. Does nothing on
/// systems without such a call. **Thread:** any.
void cores_confine(int thread, uint64_t cores);

#endif
