// SPDX-License-Identifier: Apache-2.0
// The memory of a loop's two queues: the inbox's segments, and the ring of its own posts.
#include "../../include/internal/queue/ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// Slots in the smallest page there is.
#define SWIVEL_PAGE_ENTRIES (4096 / sizeof(swivel_slot))

_Static_assert(ENOMEM == 12, "swivel__inbox_push names it by number");

int swivel__inbox_init(swivel_inbox *inbox)
{
    // From the heap, large enough to be mapped lazily: leak checkers see the segments behind it.
    inbox->directory = calloc(SWIVEL_DIRECTORY_SLOTS, sizeof *inbox->directory);
    SWIVEL_STORE(&inbox->tail, SWIVEL_CLOSED, relaxed);
    SWIVEL_STORE(&inbox->order, 1, relaxed); // No loop has a block that ends there.
    return inbox->directory == NULL ? -ENOMEM : SWIVEL_OK;
}

void swivel__inbox_open(swivel_inbox *inbox)
{
    // In a new segment: a push that still holds a segment of the former life fails its exchange.
    uint64_t number = ((swivel__inbox_tail(inbox) >> SWIVEL_SEGMENT_SHIFT) + 1)
                      << SWIVEL_SEGMENT_SHIFT;
    inbox->cursor = number;
    swivel__inbox_publish_head(inbox);
    SWIVEL_STORE(&inbox->tail, number, seq_cst);
}

bool swivel__inbox_close(swivel_inbox *inbox)
{
    return !(SWIVEL_FETCH_OR(&inbox->tail, SWIVEL_CLOSED, seq_cst) & SWIVEL_CLOSED);
}

/// Frees a segment that no thread has, and its deferred memory. Entries not taken are lost.
static void free_segment(swivel_inbox *inbox, swivel_segment *segment)
{
    for (uint64_t i = 0; i < SWIVEL_SEGMENT_ENTRIES; i++) {
        const swivel_slot *slot = &segment->slots[i];
        if (slot->second != 0 && SWIVEL_SETTING(&slot->first) == 0) {
            inbox->free_deferred((uintptr_t)slot->second);
        }
    }
    swivel__pages_unmap(segment, sizeof *segment);
}

/// Takes an emptied segment; `NULL` without one.
static swivel_segment *SWIVEL_NULLABLE take_spare(swivel_inbox *inbox)
{
    swivel_segment *segment = NULL;
    for (int i = 0; segment == NULL && i < SWIVEL_SPARES_MAX; i++) {
        if (SWIVEL_LOAD(&inbox->spares[i], relaxed) != NULL) {
            segment = SWIVEL_EXCHANGE(&inbox->spares[i], NULL, acquire);
        }
    }
    return segment;
}

/// Keeps an emptied segment for the next producer, or frees it.
static void put_spare(swivel_inbox *inbox, swivel_segment *segment)
{
    for (int i = 0; i < SWIVEL_SPARES_MAX; i++) {
        swivel_segment *none = NULL;
        if (SWIVEL_LOAD(&inbox->spares[i], relaxed) == NULL &&
            SWIVEL_CAS(&inbox->spares[i], &none, segment, release, relaxed)) {
            return;
        }
    }
    free_segment(inbox, segment);
}

/// A new segment, whose pages are there: a producer reads a slot before it writes it, and each
/// page would fault twice, the second time on all processors. `NULL` without memory.
static swivel_segment *SWIVEL_NULLABLE map_segment(void)
{
    swivel_segment *segment = swivel__pages_map(sizeof *segment);
    for (size_t i = 0; segment != NULL && i < SWIVEL_SEGMENT_ENTRIES; i += SWIVEL_PAGE_ENTRIES) {
        SWIVEL_STORE(&segment->slots[i].first, 0, relaxed);
    }
    return segment;
}

bool swivel__inbox_extend(swivel_inbox *inbox, uint64_t number)
{
    if (SWIVEL_LOAD(&inbox->tail, relaxed) != number) {
        return true; // Another producer was first: a segment put here now might come too late.
    }
    swivel_segment *segment = take_spare(inbox);
    segment = segment != NULL ? segment : map_segment();
    if (segment == NULL) {
        return false;
    }
    // Release publishes the empty slots. If another producer was first, or the consumer has passed
    // this number already, the segment serves the next producer that comes to this slot.
    swivel_segment *expected = NULL;
    if (!SWIVEL_CAS(swivel__inbox_directory(inbox, number), &expected, segment, acq_rel, acquire)) {
        put_spare(inbox, segment);
    }
    return true;
}

/// Empties the slots before `end` of the consumer's segment, but for deferred memory.
static void empty_slots(swivel_inbox *inbox, uint64_t end)
{
    for (uint64_t i = 0; i < end; i++) {
        swivel_slot *slot = &inbox->current->slots[i];
        bool keeps = inbox->deferred[i / 64] >> (i % 64) & 1;
        SWIVEL_STORE(&slot->first, 0, relaxed); // Published with the segment.
        slot->second = keeps ? slot->second : 0;
    }
    memset(inbox->deferred, 0, sizeof inbox->deferred);
}

bool swivel__inbox_next_segment(swivel_inbox *inbox)
{
    if (inbox->current != NULL) {
        // All entries of the segment before `cursor` were consumed, so no producer has it.
        SWIVEL_STORE(swivel__inbox_directory(inbox, inbox->cursor - 1), NULL, relaxed);
        swivel__inbox_publish_head(inbox);
        empty_slots(inbox, SWIVEL_SEGMENT_ENTRIES);
        put_spare(inbox, inbox->current);
    }
    inbox->current = SWIVEL_LOAD(swivel__inbox_directory(inbox, inbox->cursor), acquire);
    return inbox->current != NULL;
}

void swivel__inbox_reset(swivel_inbox *inbox)
{
    if (inbox->current != NULL) {
        empty_slots(inbox, inbox->cursor & (SWIVEL_SEGMENT_ENTRIES - 1));
        inbox->current = NULL;
    }
    // Segments lie at the cursor and one ahead at most; one that a late producer put elsewhere
    // waits, empty, for the numbers to come round.
    swivel_segment *segment;
    for (uint64_t ahead = 0; ahead < 2; ahead++) {
        uint64_t number = inbox->cursor + (ahead << SWIVEL_SEGMENT_SHIFT);
        segment = SWIVEL_EXCHANGE(swivel__inbox_directory(inbox, number), NULL, relaxed);
        if (segment != NULL) {
            free_segment(inbox, segment);
        }
    }
    while ((segment = take_spare(inbox)) != NULL) {
        free_segment(inbox, segment);
    }
}

static size_t bytes_of(uint64_t capacity)
{
    return (size_t)capacity * sizeof(swivel_entry);
}

bool swivel__ring_grow(swivel_ring *ring)
{
    uint64_t had = ring->capacity, capacity = had == 0 ? 64 : had * 2;
    swivel_entry *entries = swivel__pages_grow(ring->entries, bytes_of(had), bytes_of(capacity));
    if (entries == NULL) {
        return false;
    }
    // The ring is full: each entry stays, or moves into the new half.
    for (uint64_t number = ring->head; number != ring->tail; number++) {
        entries[number & (capacity - 1)] = entries[number & (had - 1)];
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
