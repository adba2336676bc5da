// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/queue/ring.h"

#include <stdlib.h>

static size_t bytes_of(uint64_t capacity)
{
    return (size_t)capacity * sizeof(swivel_entry);
}

bool swivel__ring_grow(swivel_ring *ring)
{
    uint64_t capacity = ring->capacity == 0 ? 64 : ring->capacity * 2;
    size_t bytes = bytes_of(capacity);
    swivel_entry *entries = bytes < SWIVEL_PAGED_BYTES ? malloc(bytes) : swivel__pages_map(bytes);
    if (entries == NULL) {
        return false;
    }
    for (uint64_t number = ring->head; number != ring->tail; number++) {
        entries[number & (capacity - 1)] = ring->entries[number & (ring->capacity - 1)];
    }
    swivel_surplus *left = NULL;
    swivel__ring_leave(ring, &left);
    while (swivel__pages_give(&left)) {
    }
    ring->entries = entries;
    ring->capacity = capacity;
    return true;
}

void swivel__ring_leave(swivel_ring *ring, swivel_surplus **list)
{
    swivel__pages_leave(list, ring->entries, bytes_of(ring->capacity));
    ring->entries = NULL;
    ring->capacity = 0;
}
