// SPDX-License-Identifier: Apache-2.0
// The timers of the current slot in exact order: a 4-ary heap of (deadline, sequence). Entries hold
// their keys, so that sifting touches no node, and name their timer through a ticket. A timer that
// is cancelled or moved leaves its entry behind and voids the ticket: nobody looks at a node that
// may be somebody else's by then. Once void entries outnumber the others they are swept.
#ifndef SWIVEL_INTERNAL_NEAR_HEAP_H
#define SWIVEL_INTERNAL_NEAR_HEAP_H

#include "node.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_heap_entry {
    uint64_t deadline_ns;
    uint64_t sequence;
    uint32_t ticket;
} swivel_heap_entry;

/// Loop thread only.
typedef struct swivel_heap {
    swivel_heap_entry *entries;
    uint32_t *holders; ///< By ticket: the timer's node, nil if void; or the next free ticket.
    uint32_t count, capacity;
    uint32_t tickets;     ///< Tickets that were ever used.
    uint32_t free_ticket; ///< First free one, plus 1.
    uint32_t dead;        ///< Entries whose ticket is void.
} swivel_heap;

/// Makes room for `capacity` entries. False without memory.
bool swivel__heap_reserve(swivel_heap *heap, uint32_t capacity);

/// Gives the memory back.
void swivel__heap_free(swivel_heap *heap);

/// Adds a timer without a look at the order; there must be room. `swivel__heap_order` follows.
/// Returns its ticket.
uint32_t swivel__heap_append(swivel_heap *heap, uint64_t deadline_ns, uint64_t sequence,
                             uint32_t index);

/// Restores the order after `swivel__heap_append`ing behind the first `ordered` entries.
/// - Complexity: O(k log n) for few new entries, O(n) for many.
void swivel__heap_order(swivel_heap *heap, uint32_t ordered);

/// Drops void entries from the top. False: nothing is left.
bool swivel__heap_settle(swivel_heap *heap);

/// Removes the first entry, which is not void, and returns its timer's node.
/// - Complexity: O(log n).
uint32_t swivel__heap_pop(swivel_heap *heap);

/// Drops all void entries.
/// - Complexity: O(n).
void swivel__heap_sweep(swivel_heap *heap);

/// The ticket's timer leaves. It is void from here on.
static inline void swivel__heap_forget(swivel_heap *heap, uint32_t ticket)
{
    heap->holders[ticket] = SWIVEL_NIL;
    heap->dead += 1;
}

SWIVEL_ASSUME_NONNULL_END

#endif
