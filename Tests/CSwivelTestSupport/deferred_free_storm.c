// SPDX-License-Identifier: Apache-2.0
#include "include/inbox_fixture.h"
#include "internal/memory/slab.h"
#include "internal/queue/inbox.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define PRODUCERS_MAX 64

typedef struct storm_producer {
    swivel_inbox *inbox;
    uint32_t number;
    uint64_t entries;
    pthread_t thread;
} storm_producer;

/// Blocks that were allocated and not freed.
static SWIVEL_ATOMIC(int64_t) live;

static void free_block(uintptr_t block)
{
    free((void *)block); // A sanitizer, or glibc, reports one that is freed twice.
    SWIVEL_FETCH_SUB(&live, 1, relaxed);
}

static void *produce(void *argument)
{
    storm_producer *self = argument;
    for (uint64_t i = 1; i <= self->entries; i++) {
        uint64_t waiting, *block = malloc(48);
        if (block == NULL) {
            abort();
        }
        *block = i;
        SWIVEL_FETCH_ADD(&live, 1, relaxed);
        swivel_entry entry = {(uint64_t)self->number + 1, (uintptr_t)block};
        if (swivel__inbox_push(self->inbox, entry, &waiting) != SWIVEL_OK) {
            abort();
        }
    }
    return NULL;
}

/// Takes an entry, and sometimes the next ones before it is done with it, as a closure that pumps.
/// Returns how many it has taken.
static uint64_t consume(swivel_inbox *inbox, uint64_t *last, int64_t *wrong, int depth)
{
    swivel_entry entry;
    if (!swivel__inbox_take(inbox, &entry)) {
        return 0;
    }
    uint64_t number = inbox->cursor - 1, taken = 1;
    uint64_t *block = (uint64_t *)(uintptr_t)entry.second;
    *wrong += *block != last[entry.first - 1] + 1;
    last[entry.first - 1] = *block;
    for (uint64_t i = 0; depth < 3 && number % 97 == 0 && i < number % 700; i++) {
        taken += consume(inbox, last, wrong, depth + 1);
    }
    memset(block, 0xA5, 48);
    if (number % 5 == 0 || !swivel__inbox_defer_free(inbox, number, entry.second)) {
        free_block((uintptr_t)block);
    }
    return taken;
}

/// Frees the segments that a producer has put where the consumer had passed: an inbox that goes on
/// uses them, and frees their deferred memory, when its numbers come round.
static void free_late_segments(swivel_inbox *inbox)
{
    for (uint64_t place = 0; place < SWIVEL_DIRECTORY_SLOTS; place++) {
        swivel_segment *segment = SWIVEL_LOAD(&inbox->directory[place], relaxed);
        for (uint64_t i = 0; segment != NULL && i < SWIVEL_SEGMENT_ENTRIES; i++) {
            if (segment->slots[i].second != 0) {
                free_block((uintptr_t)segment->slots[i].second);
            }
        }
        if (segment != NULL) {
            swivel__pages_unmap(segment, sizeof *segment);
        }
    }
}

int64_t swivel_inbox_deferred_free_storm(uint32_t producers, uint64_t entries_each)
{
    storm_producer threads[PRODUCERS_MAX] = {0};
    uint64_t last[PRODUCERS_MAX] = {0}, left = producers * entries_each;
    int64_t wrong = 0;
    void *memory = NULL;
    if (producers > PRODUCERS_MAX || posix_memalign(&memory, 64, sizeof(swivel_inbox)) != 0) {
        abort();
    }
    swivel_inbox *inbox = memset(memory, 0, sizeof(swivel_inbox));
    if (swivel__inbox_init(inbox) != SWIVEL_OK) {
        abort();
    }
    inbox->free_deferred = free_block;
    swivel__inbox_open(inbox);
    for (uint32_t i = 0; i < producers; i++) {
        threads[i] = (storm_producer){.inbox = inbox, .number = i, .entries = entries_each};
        pthread_create(&threads[i].thread, NULL, produce, &threads[i]);
    }
    while (left > 0) {
        uint64_t taken = consume(inbox, last, &wrong, 0);
        left -= taken;
        swivel__inbox_publish_head(inbox);
        if (taken == 0) {
            sched_yield();
        }
    }
    for (uint32_t i = 0; i < producers; i++) {
        pthread_join(threads[i].thread, NULL);
    }
    swivel__inbox_close(inbox);
    swivel__inbox_reset(inbox);
    free_late_segments(inbox);
    free(inbox->directory);
    free(inbox);
    return SWIVEL_EXCHANGE(&live, 0, relaxed) + wrong;
}
