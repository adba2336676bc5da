// SPDX-License-Identifier: Apache-2.0
// The timers of the current slot in exact order: a 4-ary heap of (deadline, sequence). Entries hold
// their keys, so that sifting touches no node. A cancelled timer leaves its entry behind: the
// entry's sequence no longer is the node's. Once such entries outnumber the others they are swept.
#ifndef SWIVEL_INTERNAL_NEAR_HEAP_H
#define SWIVEL_INTERNAL_NEAR_HEAP_H

#include "node.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_heap_entry {
    uint64_t deadline_ns;
    uint64_t sequence;
    uint32_t index;
} swivel_heap_entry;

/// Loop thread only.
typedef struct swivel_heap {
    swivel_heap_entry *entries;
    uint32_t count, capacity;
    uint32_t dead; ///< Entries whose timer was cancelled or moved.
} swivel_heap;

/// Makes room for `capacity` entries. False without memory.
bool swivel__heap_reserve(swivel_heap *heap, uint32_t capacity);

/// Gives the memory back.
void swivel__heap_free(swivel_heap *heap);

/// Adds an entry without a look at the order; there must be room. `swivel__heap_order` follows.
void swivel__heap_append(swivel_heap *heap, swivel_heap_entry entry);

/// Restores the order after `swivel__heap_append`ing behind the first `ordered` entries.
/// - Complexity: O(k log n) for few new entries, O(n) for many.
void swivel__heap_order(swivel_heap *heap, uint32_t ordered);

/// Removes the first entry.
/// - Complexity: O(log n).
void swivel__heap_pop(swivel_heap *heap);

/// An entry's timer left.
static inline void swivel__heap_forget(swivel_heap *heap)
{
    heap->dead += 1;
}

SWIVEL_ASSUME_NONNULL_END

#endif
