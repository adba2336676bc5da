// SPDX-License-Identifier: Apache-2.0
// The loop's own posts: a growing ring of entries, without atomics.
#ifndef SWIVEL_INTERNAL_RING_H
#define SWIVEL_INTERNAL_RING_H

#include "inbox.h"
#include "../memory/slab.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Loop thread only. Entries are numbered, as in the inbox.
typedef struct swivel_ring {
    swivel_entry *entries;
    uint64_t head, tail;
    uint64_t capacity; ///< A power of two, or 0.
} swivel_ring;

/// Doubles the ring. False without memory.
bool swivel__ring_grow(swivel_ring *ring);
/// Leaves an empty ring's memory to be given back in steps; the numbers continue.
void swivel__ring_leave(swivel_ring *ring, swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list);

static inline bool swivel__ring_push(swivel_ring *ring, swivel_entry entry)
{
    if (SWIVEL_UNLIKELY(ring->tail - ring->head == ring->capacity) && !swivel__ring_grow(ring)) {
        return false;
    }
    ring->entries[ring->tail++ & (ring->capacity - 1)] = entry;
    return true;
}

/// Adds an entry, or replaces the last one if that has the same first word.
static inline bool swivel__ring_renew(swivel_ring *ring, swivel_entry entry)
{
    if (ring->head != ring->tail) {
        swivel_entry *last = &ring->entries[(ring->tail - 1) & (ring->capacity - 1)];
        if (last->first == entry.first) {
            *last = entry;
            return true;
        }
    }
    return swivel__ring_push(ring, entry);
}

static inline swivel_entry swivel__ring_pop(swivel_ring *ring)
{
    return ring->entries[ring->head++ & (ring->capacity - 1)];
}

/// Whether the next entry is there and continues work that has run.
static inline bool swivel__ring_goes_on(const swivel_ring *ring)
{
    return ring->head != ring->tail &&
           swivel__goes_on(ring->entries[ring->head & (ring->capacity - 1)].first);
}

SWIVEL_ASSUME_NONNULL_END

#endif
