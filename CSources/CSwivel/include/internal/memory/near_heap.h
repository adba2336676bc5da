// SPDX-License-Identifier: Apache-2.0
// The timers of the current slot in exact order: a 4-ary heap of (deadline, sequence). Entries hold
// their keys, so that sifting touches no node, and name their timer through a ticket. A timer that
// is cancelled or moved leaves its entry behind and voids the ticket: nobody looks at a node that
// may be somebody else's by then. Once void entries outnumber the others they are swept.
//
// The timers that a slot brings are sorted at once: a run of entries that rise is a heap already, and
// gives up its first entry at no cost. Timers that are armed into the current slot later make the run
// an ordinary heap where they come before its last entry.
#ifndef SWIVEL_INTERNAL_NEAR_HEAP_H
#define SWIVEL_INTERNAL_NEAR_HEAP_H

#include "near_sort.h"
#include "node.h"
#include "pages.h"
#include <stddef.h>

SWIVEL_ASSUME_NONNULL_BEGIN

/// Loop thread only.
typedef struct swivel_heap {
    swivel_near_entry *entries;
    uint32_t *holders; ///< By ticket: the timer's node, nil if void; or the next free ticket.
    size_t entries_bytes, holders_bytes;
    uint32_t count, capacity;
    uint32_t popped;      ///< Places before the first entry.
    uint32_t tickets;     ///< Tickets that were ever used.
    uint32_t free_ticket; ///< First free one, plus 1.
    uint32_t dead;        ///< Entries whose ticket is void.
    uint32_t unordered;   ///< Each of this many first entries may be later than its children.
    bool rises;           ///< Each entry comes after the one before it.
    bool sorts;           ///< If they do not, the entries are to be sorted: they are a slot's.
    bool sweeping;        ///< Void entries are being dropped, in steps.
    uint32_t swept, kept; ///< Meanwhile: entries looked at, and how many of them stay.
    swivel_sort sort;
} swivel_heap;

/// Makes room for one more entry, if there are fewer than `most`. False without memory.
/// - Complexity: O(1), but for the copy of a small heap: the pages of a large one are moved.
bool swivel__heap_reserve(swivel_heap *heap, uint32_t most);

/// Gives the memory back. A loop must not pause for that: large memory goes to the list.
void swivel__heap_leave(swivel_heap *heap, swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list);

/// Adds a timer; there must be room. Returns its ticket.
/// - Complexity: O(log n).
uint32_t swivel__heap_push(swivel_heap *heap, uint64_t deadline_ns, uint64_t sequence,
                           uint32_t index);

/// Adds a timer without a look at the order, which `swivel__heap_settle` restores for all that were
/// added so, at less cost. There must be room. Returns its ticket.
uint32_t swivel__heap_append(swivel_heap *heap, uint64_t deadline_ns, uint64_t sequence,
                             uint32_t index);

/// Makes the first entry one that is not void, if there is any: sorts or orders, sweeps, drops. Does
/// at most `*work` entries, and takes them off. False: there is more to do. More than `most` entries
/// are not sorted, but ordered as a heap, for which there is no need of other memory.
bool swivel__heap_settle(swivel_heap *heap, uint32_t most, uint32_t *work);

/// Sweeps void entries once they outnumber the others: a few entries, or all of a small heap. For
/// every addition, so that a heap that nobody settles does not grow without end.
void swivel__heap_sweep(swivel_heap *heap);

/// Removes the first entry of a settled heap and returns its timer's node.
/// - Complexity: O(log n); O(1) of a run that rises.
uint32_t swivel__heap_pop(swivel_heap *heap);

/// The entry that fires before all others of a settled heap, which has one.
static inline swivel_near_entry *swivel__heap_first(const swivel_heap *heap)
{
    return heap->entries + heap->popped;
}

/// The node of the timer that fires `distance` timers after the first, if it is known: nil for a void
/// entry, too, and if the order is a heap's.
static inline uint32_t swivel__heap_ahead(const swivel_heap *heap, uint32_t distance)
{
    bool is_known = heap->rises && distance < heap->count;
    return is_known ? heap->holders[swivel__heap_first(heap)[distance].ticket] : SWIVEL_NIL;
}

/// Whether a settled heap's first entry fires before another timer.
static inline bool swivel__heap_is_before(const swivel_heap *heap, uint64_t deadline_ns,
                                          uint64_t sequence)
{
    const swivel_near_entry *first = swivel__heap_first(heap);
    return first->deadline_ns != deadline_ns ? first->deadline_ns < deadline_ns
                                             : first->sequence < sequence;
}

/// The ticket's timer leaves. It is void from here on.
static inline void swivel__heap_forget(swivel_heap *heap, uint32_t ticket)
{
    heap->holders[ticket] = SWIVEL_NIL;
    heap->dead += 1;
}

SWIVEL_ASSUME_NONNULL_END

#endif
