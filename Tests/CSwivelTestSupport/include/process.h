// SPDX-License-Identifier: Apache-2.0
/// The system's figures about this process.
#ifndef SWIVEL_TEST_PROCESS_H
#define SWIVEL_TEST_PROCESS_H

#include "swivel.h"

/// Memory that is no file's, in kilobytes. Pages of files come and go as the machine likes.
uint64_t swivel_process_private_kb(void);
/// The bytes that `malloc` has given out and not got back; 0 if that is not known. Gives the
/// system the pages that are free.
uint64_t swivel_process_allocated_bytes(void);
/// The name of the calling thread: at most 15 bytes and a zero.
void swivel_process_thread_name(char name[16]);
/// The calling thread, and how often a thread went to sleep by itself so far.
int32_t swivel_process_thread(void);
uint64_t swivel_process_sleeps(int32_t thread);
/// Whether the system reports the thread as sleeping; a preempted one is not.
bool swivel_process_is_asleep(int32_t thread);
/// Computes until another thread raises the flag. It makes no call, not even a sanitizer's, whose
/// runtime may put threads to sleep.
void swivel_compute_until(const bool *flag);
void swivel_flag_raise(bool *flag);
/// For how many loops the calling thread has room to keep nodes.
uint32_t swivel_thread_magazines(void);

/// Whether a sanitizer watches: some measurements make no sense then.
bool swivel_is_under_tsan(void);
bool swivel_is_under_asan(void);

/// Whether the portable park was built, whose timers are rounded up to milliseconds.
bool swivel_is_portable(void);

/// Memory behind `count` one-hour timers that are armed at once and then cancelled, on the loop's
/// thread or on another one, in order or not. `crossed`: armed on another thread, cancelled on the
/// loop's.
typedef struct swivel_hoard {
    uint32_t count;
    bool elsewhere, crossed, shuffled;
    uint64_t grown_kb, left_kb;
    uint64_t cancelled;
} swivel_hoard;

void swivel_hoard_run(swivel_hoard *hoard);

/// The chunks of nodes that a loop has mapped after `threads` threads, one after another, have
/// armed and cancelled timers on it and ended.
uint32_t swivel_chunks_after_threads(uint32_t threads);

/// The time that a thread has read goes along with it, into loops and out of them, and ends in a
/// child. Each returns the text of the first expectation that does not hold, or `NULL`.
const char *swivel_thread_time_goes_on(void);
const char *swivel_thread_time_ends_in_a_child(void);

#endif
