// SPDX-License-Identifier: Apache-2.0
// What Swift code stands on in a model. Its atomic operations and its accesses to memory are the
// explorer's, because it is compiled with `-sanitize=thread`; here are its objects, its threads and
// its checks. Objects lie in an arena that begins anew with each execution, so that addresses are the
// same in all; released memory stays there, and touching it fails.
#ifndef SWIVEL_MODEL_RUNTIME_H
#define SWIVEL_MODEL_RUNTIME_H

#include "../explorer.h"

/// Objects made from here on lie in the arena. For a model's `reset`.
void runtime_open(void);
/// All of them must be released. For the end of a model's `check`.
void runtime_close(void);

/// All before the call comes before all after a later `runtime_take`: a queue, which is not part of
/// the model.
void runtime_give(const void *object);
void runtime_take(const void *object);

/// Numbers that the threads of a model share, and that order nothing; 0 when an execution begins.
#define RUNTIME_NUMBERS 8
void runtime_add(int number, long amount);
long runtime_value(int number);
void runtime_set(int number, long value);
/// Blocks the calling thread until the number is `least` or more.
void runtime_wait(int number, long least);
/// See `memory_old_reads`.
void runtime_allow_old_reads(int count);

/// A queue of objects between the threads of a model.
void runtime_send(void *object);
/// The oldest of them, for which the calling thread waits; `NULL` when `*is_over`.
void *runtime_receive(const bool *is_over);

#endif
