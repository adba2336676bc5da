// SPDX-License-Identifier: Apache-2.0
// The loop's own posts: a growing ring of entries, without atomics.
#ifndef SWIVEL_INTERNAL_RING_H
#define SWIVEL_INTERNAL_RING_H

#include "inbox.h"
#include "../memory/pages.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Loop thread only. Entries are numbered, as in the inbox.
typedef struct swivel_ring {
    swivel_entry *entries;
    uint64_t head, tail;
    uint64_t capacity; ///< A power of two, or 0.
} swivel_ring;

/// Doubles the ring. False without memory.
bool swivel__ring_grow(swivel_ring *ring);

/// Leaves an empty ring's memory to be given back in steps; the numbers go on.
void swivel__ring_leave(swivel_ring *ring, swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list);

static inline bool swivel__ring_push(swivel_ring *ring, swivel_entry entry)
{
    if (SWIVEL_UNLIKELY(ring->tail - ring->head == ring->capacity) && !swivel__ring_grow(ring)) {
        return false;
    }
    ring->entries[ring->tail++ & (ring->capacity - 1)] = entry;
    return true;
}

/// Adds a fence, or lets the last one wait for more if nothing was added behind it.
static inline bool swivel__ring_push_fence(swivel_ring *ring, swivel_entry fence)
{
    swivel_entry *last = &ring->entries[(ring->tail - 1) & (ring->capacity - 1)];
    if (ring->head != ring->tail && last->first == fence.first) {
        *last = fence;
        return true;
    }
    return swivel__ring_push(ring, fence);
}

static inline swivel_entry swivel__ring_pop(swivel_ring *ring)
{
    return ring->entries[ring->head++ & (ring->capacity - 1)];
}

/// Whether the next entry is there and goes on with work that has run.
static inline bool swivel__ring_goes_on(const swivel_ring *ring)
{
    return ring->head != ring->tail &&
           swivel__goes_on(ring->entries[ring->head & (ring->capacity - 1)].first);
}

SWIVEL_ASSUME_NONNULL_END

#endif
