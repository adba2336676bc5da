// SPDX-License-Identifier: Apache-2.0
// The records of all loops by number: they are never freed, so a handle can always read one.
#ifndef SWIVEL_INTERNAL_REGISTRY_H
#define SWIVEL_INTERNAL_REGISTRY_H

#include "../../swivel_loop.h"
#include "lock.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Records that a process can have.
#define SWIVEL_RECORDS_MAX 65536u

/// Guards the records, and whether a loop has them.
extern swivel_lock swivel__records_lock;

// **Thread:** any that holds `swivel__records_lock`; the only one of a forked child.

/// The record with this number, if there ever was one.
swivel_loop *SWIVEL_NULLABLE swivel__loop_record(uint32_t id);
/// Gives a new record the next number; there must be room.
void swivel__registry_add(swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
