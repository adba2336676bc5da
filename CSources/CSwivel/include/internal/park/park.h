// SPDX-License-Identifier: Apache-2.0
// Parking: waiting with nothing to do, in a poller that a wake-up fd and a timer end.
#ifndef SWIVEL_INTERNAL_PARK_H
#define SWIVEL_INTERNAL_PARK_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// park.c
/// Waits in the poller until `until` or for work, or only takes ready events. Returns when work has
/// come, by a spin or a wake-up, for a turn that follows at once; else `SWIVEL_MONO_PAST`.
swivel_mono swivel__park(swivel_loop *loop, bool wait, swivel_mono until);
/// Spins before a wait in one of the loop's closures pumps the loop, if the loop has a thread of
/// its own and nothing to run. Returns what `found` returns. **Thread:** the loop's.
bool swivel__park_spin(swivel_loop *loop, bool (*found)(void *SWIVEL_NULLABLE),
                       void *SWIVEL_NULLABLE argument);

// park_linux.c or park_portable.c. A system call that fails stops the program with its error.
/// Waits for an event or for `until`, or takes ready events.
void swivel__park_poll(struct swivel_park *park, bool wait, swivel_mono until);
/// Makes `swivel__park_fd` readable at `until`, without waiting.
void swivel__park_arm(struct swivel_park *park, swivel_mono until);
/// Ends the current wait or the next one. **Thread:** any.
void swivel__park_notify(void *park);

// park_uv.c
/// Creates the poller of the loop with this name, and counts its wake-ups in `wakes`; both must
/// last. Only the loop's own thread waits for one that `is_alone`. Returns `SWIVEL_OK`, or libuv's
/// code with nothing left behind.
int swivel__park_create(const char *name, swivel_count *wakes, bool is_alone,
                        struct swivel_park *SWIVEL_NULLABLE *SWIVEL_NONNULL park);
void swivel__park_destroy(struct swivel_park *park);
int swivel__park_fd(struct swivel_park *park);
/// Whether the process can open this many pairs of descriptors: `SWIVEL_OK` or libuv's code.
/// **Thread:** any.
int swivel__find_descriptors(int pairs);
/// Enters the event source and polls its descriptor, if the loop is to own it and it is here.
void swivel__park_own_source(swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
