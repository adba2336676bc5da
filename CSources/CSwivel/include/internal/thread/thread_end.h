// SPDX-License-Identifier: Apache-2.0
// The end of any thread: it gives back what it holds of Swivel's, and an end inside a closure is
// found.
#ifndef SWIVEL_INTERNAL_THREAD_END_H
#define SWIVEL_INTERNAL_THREAD_END_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Notices ends of threads from here on. Returns `SWIVEL_OK` or a negative errno; a later try
/// may succeed.
///
/// **Thread:** any, any number of times.
int swivel__thread_end_watch(void);

/// Notices the calling thread's end. Without memory for that, the end leaves a few nodes and words
/// behind.
void swivel__thread_end_expect(void);

/// The steps of a thread's end, in this order.
typedef enum swivel_end {
    SWIVEL_END_CLOSURE,  ///< Whether it ends inside a closure.
    SWIVEL_END_SPARE,    ///< Releases the object that the Swift layer has kept in its cell.
    SWIVEL_END_MAGAZINE, ///< Gives its nodes back.
    SWIVEL_ENDS,
} swivel_end;

typedef void swivel_end_function(void);

/// Calls `run` at the end of every thread whose end is noticed. Returns whether this one's is.
/// **Thread:** any, as often as it likes, with one function for each `end`.
bool swivel__thread_end_call(swivel_end end, swivel_end_function *run);

SWIVEL_ASSUME_NONNULL_END

#endif
