// SPDX-License-Identifier: Apache-2.0
// Whether a thread is blocked, as the kernel reports it: /proc/self/task/THREAD/stat on Linux, and
// thread_info on Apple's systems. docs/design/pool.md has the rules.
#ifndef SWIVEL_INTERNAL_PROBE_H
#define SWIVEL_INTERNAL_PROBE_H

#include "../../swivel_base.h"

#include <time.h>

SWIVEL_ASSUME_NONNULL_BEGIN

/// A thread, and its last reading. A copy is as good; the thread must not have ended when it is
/// read.
typedef struct swivel_probe {
    uint32_t thread; ///< The kernel's number.
    bool was_asleep; ///< At the last reading.
    uint64_t cpu_ns; ///< CPU time at the last reading.
#if defined(__linux__)
    clockid_t clock; ///< The thread's CPU clock.
#endif
} swivel_probe;

/// A probe of the calling thread.
swivel_probe swivel__probe_of_thread(void);

/// Reads the thread's CPU clock and, if that has hardly moved since the last reading, its state.
/// Returns whether the thread is blocked. One that has ended is not.
///
/// **Thread:** any. It opens and reads a file: not under a lock.
bool swivel__probe_is_blocked(swivel_probe *probe);

SWIVEL_ASSUME_NONNULL_END

#endif
