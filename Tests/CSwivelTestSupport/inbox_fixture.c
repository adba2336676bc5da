// SPDX-License-Identifier: Apache-2.0
#include "include/inbox_fixture.h"
#include "internal/queue/wake.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct swivel_inbox_fixture {
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

uint64_t swivel_inbox_fixture_freed(uint64_t *count)
{
    *count = SWIVEL_LOAD(&freed_count, relaxed);
    return SWIVEL_LOAD(&freed_sum, relaxed);
}

swivel_inbox_fixture *swivel_inbox_fixture_make(void)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 64, sizeof(swivel_inbox_fixture)) != 0) {
        abort();
    }
    swivel_inbox_fixture *fixture = memset(memory, 0, sizeof(swivel_inbox_fixture));
    if (swivel__inbox_init(&fixture->inbox) != SWIVEL_OK) {
        abort();
    }
    fixture->inbox.free_deferred = count_deferred;
    swivel__inbox_open(&fixture->inbox);
    SWIVEL_STORE(&fixture->wake.urgent, UINT64_MAX, relaxed);
    return fixture;
}

void swivel_inbox_fixture_free(swivel_inbox_fixture *fixture)
{
    swivel__inbox_reset(&fixture->inbox);
    free(fixture->inbox.directory);
    free(fixture);
}

int swivel_inbox_fixture_push(swivel_inbox_fixture *fixture, uint64_t first, uint64_t second)
{
    swivel_entry entry = {first, second};
    uint64_t waiting;
    return swivel__inbox_push(&fixture->inbox, entry, &waiting);
}

bool swivel_inbox_fixture_take(swivel_inbox_fixture *fixture, uint64_t *first, uint64_t *second)
{
    swivel_entry entry;
    bool taken = swivel__inbox_take(&fixture->inbox, &entry);
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

bool swivel_inbox_fixture_wake(swivel_inbox_fixture *fixture)
{
    uint64_t before = fixture->notified;
    swivel__wake_now(&fixture->wake, notify, &fixture->notified);
    return fixture->notified != before;
}

bool swivel_inbox_fixture_park(swivel_inbox_fixture *fixture, uint64_t until)
{
    return swivel__wake_park(&fixture->wake, &fixture->inbox, until);
}

void swivel_inbox_fixture_unpark(swivel_inbox_fixture *fixture)
{
    swivel__wake_unpark(&fixture->wake);
}

bool swivel_inbox_fixture_is_empty(swivel_inbox_fixture *fixture)
{
    return swivel__inbox_is_empty(&fixture->inbox);
}

void swivel_inbox_fixture_begin_drain(swivel_inbox_fixture *fixture)
{
    swivel__wake_begin_drain(&fixture->wake);
    swivel__inbox_begin_drain(&fixture->inbox);
}

bool swivel_inbox_fixture_end_drain(swivel_inbox_fixture *fixture)
{
    swivel__inbox_publish_head(&fixture->inbox);
    return swivel__inbox_is_held_up(&fixture->inbox);
}

uint64_t swivel_inbox_fixture_claim(swivel_inbox_fixture *fixture)
{
    uint64_t number = SWIVEL_LOAD(&fixture->inbox.tail, relaxed);
    uint64_t slot = (number >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    if (SWIVEL_LOAD(&fixture->inbox.directory[slot], acquire) == NULL &&
        !swivel__inbox_extend(&fixture->inbox, number)) {
        abort();
    }
    return SWIVEL_FETCH_ADD(&fixture->inbox.tail, 1, seq_cst);
}

void swivel_inbox_fixture_publish(swivel_inbox_fixture *fixture, uint64_t number, uint64_t first,
                              uint64_t second)
{
    uint64_t place = (number >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    swivel_segment *segment = SWIVEL_LOAD(&fixture->inbox.directory[place], acquire);
    swivel_slot *slot = &segment->slots[number & (SWIVEL_SEGMENT_ENTRIES - 1)];
    slot->second = second;
    SWIVEL_STORE(&slot->first, first, seq_cst);
}

bool swivel_inbox_fixture_close(swivel_inbox_fixture *fixture)
{
    return swivel__inbox_close(&fixture->inbox);
}

void swivel_inbox_fixture_reset(swivel_inbox_fixture *fixture)
{
    swivel__inbox_reset(&fixture->inbox);
}

void swivel_inbox_fixture_reopen(swivel_inbox_fixture *fixture)
{
    swivel_inbox_fixture_reset(fixture);
    swivel__inbox_open(&fixture->inbox);
}

uint32_t swivel_inbox_fixture_segments(const swivel_inbox_fixture *fixture)
{
    uint32_t count = 0;
    for (uint64_t slot = 0; slot < SWIVEL_DIRECTORY_SLOTS; slot++) {
        count += SWIVEL_LOAD(&fixture->inbox.directory[slot], acquire) != NULL;
    }
    return count;
}

uint32_t swivel_inbox_fixture_spares(const swivel_inbox_fixture *fixture)
{
    uint32_t count = 0;
    for (int i = 0; i < SWIVEL_SPARES_MAX; i++) {
        count += SWIVEL_LOAD(&fixture->inbox.spares[i], acquire) != NULL;
    }
    return count;
}

bool swivel_inbox_fixture_defer_free(swivel_inbox_fixture *fixture, uint64_t memory)
{
    return swivel__inbox_defer_free(&fixture->inbox, fixture->inbox.cursor - 1, memory);
}

void swivel_inbox_fixture_fill(swivel_inbox_fixture *fixture, uint64_t less)
{
    uint64_t tail = SWIVEL_LOAD(&fixture->inbox.tail, relaxed);
    SWIVEL_STORE(&fixture->inbox.head, tail - SWIVEL_INBOX_MAX + less, release);
}

typedef struct producer {
    swivel_inbox_fixture *fixture;
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
        int status = swivel__inbox_push(&self->fixture->inbox, entry, &waiting);
        self->accepted += status == SWIVEL_OK;
        self->refused += status == SWIVEL_ESHUTDOWN;
    }
    return NULL;
}

static void *close_midway(void *argument)
{
    swivel_inbox_fixture *fixture = argument;
    // Once some entries have gone through.
    while (SWIVEL_LOAD(&fixture->inbox.head, acquire) < 20000) {
        sched_yield();
    }
    swivel__inbox_close(&fixture->inbox);
    return NULL;
}

/// Takes all there is. Returns whether there was something.
static bool consume(swivel_inbox_fixture *fixture, swivel_storm *storm, uint64_t *last)
{
    swivel_entry entry;
    bool some = false;
    while (swivel__inbox_take(&fixture->inbox, &entry)) {
        uint64_t *previous = &last[entry.first - 1];
        storm->out_of_order += entry.second != *previous + 1;
        *previous = entry.second;
        storm->consumed += 1;
        some = true;
    }
    swivel__inbox_publish_head(&fixture->inbox);
    return some;
}

void swivel_inbox_fixture_storm(swivel_inbox_fixture *fixture, swivel_storm *storm)
{
    producer producers[64] = {0};
    uint64_t last[64] = {0};
    pthread_t closer;
    if (storm->producers > 64) {
        abort();
    }
    for (uint32_t i = 0; i < storm->producers; i++) {
        producers[i] = (producer){.fixture = fixture, .number = i, .entries = storm->entries_each};
        pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
    }
    if (storm->close_midway) {
        pthread_create(&closer, NULL, close_midway, fixture);
        while (!(SWIVEL_LOAD(&fixture->inbox.tail, acquire) & SWIVEL_CLOSED)) {
            consume(fixture, storm, last);
        }
        pthread_join(closer, NULL);
    } else {
        uint64_t all = storm->producers * storm->entries_each;
        while (storm->consumed < all) {
            if (!consume(fixture, storm, last)) {
                sched_yield();
            }
        }
    }
    for (uint32_t i = 0; i < storm->producers; i++) {
        pthread_join(producers[i].thread, NULL);
        storm->accepted += producers[i].accepted;
        storm->refused += producers[i].refused;
    }
    consume(fixture, storm, last);
}
