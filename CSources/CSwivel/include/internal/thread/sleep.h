// SPDX-License-Identifier: Apache-2.0
// The system's way to sleep until a word of memory changes.
#ifndef SWIVEL_INTERNAL_SLEEP_H
#define SWIVEL_INTERNAL_SLEEP_H

#include "../../swivel_base.h"
#include "atomics.h"
#include "mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Sleeps while the word is `value`, until a wake or until `until`. May
/// return for no reason. False: the time is over.
bool swivel__sleep_while(SWIVEL_ATOMIC(uint32_t) *word, uint32_t value, swivel_mono until);

/// Wakes at most one of the word's sleepers, or all.
void swivel__sleep_end(SWIVEL_ATOMIC(uint32_t) *word, bool all);

/// The number of the calling thread's processor, from 1 on, in the upper bits of a word that is slept
/// on; 0: not known. **Thread:** any.
#define SWIVEL_SLEEP_CPU_SHIFT 8
uint32_t swivel__sleep_cpu(void);

SWIVEL_ASSUME_NONNULL_END

#endif
