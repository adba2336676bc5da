// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/wheel/due_queue.h"

#include <string.h>

/// Fewer entries are sorted by insertion: the passes of a radix sort have a cost of their own.
#define SWIVEL_RADIX_MIN 48
/// Entries that a pass takes for the work of one timer, whose node may be a cache miss.
#define SWIVEL_SORTED_EACH 16

/// Makes room for one more entry than `count`. False without memory.
static bool reserve(swivel_due_array *array, uint32_t count, uint32_t most)
{
    if (SWIVEL_LIKELY(count < array->capacity)) {
        return true;
    }
    size_t each = sizeof *array->entries, has = array->capacity, room = has == 0 ? 64 : has * 2;
    void *grown = room > most ? NULL : swivel__pages_grow(array->entries, has * each, room * each);
    if (grown != NULL) {
        *array = (swivel_due_array){grown, array->count, (uint32_t)room};
    }
    return grown != NULL;
}

static swivel_due_entry entry_of(uint32_t index, const swivel_node *node)
{
    uint32_t generation = swivel__generation(SWIVEL_LOAD(&node->state, relaxed));
    return (swivel_due_entry){node->fire_at_ns, node->sequence, index, generation};
}

bool swivel__due_append(swivel_due_queue *due, uint32_t index, swivel_node *node)
{
    bool is_first = due->first == due->sorted.count;
    uint32_t count = is_first ? 0 : due->sorted.count;
    if (!reserve(&due->sorted, count, due->most) || !reserve(&due->spare, count, due->most)) {
        return false;
    }
    swivel_due_entry entry = entry_of(index, node), *end = &due->sorted.entries[count];
    if (is_first) {
        due->is_sorted = due->ascends = true;
        due->deadlines = due->sequences = due->first = due->pass = due->done = 0;
    } else {
        due->is_sorted &= swivel__due_is_before(end - 1, &entry);
        due->ascends &= end[-1].sequence < entry.sequence;
        due->deadlines |= end[-1].deadline_ns ^ entry.deadline_ns;
        due->sequences |= end[-1].sequence ^ entry.sequence;
    }
    *end = entry;
    due->sorted.count = count + 1;
    node->place = SWIVEL_PLACE_SORTED;
    return true;
}

/// Counts the entries of each value of the pass's byte, or moves them to the spare memory in the
/// order of their values; entries of one value keep theirs. False: there is more to do.
static bool run_pass(swivel_due_queue *due, uint32_t *work)
{
    const swivel_due_array sorted = due->sorted;
    uint32_t byte = due->pass / 2, moves = due->pass % 2, count = sorted.count;
    if (!moves && due->done == 0) {
        memset(due->counts, 0, sizeof due->counts);
    }
    for (; due->done < count; due->done++) {
        if (due->done % SWIVEL_SORTED_EACH == 0 && (*work)-- == 0) {
            *work = 0;
            return false;
        }
        swivel_due_entry entry = sorted.entries[due->done];
        uint64_t word = byte < 8 ? entry.sequence : entry.deadline_ns & due->deadlines;
        uint32_t *next = &due->counts[word >> (byte % 8 * 8) & 0xFF];
        if (moves) {
            due->spare.entries[*next] = entry;
        }
        *next += 1;
    }
    for (uint32_t i = 0, next = 0, has; !moves && i < 256; i++, next += has) {
        has = due->counts[i];
        due->counts[i] = next;
    }
    if (moves) {
        due->sorted = (swivel_due_array){due->spare.entries, count, due->spare.capacity};
        due->spare = sorted;
    }
    due->done = 0;
    return true;
}

/// A radix sort, byte after byte from the least significant one (D. Knuth, "The Art of Computer
/// Programming", volume 3, 5.2.5), without the bytes in which all keys agree. Sequences mostly
/// rise, and need no pass then.
static bool sort(swivel_due_queue *due, uint32_t *work)
{
    swivel_due_entry *first = due->sorted.entries;
    bool is_small = due->sorted.count < SWIVEL_RADIX_MIN;
    for (uint32_t i = 1; is_small && i < due->sorted.count; i++) {
        swivel_due_entry *hole = first + i, entry = *hole;
        for (; hole > first && swivel__due_is_before(&entry, hole - 1); hole--) {
            *hole = hole[-1];
        }
        *hole = entry;
    }
    for (; !is_small && due->pass < 32; due->pass++) {
        uint64_t differ = due->pass >= 16 ? due->deadlines : due->ascends ? 0 : due->sequences;
        if ((uint8_t)(differ >> (due->pass / 2 % 8 * 8)) != 0 && !run_pass(due, work)) {
            return false;
        }
    }
    due->is_sorted = true;
    return true;
}

bool swivel__due_restore(swivel_due_queue *due, const swivel_slab *slab, uint32_t *work)
{
    if (!due->is_sorted && !sort(due, work)) {
        return false;
    }
    while (due->first < due->sorted.count &&
           !swivel__due_is_live(slab, &due->sorted.entries[due->first])) {
        if (*work == 0) {
            return false;
        }
        *work -= 1;
        due->first += 1;
    }
    return true;
}

static void put(swivel_due_queue *due, swivel_slab *slab, uint32_t number, swivel_due_entry entry)
{
    due->heap.entries[number] = entry;
    swivel__slab_node(slab, entry.index)->next = number;
}

/// Moves an entry from the hole up or down to where it belongs.
static void sift(swivel_due_queue *due, swivel_slab *slab, uint32_t hole, swivel_due_entry entry)
{
    const swivel_due_entry *heap = due->heap.entries;
    uint32_t count = due->heap.count, above, child;
    for (; hole > 0 && swivel__due_is_before(&entry, &heap[above = (hole - 1) / 4]); hole = above) {
        put(due, slab, hole, heap[above]);
    }
    for (; (child = hole * 4 + 1) < count; hole = child) {
        for (uint32_t other = child + 1; other < count && other <= hole * 4 + 4; other++) {
            child = swivel__due_is_before(&heap[other], &heap[child]) ? other : child;
        }
        if (!swivel__due_is_before(&heap[child], &entry)) {
            break;
        }
        put(due, slab, hole, heap[child]);
    }
    put(due, slab, hole, entry);
}

bool swivel__due_push(swivel_due_queue *due, swivel_slab *slab, uint32_t index, swivel_node *node)
{
    if (!reserve(&due->heap, due->heap.count, due->most)) {
        return false;
    }
    node->place = SWIVEL_PLACE_HEAP;
    sift(due, slab, due->heap.count++, entry_of(index, node));
    return true;
}

void swivel__due_remove(swivel_due_queue *due, swivel_slab *slab, const swivel_node *node)
{
    swivel_due_entry last = due->heap.entries[--due->heap.count];
    if (node->next < due->heap.count) {
        sift(due, slab, node->next, last);
    }
}

void swivel__due_pop(swivel_due_queue *due, swivel_slab *slab)
{
    const swivel_due_entry *first = swivel__due_first(due);
    if (first == due->heap.entries) {
        swivel__due_remove(due, slab, swivel__slab_node(slab, first->index));
    } else {
        due->first += 1;
    }
}

void swivel__due_leave(swivel_due_queue *due, swivel_surplus **list)
{
    size_t each = sizeof(swivel_due_entry);
    swivel__pages_leave(list, due->sorted.entries, due->sorted.capacity * each);
    swivel__pages_leave(list, due->spare.entries, due->spare.capacity * each);
    swivel__pages_leave(list, due->heap.entries, due->heap.capacity * each);
    *due = (swivel_due_queue){.most = due->most};
}
