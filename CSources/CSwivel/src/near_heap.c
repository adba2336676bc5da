// SPDX-License-Identifier: Apache-2.0
#include "../include/internal/near_heap.h"

#include <stdlib.h>

#define SWIVEL_ARITY 4u

static inline bool before(const swivel_heap_entry *a, const swivel_heap_entry *b)
{
    return a->deadline_ns != b->deadline_ns ? a->deadline_ns < b->deadline_ns
                                            : a->sequence < b->sequence;
}

bool swivel__heap_reserve(swivel_heap *heap, uint32_t capacity)
{
    if (capacity <= heap->capacity) {
        return true;
    }
    uint32_t room = heap->capacity == 0 ? 64 : heap->capacity;
    while (room < capacity) {
        room *= 2;
    }
    // There are at most as many tickets as entries: one is given with each, and comes back with it.
    swivel_heap_entry *entries = realloc(heap->entries, room * sizeof *entries);
    heap->entries = entries == NULL ? heap->entries : entries;
    uint32_t *holders = entries == NULL ? NULL : realloc(heap->holders, room * sizeof *holders);
    if (holders == NULL) {
        return false;
    }
    heap->holders = holders;
    heap->capacity = room;
    return true;
}

void swivel__heap_free(swivel_heap *heap)
{
    free(heap->entries);
    free(heap->holders);
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

static void sift_up(swivel_heap *heap, uint32_t hole)
{
    swivel_heap_entry *entries = heap->entries, entry = entries[hole];
    while (hole > 0) {
        uint32_t parent = (hole - 1) / SWIVEL_ARITY;
        if (!before(&entry, &entries[parent])) {
            break;
        }
        entries[hole] = entries[parent];
        hole = parent;
    }
    entries[hole] = entry;
}

static void sift_down(swivel_heap *heap, uint32_t hole)
{
    swivel_heap_entry *entries = heap->entries, entry = entries[hole];
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

uint32_t swivel__heap_append(swivel_heap *heap, uint64_t deadline_ns, uint64_t sequence,
                             uint32_t index)
{
    uint32_t ticket = take_ticket(heap);
    heap->holders[ticket] = index;
    heap->entries[heap->count++] = (swivel_heap_entry){deadline_ns, sequence, ticket};
    return ticket;
}

void swivel__heap_order(swivel_heap *heap, uint32_t ordered)
{
    uint32_t added = heap->count - ordered;
    if (added < ordered / 8 + 2) {
        for (uint32_t hole = ordered; hole < heap->count; hole++) {
            sift_up(heap, hole);
        }
    } else if (heap->count > 1) {
        for (uint32_t hole = (heap->count - 2) / SWIVEL_ARITY + 1; hole > 0; hole--) {
            sift_down(heap, hole - 1);
        }
    }
}

static uint32_t remove_first(swivel_heap *heap)
{
    uint32_t ticket = heap->entries[0].ticket, index = heap->holders[ticket];
    give_ticket(heap, ticket);
    heap->count -= 1;
    if (heap->count > 0) {
        heap->entries[0] = heap->entries[heap->count];
        sift_down(heap, 0);
    }
    return index;
}

bool swivel__heap_settle(swivel_heap *heap)
{
    while (heap->dead > 0 && heap->holders[heap->entries[0].ticket] == SWIVEL_NIL) {
        remove_first(heap);
        heap->dead -= 1;
    }
    return heap->count > 0;
}

uint32_t swivel__heap_pop(swivel_heap *heap)
{
    return remove_first(heap);
}

void swivel__heap_sweep(swivel_heap *heap)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        swivel_heap_entry entry = heap->entries[i];
        if (heap->holders[entry.ticket] == SWIVEL_NIL) {
            give_ticket(heap, entry.ticket);
        } else {
            heap->entries[kept++] = entry;
        }
    }
    heap->count = kept;
    heap->dead = 0;
    swivel__heap_order(heap, 0);
}
