// SPDX-License-Identifier: Apache-2.0
// The atomic operations of the C core as the model checker performs them. Included by
// internal/thread/atomics.h, instead of C11's.
#ifndef SWIVEL_MODEL_ATOMICS_H
#define SWIVEL_MODEL_ATOMICS_H

#include "memory.h"

/// The type of the object's value, without its qualifiers.
#define SWIVEL_MODEL_TYPE(object) __typeof__(atomic_load_explicit((object), memory_order_relaxed))
#define SWIVEL_MODEL_VALUE(object, value) ((SWIVEL_MODEL_TYPE(object))(uintptr_t)(value))

#define SWIVEL_LOAD(object, order)                                                                 \
    SWIVEL_MODEL_VALUE(object, memory_load((object), sizeof *(object), memory_order_##order))
#define SWIVEL_STORE(object, value, order)                                                         \
    memory_store((object), sizeof *(object),                                                       \
                 (uintptr_t)(SWIVEL_MODEL_TYPE(object))(value), memory_order_##order)
#define SWIVEL_MODEL_RMW(object, kind, value, order)                                               \
    SWIVEL_MODEL_VALUE(object, memory_rmw((object), sizeof *(object), kind, (uintptr_t)(value),    \
                                          memory_order_##order))
#define SWIVEL_EXCHANGE(object, value, order) SWIVEL_MODEL_RMW(object, MEMORY_EXCHANGE, value, order)
#define SWIVEL_FETCH_ADD(object, value, order) SWIVEL_MODEL_RMW(object, MEMORY_ADD, value, order)
#define SWIVEL_FETCH_SUB(object, value, order)                                                     \
    SWIVEL_MODEL_RMW(object, MEMORY_SUBTRACT, value, order)
#define SWIVEL_FETCH_OR(object, value, order) SWIVEL_MODEL_RMW(object, MEMORY_OR, value, order)
#define SWIVEL_FETCH_AND(object, value, order) SWIVEL_MODEL_RMW(object, MEMORY_AND, value, order)
#define SWIVEL_CAS(object, expected, desired, success, failure)                                    \
    memory_cas((object), sizeof *(object), (expected),                                             \
               (uintptr_t)(SWIVEL_MODEL_TYPE(object))(desired), memory_order_##success,            \
               memory_order_##failure)

/// Forks are not modelled, and nothing else has fences.
#define SWIVEL_THREAD_FENCE(order) ((void)0)
#define SWIVEL_COUNT(counter, amount) memory_count((counter), (uint64_t)(amount))
#define SWIVEL_COUNT_SHARED(counter, amount) memory_count((counter), (uint64_t)(amount))
#define SWIVEL_SETTING(object)                                                                     \
    SWIVEL_MODEL_VALUE(object, memory_setting((object), sizeof *(object)))
#define SWIVEL_PEEKED(object) memory_peek((object), sizeof *(object))

#endif
