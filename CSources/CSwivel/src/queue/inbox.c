// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/queue/inbox.h"
#include "../../include/internal/memory/pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(ENOMEM == 12, "swivel__inbox_push names it by number");

int swivel__inbox_init(swivel_inbox *inbox)
{
    // From the heap, large enough to be mapped lazily: leak checkers see the segments behind it.
    inbox->directory = calloc(SWIVEL_DIRECTORY_SLOTS, sizeof *inbox->directory);
    SWIVEL_STORE(&inbox->tail, SWIVEL_CLOSED, relaxed);
    return inbox->directory == NULL ? -ENOMEM : SWIVEL_OK;
}

void swivel__inbox_open(swivel_inbox *inbox)
{
    // Numbers go on in a new segment: a push that still holds a segment of the record's former life
    // fails its compare-and-swap.
    uint64_t number = SWIVEL_LOAD(&inbox->tail, relaxed) & ~SWIVEL_CLOSED;
    number = ((number >> SWIVEL_SEGMENT_SHIFT) + 1) << SWIVEL_SEGMENT_SHIFT;
    inbox->cursor = number;
    swivel__inbox_publish_head(inbox);
    SWIVEL_STORE(&inbox->tail, number, seq_cst);
}

bool swivel__inbox_close(swivel_inbox *inbox)
{
    return !(SWIVEL_FETCH_OR(&inbox->tail, SWIVEL_CLOSED, seq_cst) & SWIVEL_CLOSED);
}

static SWIVEL_ATOMIC(swivel_segment *) *directory_slot(swivel_inbox *inbox, uint64_t number)
{
    return &inbox->directory[(number >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1)];
}

static void free_segment(swivel_segment *SWIVEL_NULLABLE segment)
{
    if (segment != NULL) {
        swivel__pages_unmap(segment, sizeof *segment);
    }
}

bool swivel__inbox_extend(swivel_inbox *inbox, uint64_t number)
{
    swivel_segment *segment = SWIVEL_EXCHANGE(&inbox->spare, NULL, acquire);
    if (segment == NULL) {
        segment = swivel__pages_map(sizeof *segment);
        if (segment == NULL) {
            return false;
        }
    }
    // Release publishes the zeroed slots. If another producer was first, or the consumer has passed
    // this number already, the segment serves the next producer that comes to this slot.
    swivel_segment *expected = NULL;
    if (!SWIVEL_CAS(directory_slot(inbox, number), &expected, segment, acq_rel, acquire)) {
        free_segment(SWIVEL_EXCHANGE(&inbox->spare, segment, acq_rel));
    }
    return true;
}

bool swivel__inbox_next_segment(swivel_inbox *inbox)
{
    if (inbox->current != NULL) {
        // All entries of the segment before `cursor` were consumed, so no producer knows it.
        SWIVEL_STORE(directory_slot(inbox, inbox->cursor - 1), NULL, relaxed);
        swivel__inbox_publish_head(inbox);
        memset(inbox->current, 0, sizeof *inbox->current);
        free_segment(SWIVEL_EXCHANGE(&inbox->spare, inbox->current, acq_rel));
    }
    inbox->current = SWIVEL_LOAD(directory_slot(inbox, inbox->cursor), acquire);
    return inbox->current != NULL;
}

void swivel__inbox_reset(swivel_inbox *inbox)
{
    inbox->current = NULL;
    // Segments lie at the cursor and one ahead at most; one that a late producer put elsewhere
    // waits, empty, for the numbers to come round.
    for (uint64_t ahead = 0; ahead < 2; ahead++) {
        uint64_t number = inbox->cursor + (ahead << SWIVEL_SEGMENT_SHIFT);
        free_segment(SWIVEL_EXCHANGE(directory_slot(inbox, number), NULL, relaxed));
    }
    free_segment(SWIVEL_EXCHANGE(&inbox->spare, NULL, relaxed));
}
