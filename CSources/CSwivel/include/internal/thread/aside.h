// SPDX-License-Identifier: Apache-2.0
// Two threads that wait for each other may share a processor while another one is idle. The kernel
// keeps such a pair together: it takes an idle virtual processor for one that its host has put off,
// and moves one of the two only if both want to run at its tick. So one of them leaves.
#ifndef SWIVEL_INTERNAL_ASIDE_H
#define SWIVEL_INTERNAL_ASIDE_H

#include "look.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Before a sleep for a thread that waits for the calling one's processor (`SWIVEL_REPLY_BEHIND`):
/// whether to step aside, because the two do this often (look.h).
///
/// **Thread:** any. It is false on threads of the program, and on those of a chosen processor.
bool swivel__is_to_step_aside(swivel_look *look);

/// Leaves the processor to the other one, if another processor is idle. Returns whether it has: then a
/// look for `SWIVEL_LOOK_TRIAL_NS` follows. **Thread:** the same, under no lock: it takes up to a tenth
/// of a millisecond.
bool swivel__step_aside(void);

/// The place that a thread is leaving, see `swivel__sleep_place`; 0: none. **Thread:** any.
uint32_t swivel__place_left(void);

// For tests.
/// Whether one more of `processors` is idle, by the words of /proc/loadavg: besides a pair of threads,
/// at most half as many want to run as there are other processors.
bool swivel__has_idle_processor(const char *loads, int processors);

/// Has the kernel move the calling thread to another processor, and lets it use all of its own again.
/// False: it has no other one. **Thread:** any.
bool swivel__leave_processor(void);

SWIVEL_ASSUME_NONNULL_END

#endif
