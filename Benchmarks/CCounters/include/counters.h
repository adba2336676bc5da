// SPDX-License-Identifier: Apache-2.0
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// An event that the processor, or the kernel, counts in user space.
typedef enum counted_event {
    COUNTED_INSTRUCTIONS,
    /// First touches of pages: every Linux counts them, also one without a processor's counters.
    COUNTED_PAGE_FAULTS,
} counted_event;

/// A count that goes on.
typedef struct counters counters;

/// Counts an event in all threads of the process and in those that they start from now on, until
/// `counters_end`. `NULL`: nobody tells. Linux tells instructions where the processor, the host of a
/// virtual machine and `kernel.perf_event_paranoid` let it; macOS tells instructions where the
/// processor has its counters, and those of the kernel with them.
///
/// **Thread:** any.
counters *_Nullable counters_begin(counted_event event);

/// Ends a count, and tells it. Where others used the processor's counters meanwhile, it is what the
/// shares of time in which they were ours come to.
///
/// **Thread:** any.
uint64_t counters_end(counters *counting);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
