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
    swivel_heap_entry *entries = realloc(heap->entries, room * sizeof(swivel_heap_entry));
    if (entries == NULL) {
        return false;
    }
    heap->entries = entries;
    heap->capacity = room;
    return true;
}

void swivel__heap_free(swivel_heap *heap)
{
    free(heap->entries);
    *heap = (swivel_heap){0};
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

void swivel__heap_append(swivel_heap *heap, swivel_heap_entry entry)
{
    heap->entries[heap->count++] = entry;
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

void swivel__heap_pop(swivel_heap *heap)
{
    heap->count -= 1;
    if (heap->count > 0) {
        heap->entries[0] = heap->entries[heap->count];
        sift_down(heap, 0);
    }
}
