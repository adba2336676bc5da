// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/memory/near_heap.h"
#include "../../include/internal/memory/pages.h"

#include <stdlib.h>
#include <string.h>

#define SWIVEL_ARITY 4u
/// Void entries that are not worth a sweep.
#define SWIVEL_DEAD_MIN 64
/// A heap of up to 1,024 entries is swept at once. In a larger one each addition sweeps eight,
/// which ends before the heap has grown by an eighth.
#define SWIVEL_SWEPT_AT_ONCE 1024
#define SWIVEL_SWEPT_EACH 8
/// Fewer entries are ordered as a heap: the passes of a sort have a cost of their own.
#define SWIVEL_SORTED_MIN 48

static inline bool before(const swivel_near_entry *a, const swivel_near_entry *b)
{
    return a->deadline_ns != b->deadline_ns ? a->deadline_ns < b->deadline_ns
                                            : a->sequence < b->sequence;
}

/// Moves memory to where `wanted` bytes fit. False, and nothing has changed, without memory.
static bool resize(void **memory, size_t *bytes, size_t wanted)
{
    void *moved = NULL;
    if (wanted <= *bytes) {
        return true;
    }
    if (wanted < SWIVEL_PAGED_BYTES) {
        moved = realloc(*memory, wanted);
    } else if (*bytes >= SWIVEL_PAGED_BYTES) {
        moved = swivel__pages_resize(*memory, *bytes, wanted);
    } else if ((moved = swivel__pages_map(wanted)) != NULL && *bytes > 0) {
        memcpy(moved, *memory, *bytes);
        free(*memory);
    }
    if (moved != NULL) {
        *memory = moved;
        *bytes = wanted;
    }
    return moved != NULL;
}

static bool grow(swivel_heap *heap, uint32_t most)
{
    size_t room = heap->capacity == 0 ? 64 : (size_t)heap->capacity * 2;
    void *entries = heap->entries, *holders = heap->holders;
    // There are at most as many tickets as entries: one is given with each, and comes back with it.
    bool grown = room <= most &&
                 resize(&entries, &heap->entries_bytes, room * sizeof *heap->entries) &&
                 resize(&holders, &heap->holders_bytes, room * sizeof *heap->holders);
    heap->entries = entries;
    heap->holders = holders;
    heap->capacity = grown ? (uint32_t)room : heap->capacity;
    return grown;
}

bool swivel__heap_reserve(swivel_heap *heap, uint32_t most)
{
    if (SWIVEL_LIKELY(heap->popped + heap->count < heap->capacity)) {
        return true;
    }
    bool moves = heap->popped > 0 && heap->popped >= heap->count;
    if (!moves && (grow(heap, most) || heap->popped == 0)) {
        return heap->popped + heap->count < heap->capacity;
    }
    // As many entries have been popped as are moved, or there is no memory.
    memmove(heap->entries, swivel__heap_first(heap), heap->count * sizeof *heap->entries);
    heap->popped = 0;
    return true;
}

void swivel__heap_leave(swivel_heap *heap, swivel_surplus **list)
{
    swivel__pages_leave(list, heap->entries, heap->entries_bytes);
    swivel__pages_leave(list, heap->holders, heap->holders_bytes);
    swivel__pages_leave(list, heap->sort.spare, heap->sort.spare_bytes);
    *heap = (swivel_heap){0};
}

static uint32_t take_ticket(swivel_heap *heap)
{
    if (heap->free_ticket == 0) {
        return heap->tickets++;
    }
    uint32_t ticket = heap->free_ticket - 1;
    heap->free_ticket = heap->holders[ticket];
    return ticket;
}

static void give_ticket(swivel_heap *heap, uint32_t ticket)
{
    heap->holders[ticket] = heap->free_ticket;
    heap->free_ticket = ticket + 1;
}

/// Moves an entry up to where it belongs, among those whose order is known.
static void sift_up(swivel_heap *heap, uint32_t hole)
{
    swivel_near_entry *entries = swivel__heap_first(heap), entry = entries[hole];
    while (hole > 0) {
        uint32_t parent = (hole - 1) / SWIVEL_ARITY;
        if (parent < heap->unordered || !before(&entry, &entries[parent])) {
            break;
        }
        entries[hole] = entries[parent];
        hole = parent;
    }
    entries[hole] = entry;
}

static void sift_down(swivel_heap *heap, uint32_t hole)
{
    swivel_near_entry *entries = swivel__heap_first(heap), entry = entries[hole];
    uint32_t count = heap->count;
    for (;;) {
        uint32_t child = hole * SWIVEL_ARITY + 1;
        if (child >= count) {
            break;
        }
        uint32_t last = child + SWIVEL_ARITY < count ? child + SWIVEL_ARITY : count;
        uint32_t least = child;
        for (child += 1; child < last; child++) {
            if (before(&entries[child], &entries[least])) {
                least = child;
            }
        }
        if (!before(&entries[least], &entry)) {
            break;
        }
        entries[hole] = entries[least];
        hole = least;
    }
    entries[hole] = entry;
}

static uint32_t add(swivel_heap *heap, uint64_t deadline_ns, uint64_t sequence, uint32_t index)
{
    swivel_near_entry entry = {deadline_ns, sequence, take_ticket(heap)};
    heap->holders[entry.ticket] = index;
    if (heap->count == 0) {
        heap->rises = heap->sorts = true;
        heap->popped = 0;
        swivel__sort_reset(&heap->sort);
    } else {
        const swivel_near_entry *last = swivel__heap_first(heap) + heap->count - 1;
        bool is_before = before(&entry, last);
        heap->rises &= !is_before;
        swivel__sort_add(&heap->sort, last, &entry, is_before);
    }
    swivel__heap_first(heap)[heap->count++] = entry;
    return entry.ticket;
}

uint32_t swivel__heap_push(swivel_heap *heap, uint64_t deadline_ns, uint64_t sequence,
                           uint32_t index)
{
    uint32_t ticket = add(heap, deadline_ns, sequence, index);
    if (!heap->rises) {
        heap->sorts = false;
        sift_up(heap, heap->count - 1);
    }
    return ticket;
}

uint32_t swivel__heap_append(swivel_heap *heap, uint64_t deadline_ns, uint64_t sequence,
                             uint32_t index)
{
    uint32_t ticket = add(heap, deadline_ns, sequence, index);
    if (!heap->rises) {
        heap->unordered = UINT32_MAX;
    }
    return ticket;
}

uint32_t swivel__heap_pop(swivel_heap *heap)
{
    swivel_near_entry *entries = swivel__heap_first(heap);
    uint32_t ticket = entries[0].ticket, index = heap->holders[ticket];
    give_ticket(heap, ticket);
    heap->count -= 1;
    if (heap->rises) {
        heap->popped += 1;
    } else if (heap->count > 0) {
        entries[0] = entries[heap->count];
        sift_down(heap, 0);
    }
    return index;
}

/// Drops void entries, and with them the order. False: there are more to look at.
static bool sweep(swivel_heap *heap, uint32_t *work)
{
    for (; heap->swept < heap->count && *work > 0; *work -= 1) {
        swivel_near_entry entry = swivel__heap_first(heap)[heap->swept++];
        if (heap->holders[entry.ticket] == SWIVEL_NIL) {
            give_ticket(heap, entry.ticket);
            heap->dead -= 1;
        } else {
            swivel__heap_first(heap)[heap->kept++] = entry;
        }
    }
    if (heap->swept < heap->count) {
        return false;
    }
    heap->count = heap->kept;
    heap->sweeping = false;
    return true;
}

/// Whether the entries can be sorted: there are enough of them, and there is memory. They begin at
/// the first place, because a slot is emptied into an empty heap.
static bool can_sort(swivel_heap *heap, uint32_t most)
{
    bool is_crowd = heap->count >= SWIVEL_SORTED_MIN && heap->count <= most;
    void *spare = heap->sort.spare;
    heap->sorts &= heap->sort.falls ||
                   (is_crowd && resize(&spare, &heap->sort.spare_bytes, heap->entries_bytes));
    heap->sort.spare = spare;
    return heap->sorts;
}

/// Orders the heap from its last parents to its first entry (R. W. Floyd, "Treesort 3", 1964), if
/// its entries cannot be sorted. False: there are more.
static bool order(swivel_heap *heap, uint32_t most, uint32_t *work)
{
    if (heap->unordered > 0 && heap->sorts && can_sort(heap, most)) {
        heap->rises = swivel__sort_step(&heap->sort, &heap->entries, heap->count, work);
        heap->unordered = heap->rises ? 0 : heap->unordered;
        return heap->rises;
    }
    uint32_t parents = heap->count > 1 ? (heap->count - 2) / SWIVEL_ARITY + 1 : 0;
    heap->unordered = heap->unordered < parents ? heap->unordered : parents;
    for (; heap->unordered > 0 && *work > 0; *work -= 1) {
        heap->unordered -= 1;
        sift_down(heap, heap->unordered);
    }
    return heap->unordered == 0;
}

/// Begins a sweep if it is due. Returns whether one is under way.
static bool begin_sweep(swivel_heap *heap)
{
    if (!heap->sweeping && heap->dead > SWIVEL_DEAD_MIN && heap->dead > heap->count / 2) {
        heap->sweeping = true;
        heap->swept = heap->kept = 0;
        heap->unordered = UINT32_MAX;
        heap->rises = heap->sorts = false;
    }
    return heap->sweeping;
}

bool swivel__heap_settle(swivel_heap *heap, uint32_t most, uint32_t *work)
{
    while (heap->dead > 0 || heap->unordered > 0) {
        if (begin_sweep(heap) && !sweep(heap, work)) {
            return false;
        }
        if (!order(heap, most, work)) {
            return false;
        }
        if (heap->dead == 0 || heap->holders[swivel__heap_first(heap)->ticket] != SWIVEL_NIL) {
            break;
        }
        if (*work == 0) {
            return false;
        }
        swivel__heap_pop(heap);
        heap->dead -= 1;
        *work -= 1;
    }
    return true;
}

void swivel__heap_sweep(swivel_heap *heap)
{
    if (SWIVEL_UNLIKELY(begin_sweep(heap))) {
        uint32_t work = SWIVEL_SWEPT_EACH, all = UINT32_MAX;
        if (heap->count > SWIVEL_SWEPT_AT_ONCE) {
            sweep(heap, &work);
        } else {
            sweep(heap, &all);
            order(heap, 0, &all);
        }
    }
}
