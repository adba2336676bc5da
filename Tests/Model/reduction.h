// SPDX-License-Identifier: Apache-2.0
// Leaves out executions that repeat earlier ones, by sleep sets.
//
// A thread works in pieces: an access to an atomic object, and all it does up to its next point.
// Where it could go on and another thread is chosen, its next piece has been explored already, and it
// sleeps until somebody touches what that piece has touched. While it sleeps it is not chosen: the
// piece might as well have come where the thread was passed over, in an execution that has no
// preemption more and came earlier. This holds as well for a thread that was not running and was
// chosen earlier, if that piece is followed by a wait or the thread's end; otherwise the other
// execution may have one preemption more.
//
// All memory that threads share has to be announced, also what a model reads in its checks and waits.
//
// After P. Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems", 1996, and
// K. Coons, M. Musuvathi and K. McKinley, "Bounded Partial-Order Reduction", OOPSLA 2013.
#ifndef SWIVEL_MODEL_REDUCTION_H
#define SWIVEL_MODEL_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REDUCTION_POINTS_MAX 8192

/// Before each execution, which makes its first new choice at `point`.
void reduction_reset(int point);

/// A choice between `threads`, of which the first could go on with what it was doing if `goes_on`.
void reduction_choose(int point, int choice, const int *threads, bool goes_on);

/// The thread's next piece begins.
void reduction_begin(int thread);
/// It has ended, before the choice at `point`; the thread `waits`, or has ended too.
void reduction_end(int point, bool waits);

/// Whether the thread's next piece would repeat what has been explored.
bool reduction_sleeps(int thread);

/// All touches of this execution in one number, which is the same after the same choices: memory
/// lies where it lay, and what one execution has shown of a piece holds in the next.
uint64_t reduction_trace(void);

/// Each thread has this memory for itself.
void reduction_own(const void *start, size_t bytes);

/// The running piece reads this memory, or writes it.
void reduction_touch(const volatile void *object, size_t bytes, bool writes);

/// The running piece has to do with all memory.
void reduction_touch_all(void);

#endif
