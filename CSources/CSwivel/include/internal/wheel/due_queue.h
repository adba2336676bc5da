// SPDX-License-Identifier: Apache-2.0
// Timers of the current slot in the order of (deadline, sequence). Those that the slot brings
// are sorted once, in steps; later ones go to a 4-ary heap. A timer that is cancelled or moved
// leaves the heap at once; a sorted entry stays until it is the first. Loop thread only.
#ifndef SWIVEL_INTERNAL_DUE_QUEUE_H
#define SWIVEL_INTERNAL_DUE_QUEUE_H

#include "../memory/slab.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A timer with its key, so that sorting touches no node.
typedef struct swivel_due_entry {
    uint64_t deadline_ns, sequence;
    uint32_t index, generation;
} swivel_due_entry;

typedef struct swivel_due_array {
    swivel_due_entry *SWIVEL_NULLABLE entries;
    uint32_t count, capacity;
} swivel_due_array;

typedef struct swivel_due_queue {
    swivel_due_array sorted, heap;
    swivel_due_array spare;        ///< Memory for a pass of the sort, as large as `sorted`.
    uint32_t first;                ///< The first of `sorted` that was not popped; its count: none.
    uint32_t most;                 ///< No array grows beyond this; tests set a low limit.
    bool is_sorted, ascends;       ///< `sorted` is in order; its sequences rise.
    uint64_t deadlines, sequences; ///< The bits in which the keys differ.
    uint32_t pass;                 ///< Two for each byte of the key: one counts, one moves.
    uint32_t done;                 ///< Entries that the pass is through with.
    uint32_t counts[256];          ///< By value: its entries; then the place of the next one.
} swivel_due_queue;

/// Appends a timer of a slot, once those of earlier slots were popped. False without memory.
bool swivel__due_append(swivel_due_queue *due, uint32_t index, swivel_node *node);
/// Adds a timer to the heap, in O(log n). False without memory.
bool swivel__due_push(swivel_due_queue *due, swivel_slab *slab, uint32_t index, swivel_node *node);
/// Removes a timer from the heap, in O(log n).
void swivel__due_remove(swivel_due_queue *due, swivel_slab *slab, const swivel_node *node);
/// Sorts appended timers and drops those that have left, in `*work` steps. False: more is to do.
bool swivel__due_restore(swivel_due_queue *due, const swivel_slab *slab, uint32_t *work);
/// Removes the first timer of a restored queue.
void swivel__due_pop(swivel_due_queue *due, swivel_slab *slab);
/// Empties the queue and gives its memory back; large memory goes to the list.
void swivel__due_leave(swivel_due_queue *due, swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list);

/// The order of firing: whether a timer with this key comes before one with the other key.
static inline bool swivel__fires_before(uint64_t deadline_ns, uint64_t sequence, uint64_t other_ns,
                                        uint64_t other_sequence)
{
    return deadline_ns != other_ns ? deadline_ns < other_ns : sequence < other_sequence;
}

static inline bool swivel__due_is_before(const swivel_due_entry *one, const swivel_due_entry *other)
{
    return swivel__fires_before(one->deadline_ns, one->sequence, other->deadline_ns,
                                other->sequence);
}

/// The first timer of a restored queue; `NULL` if there is none.
static inline const swivel_due_entry *SWIVEL_NULLABLE swivel__due_first(const swivel_due_queue *due)
{
    const swivel_due_entry *heap = due->heap.count == 0 ? NULL : due->heap.entries, *sorted;
    sorted = due->first == due->sorted.count ? NULL : due->sorted.entries + due->first;
    return sorted == NULL || (heap != NULL && swivel__due_is_before(heap, sorted)) ? heap : sorted;
}

/// Whether a sorted timer has not left. Of a node of another generation only the state may be read.
static inline bool swivel__due_is_live(const swivel_slab *slab, const swivel_due_entry *entry)
{
    const swivel_node *node = swivel__slab_node(slab, entry->index);
    return swivel__generation(SWIVEL_LOAD(&node->state, acquire)) == entry->generation &&
           node->place == SWIVEL_PLACE_SORTED;
}

SWIVEL_ASSUME_NONNULL_END

#endif
