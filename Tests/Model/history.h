// SPDX-License-Identifier: Apache-2.0
// The stores of one execution, and what each thread has seen of them; see memory.h.
#ifndef SWIVEL_MODEL_HISTORY_H
#define SWIVEL_MODEL_HISTORY_H

#include "memory.h"

/// Number of no store and of no view.
#define HISTORY_NONE UINT32_MAX

typedef struct store {
    uint64_t value;
    uint32_t before; ///< The store before this one, or `HISTORY_NONE`.
    uint32_t view;   ///< The view that a release store carries, or `HISTORY_NONE`.
    uint16_t number; ///< In modification order.
} store;

/// The number of the object's history. A value that no atomic store has put there begins it anew.
uint32_t history_of(const volatile void *object, size_t size);
/// The last store in modification order.
const store *history_newest(uint32_t number);
/// One of the stores that the running thread may read: the explorer tries each, the newest first.
const store *history_choose(uint32_t number, int order);
/// The running thread has read a store.
void history_observe(uint32_t number, const store *store, int order);
/// The running thread makes a store. `carried` is the view of the one that it replaces in one step.
void history_publish(uint32_t number, uint64_t value, int order, uint32_t carried);
/// Before each execution.
void history_reset(void);

/// The bytes of an object.
uint64_t memory_peek_bytes(const volatile void *object, size_t size);

#endif
