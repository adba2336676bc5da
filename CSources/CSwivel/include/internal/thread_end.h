// SPDX-License-Identifier: Apache-2.0
// The end of a thread, whoever has made it: what it holds of Swivel's is given back, and one that
// ends where it must not is found.
#ifndef SWIVEL_INTERNAL_THREAD_END_H
#define SWIVEL_INTERNAL_THREAD_END_H

#include "../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Has ends of threads noticed from here on. Returns `SWIVEL_OK` or a negative errno; a later try
/// may succeed.
///
/// **Thread:** any, any number of times.
int swivel__thread_end_watch(void);

/// Has the calling thread's end noticed. Without memory for that its end leaves a few nodes and
/// words behind.
void swivel__thread_end_expect(void);

SWIVEL_ASSUME_NONNULL_END

#endif
