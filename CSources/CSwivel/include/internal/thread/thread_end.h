// SPDX-License-Identifier: Apache-2.0
// The end of a thread, whoever has made it: what it holds of Swivel's is given back, and one that
// ends where it must not is found.
#ifndef SWIVEL_INTERNAL_THREAD_END_H
#define SWIVEL_INTERNAL_THREAD_END_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Has ends of threads noticed from here on. Returns `SWIVEL_OK` or a negative errno; a later try
/// may succeed.
///
/// **Thread:** any, any number of times.
int swivel__thread_end_watch(void);

/// Has the calling thread's end noticed. Without memory for that its end leaves a few words behind.
void swivel__thread_end_expect(void);

/// What is done at a thread's end, in this order.
typedef enum swivel_end {
    SWIVEL_END_CLOSURE,  ///< Whether it ends inside a closure.
    SWIVEL_END_PRESENCE, ///< Leaves forks' list.
    SWIVEL_ENDS,
} swivel_end;

typedef void swivel_end_function(void);

/// Has `run` called at the end of every thread that is expected to end, this one included.
/// **Thread:** any, as often as it likes, with one function for each `end`.
void swivel__thread_end_call(swivel_end end, swivel_end_function *run);

SWIVEL_ASSUME_NONNULL_END

#endif
