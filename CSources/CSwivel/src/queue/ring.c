// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/ring.h"

#include <stdlib.h>

bool swivel__ring_grow(swivel_ring *ring)
{
    uint64_t capacity = ring->capacity == 0 ? 64 : ring->capacity * 2;
    swivel_entry *entries = malloc(capacity * sizeof *entries);
    if (entries == NULL) {
        return false;
    }
    for (uint64_t number = ring->head; number != ring->tail; number++) {
        entries[number & (capacity - 1)] = ring->entries[number & (ring->capacity - 1)];
    }
    free(ring->entries);
    ring->entries = entries;
    ring->capacity = capacity;
    return true;
}

void swivel__ring_free(swivel_ring *ring)
{
    free(ring->entries);
    ring->entries = NULL;
    ring->capacity = 0;
}
