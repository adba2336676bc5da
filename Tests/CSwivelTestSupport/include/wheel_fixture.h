// SPDX-License-Identifier: Apache-2.0
/// A wheel by itself: no loop, no clock, no closures. The same calls as a loop's turn makes.
#ifndef SWIVEL_TEST_WHEEL_FIXTURE_H
#define SWIVEL_TEST_WHEEL_FIXTURE_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_wheel_fixture swivel_wheel_fixture;

swivel_wheel_fixture *swivel_wheel_fixture_make(uint64_t now_ns);
void swivel_wheel_fixture_free(swivel_wheel_fixture *fixture);

/// Files a new node. Returns its index.
uint32_t swivel_wheel_fixture_arm(swivel_wheel_fixture *fixture, uint64_t fire_at_ns);
/// Frees a filed node.
void swivel_wheel_fixture_cancel(swivel_wheel_fixture *fixture, uint32_t index);
/// Moves a filed node.
void swivel_wheel_fixture_rearm(swivel_wheel_fixture *fixture, uint32_t index, uint64_t fire_at_ns);
/// Makes a filed node never fire.
void swivel_wheel_fixture_never_fires(swivel_wheel_fixture *fixture, uint32_t index);
/// Puts all nodes into their slots, as all of the following do.
void swivel_wheel_fixture_flush(swivel_wheel_fixture *fixture);

/// From here on a step examines `step` timers, and the due queue gets memory for `most`.
void swivel_wheel_fixture_limit(swivel_wheel_fixture *fixture, uint32_t step, uint32_t most);
/// Brings what is due by `now_ns` into the due queue, as far as one step goes. False: there is more
/// to do.
bool swivel_wheel_fixture_advance(swivel_wheel_fixture *fixture, uint64_t now_ns);
/// The next node that is due by `now_ns`, which is freed; 0 if none is. `*later`: nor is that known
/// before more steps.
uint32_t swivel_wheel_fixture_fire(swivel_wheel_fixture *fixture, uint64_t now_ns, bool *later);

uint64_t swivel_wheel_fixture_next_deadline(swivel_wheel_fixture *fixture);
/// The first invariant that does not hold, or `NULL`.
const char *SWIVEL_NULLABLE swivel_wheel_fixture_check(swivel_wheel_fixture *fixture);

uint64_t swivel_wheel_fixture_tick(const swivel_wheel_fixture *fixture);
uint64_t swivel_wheel_fixture_live(swivel_wheel_fixture *fixture);
/// Entries of the due queue, with those of sorted timers that have left.
uint32_t swivel_wheel_fixture_due_count(swivel_wheel_fixture *fixture);
/// Entries that the due queue has memory for.
uint32_t swivel_wheel_fixture_due_capacity(const swivel_wheel_fixture *fixture);
/// Whether a slot is half emptied, and whether that is for want of memory.
bool swivel_wheel_fixture_is_emptying(const swivel_wheel_fixture *fixture);
bool swivel_wheel_fixture_is_short(const swivel_wheel_fixture *fixture);

/// Nodes in the staging buffer.
uint32_t swivel_wheel_fixture_staged(const swivel_wheel_fixture *fixture);

SWIVEL_ASSUME_NONNULL_END

#endif
