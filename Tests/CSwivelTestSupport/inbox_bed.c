// SPDX-License-Identifier: Apache-2.0
#include "include/inbox_bed.h"
#include "internal/queue/wake.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct swivel_inbox_bed {
    swivel_inbox inbox;
    swivel_wake wake;
    uint64_t notified;
};

static SWIVEL_ATOMIC(uint64_t) freed_sum, freed_count;

static void count_deferred(uintptr_t memory)
{
    SWIVEL_FETCH_ADD(&freed_sum, memory, relaxed);
    SWIVEL_FETCH_ADD(&freed_count, 1, relaxed);
}

uint64_t swivel_inbox_bed_freed(uint64_t *count)
{
    *count = SWIVEL_LOAD(&freed_count, relaxed);
    return SWIVEL_LOAD(&freed_sum, relaxed);
}

swivel_inbox_bed *swivel_inbox_bed_make(void)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, sizeof(swivel_inbox_bed)) != 0) {
        abort();
    }
    swivel_inbox_bed *bed = memset(memory, 0, sizeof(swivel_inbox_bed));
    if (swivel__inbox_init(&bed->inbox) != SWIVEL_OK) {
        abort();
    }
    bed->inbox.free_deferred = count_deferred;
    swivel__inbox_open(&bed->inbox);
    SWIVEL_STORE(&bed->wake.urgent, UINT64_MAX, relaxed);
    return bed;
}

void swivel_inbox_bed_free(swivel_inbox_bed *bed)
{
    swivel__inbox_reset(&bed->inbox);
    free(bed->inbox.directory);
    free(bed);
}

int swivel_inbox_bed_push(swivel_inbox_bed *bed, uint64_t first, uint64_t second)
{
    swivel_entry entry = {first, second};
    uint64_t waiting;
    return swivel__inbox_push(&bed->inbox, entry, &waiting);
}

bool swivel_inbox_bed_take(swivel_inbox_bed *bed, uint64_t *first, uint64_t *second)
{
    swivel_entry entry;
    bool taken = swivel__inbox_take(&bed->inbox, &entry);
    if (taken) {
        *first = entry.first;
        *second = entry.second;
    }
    return taken;
}

static void notify(void *notified)
{
    *(uint64_t *)notified += 1;
}

bool swivel_inbox_bed_wake(swivel_inbox_bed *bed)
{
    return swivel__wake_now(&bed->wake, notify, &bed->notified);
}

bool swivel_inbox_bed_park(swivel_inbox_bed *bed, uint64_t until)
{
    return swivel__wake_park(&bed->wake, &bed->inbox, until);
}

void swivel_inbox_bed_unpark(swivel_inbox_bed *bed)
{
    swivel__wake_unpark(&bed->wake);
}

bool swivel_inbox_bed_is_empty(swivel_inbox_bed *bed)
{
    return swivel__inbox_is_empty(&bed->inbox);
}

void swivel_inbox_bed_begin_drain(swivel_inbox_bed *bed)
{
    swivel__wake_begin_drain(&bed->wake);
    swivel__inbox_begin_drain(&bed->inbox);
}

bool swivel_inbox_bed_end_drain(swivel_inbox_bed *bed)
{
    swivel__inbox_publish_head(&bed->inbox);
    return swivel__inbox_is_held_up(&bed->inbox);
}

uint64_t swivel_inbox_bed_claim(swivel_inbox_bed *bed)
{
    uint64_t number = SWIVEL_LOAD(&bed->inbox.tail, relaxed);
    uint64_t slot = (number >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    if (SWIVEL_LOAD(&bed->inbox.directory[slot], acquire) == NULL &&
        !swivel__inbox_extend(&bed->inbox, number)) {
        abort();
    }
    return SWIVEL_FETCH_ADD(&bed->inbox.tail, 1, seq_cst);
}

void swivel_inbox_bed_publish(swivel_inbox_bed *bed, uint64_t number, uint64_t first,
                              uint64_t second)
{
    uint64_t place = (number >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    swivel_segment *segment = SWIVEL_LOAD(&bed->inbox.directory[place], acquire);
    swivel_slot *slot = &segment->slots[number & (SWIVEL_SEGMENT_ENTRIES - 1)];
    slot->second = second;
    SWIVEL_STORE(&slot->first, first, seq_cst);
}

bool swivel_inbox_bed_close(swivel_inbox_bed *bed)
{
    return swivel__inbox_close(&bed->inbox);
}

void swivel_inbox_bed_reset(swivel_inbox_bed *bed)
{
    swivel__inbox_reset(&bed->inbox);
}

void swivel_inbox_bed_reopen(swivel_inbox_bed *bed)
{
    swivel_inbox_bed_reset(bed);
    swivel__inbox_open(&bed->inbox);
}

uint32_t swivel_inbox_bed_segments(const swivel_inbox_bed *bed)
{
    uint32_t count = 0;
    for (uint64_t slot = 0; slot < SWIVEL_DIRECTORY_SLOTS; slot++) {
        count += SWIVEL_LOAD(&bed->inbox.directory[slot], acquire) != NULL;
    }
    return count;
}

uint32_t swivel_inbox_bed_spares(const swivel_inbox_bed *bed)
{
    uint32_t count = 0;
    for (int i = 0; i < SWIVEL_SPARES_MAX; i++) {
        count += SWIVEL_LOAD(&bed->inbox.spares[i], acquire) != NULL;
    }
    return count;
}

bool swivel_inbox_bed_defer_free(swivel_inbox_bed *bed, uint64_t memory)
{
    return swivel__inbox_defer_free(&bed->inbox, bed->inbox.cursor - 1, memory);
}

bool swivel_inbox_bed_give(swivel_inbox_bed *bed)
{
    return swivel__inbox_give(&bed->inbox);
}

void swivel_inbox_bed_fill(swivel_inbox_bed *bed, uint64_t less)
{
    uint64_t tail = SWIVEL_LOAD(&bed->inbox.tail, relaxed);
    SWIVEL_STORE(&bed->inbox.head, tail - SWIVEL_INBOX_MAX + less, release);
}

typedef struct producer {
    swivel_inbox_bed *bed;
    uint32_t number;
    uint64_t entries, accepted, refused;
    pthread_t thread;
} producer;

static void *produce(void *argument)
{
    producer *self = argument;
    for (uint64_t i = 1; i <= self->entries; i++) {
        uint64_t waiting;
        swivel_entry entry = {(uint64_t)self->number + 1, i};
        int status = swivel__inbox_push(&self->bed->inbox, entry, &waiting);
        self->accepted += status == SWIVEL_OK;
        self->refused += status == SWIVEL_ESHUTDOWN;
    }
    return NULL;
}

static void *close_midway(void *argument)
{
    swivel_inbox_bed *bed = argument;
    // Once some entries have gone through.
    while (SWIVEL_LOAD(&bed->inbox.head, acquire) < 20000) {
        sched_yield();
    }
    swivel__inbox_close(&bed->inbox);
    return NULL;
}

/// Takes all there is. Returns whether there was something.
static bool consume(swivel_inbox_bed *bed, swivel_storm *storm, uint64_t *last)
{
    swivel_entry entry;
    bool some = false;
    while (swivel__inbox_take(&bed->inbox, &entry)) {
        uint64_t *previous = &last[entry.first - 1];
        storm->out_of_order += entry.second != *previous + 1;
        *previous = entry.second;
        storm->consumed += 1;
        some = true;
    }
    swivel__inbox_publish_head(&bed->inbox);
    return some;
}

void swivel_inbox_bed_storm(swivel_inbox_bed *bed, swivel_storm *storm)
{
    producer producers[64] = {0};
    uint64_t last[64] = {0};
    pthread_t closer;
    if (storm->producers > 64) {
        abort();
    }
    for (uint32_t i = 0; i < storm->producers; i++) {
        producers[i] = (producer){.bed = bed, .number = i, .entries = storm->entries_each};
        pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
    }
    if (storm->close_midway) {
        pthread_create(&closer, NULL, close_midway, bed);
        while (!(SWIVEL_LOAD(&bed->inbox.tail, acquire) & SWIVEL_CLOSED)) {
            consume(bed, storm, last);
        }
        pthread_join(closer, NULL);
    } else {
        uint64_t all = storm->producers * storm->entries_each;
        while (storm->consumed < all) {
            if (!consume(bed, storm, last)) {
                sched_yield();
            }
        }
    }
    for (uint32_t i = 0; i < storm->producers; i++) {
        pthread_join(producers[i].thread, NULL);
        storm->accepted += producers[i].accepted;
        storm->refused += producers[i].refused;
    }
    consume(bed, storm, last);
}
