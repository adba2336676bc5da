// SPDX-License-Identifier: Apache-2.0
// The inbox by itself: order, turnover of segments, producers that are held up, closing,
// deferred frees.
// Mutant: inbox.c: s/keeps ? slot->second : 0/slot->second/
// Mutant: inbox.c: s/memset(inbox->deferred, 0, sizeof inbox->deferred)/(void)0/
#include "explorer.h"
#include "internal/queue/inbox.h"
#include "internal/memory/slab.h"
#include "stub_pages.h"

#include <string.h>

#define PRODUCERS 2
#define ENTRIES 3

void swivel__point(void)
{
    explorer_point();
}

static swivel_inbox inbox;
static int accepted[PRODUCERS], refused[PRODUCERS], consumed[PRODUCERS];
static bool closed;
static bool left[8 * PRODUCERS], freed[8 * PRODUCERS];

static void free_deferred(uintptr_t memory)
{
    EXPLORER_CHECK(memory < 8 * PRODUCERS && left[memory] && !freed[memory]);
    freed[memory] = true;
}

/// A push that claims its number without looking whether it is still free.
static int push(swivel_entry entry)
{
    uint64_t waiting;
#if SWIVEL_MODEL_BUG == 1
    uint64_t number = SWIVEL_LOAD(&inbox.tail, relaxed);
    if (number & SWIVEL_CLOSED) {
        return SWIVEL_ESHUTDOWN;
    }
    int status = swivel__inbox_extend(&inbox, number) ? SWIVEL_OK : -12;
    SWIVEL_STORE(&inbox.tail, number + 1, seq_cst);
    uint64_t place = (number >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    swivel_segment *segment = SWIVEL_LOAD(&inbox.directory[place], acquire);
    swivel_slot *slot = &segment->slots[number & (SWIVEL_SEGMENT_ENTRIES - 1)];
    uint64_t memory = slot->second;
    slot->second = entry.second;
    SWIVEL_STORE(&slot->first, entry.first, seq_cst);
    if (memory != 0) {
        inbox.free_deferred((uintptr_t)memory);
    }
    (void)waiting;
    return status;
#else
    return swivel__inbox_push(&inbox, entry, &waiting);
#endif
}

static void produce(int producer)
{
    for (int entry = 0; entry < ENTRIES; entry++) {
        swivel_entry pushed = {(uint64_t)producer + 1, (uint64_t)(8 * producer + entry + 1)};
        int status = push(pushed);
        EXPLORER_CHECK(status == SWIVEL_OK || status == SWIVEL_ESHUTDOWN);
        accepted[producer] += status == SWIVEL_OK;
        refused[producer] += status == SWIVEL_ESHUTDOWN;
    }
}

static bool take(void)
{
    swivel_entry entry;
    if (!swivel__inbox_take(&inbox, &entry)) {
        return false;
    }
    int producer = (int)entry.first - 1;
    EXPLORER_CHECK(producer >= 0 && producer < PRODUCERS);
    // In order, and each once.
    EXPLORER_CHECK((int)entry.second == 8 * producer + consumed[producer] + 1);
    consumed[producer] += 1;
    if (consumed[producer] != 2) {
        left[entry.second] = true;
        if (!swivel__inbox_defer_free(&inbox, inbox.cursor - 1, entry.second)) {
            free_deferred((uintptr_t)entry.second);
        }
    }
    return true;
}

SWIVEL_NO_TSAN static bool has_entry(void *unused)
{
    (void)unused;
    // Looked at without a point: the model's way of sleeping until there is something.
    uint64_t place = (inbox.cursor >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    swivel_segment *segment = SWIVEL_SETTING(&inbox.directory[place]);
    return segment != NULL &&
           SWIVEL_SETTING(&segment->slots[inbox.cursor & (SWIVEL_SEGMENT_ENTRIES - 1)].first) != 0;
}

static void reset(void)
{
    if (inbox.directory == NULL) {
        swivel__inbox_init(&inbox);
        inbox.free_deferred = free_deferred;
    }
    // Numbers begin where the directory is about to come round to its first slot.
    SWIVEL_STORE(&inbox.tail, SWIVEL_CLOSED | (SWIVEL_DIRECTORY_SLOTS - 3) << SWIVEL_SEGMENT_SHIFT,
                 relaxed);
    swivel__inbox_open(&inbox);
    memset(accepted, 0, sizeof accepted);
    memset(refused, 0, sizeof refused);
    memset(consumed, 0, sizeof consumed);
    memset(left, 0, sizeof left);
    memset(freed, 0, sizeof freed);
    closed = false;
}

static void check(void)
{
    swivel__inbox_close(&inbox);
    while (take()) {
    }
    EXPLORER_CHECK(swivel__inbox_is_empty(&inbox));
    for (int producer = 0; producer < PRODUCERS; producer++) {
        EXPLORER_CHECK(accepted[producer] + refused[producer] == ENTRIES);
        EXPLORER_CHECK(consumed[producer] == accepted[producer]);
    }
    swivel__inbox_reset(&inbox);
    // A late producer may have left an empty segment in the directory, for when the numbers come
    // round. It has to be empty, and none may be lost elsewhere.
    for (uint64_t slot = 0; slot < SWIVEL_DIRECTORY_SLOTS; slot++) {
        swivel_segment *segment = atomic_exchange(&inbox.directory[slot], NULL);
        if (segment != NULL) {
            EXPLORER_CHECK(atomic_load(&segment->slots[0].first) == 0);
            EXPLORER_CHECK(atomic_load(&segment->slots[1].first) == 0);
            for (int i = 0; i < 2; i++) { // They wait there, too.
                if (segment->slots[i].second != 0) {
                    free_deferred((uintptr_t)segment->slots[i].second);
                }
            }
            swivel__pages_unmap(segment, sizeof *segment);
        }
    }
    EXPLORER_CHECK(pages_live() == 0);
    EXPLORER_CHECK(memcmp(left, freed, sizeof left) == 0);
}

static void deliver(int thread)
{
    if (thread < PRODUCERS) {
        produce(thread);
        return;
    }
    int left = PRODUCERS * ENTRIES;
    while (left > 0) {
        explorer_wait(has_entry, NULL);
        swivel__inbox_begin_drain(&inbox);
        while (take()) {
            left -= 1;
        }
        swivel__inbox_publish_head(&inbox);
    }
}

/// The consumer closes at some moment, then takes what was accepted, as a loop does that ends.
static void close_and_consume(int thread)
{
    if (thread < PRODUCERS) {
        produce(thread);
        return;
    }
    take();
    EXPLORER_CHECK(swivel__inbox_close(&inbox));
#if SWIVEL_MODEL_BUG == 2
    while (take()) {
    }
    closed = true;
#else
    while (!swivel__inbox_is_empty(&inbox)) {
        if (!take()) {
            explorer_wait(has_entry, NULL);
        }
    }
#endif
    int all = 0;
    for (int producer = 0; producer < PRODUCERS; producer++) {
        all += consumed[producer];
    }
    // From here on nothing may arrive.
    explorer_point();
    EXPLORER_CHECK((SWIVEL_LOAD(&inbox.tail, relaxed) & ~SWIVEL_CLOSED) == inbox.cursor);
    EXPLORER_CHECK(all <= PRODUCERS * ENTRIES);
}

int main(void)
{
    static const explorer_model models[] = {
        {"inbox: order and segments", PRODUCERS + 1, reset, deliver, NULL, check, 3},
        {"inbox: closing among producers", PRODUCERS + 1, reset, close_and_consume, NULL, check, 3},
    };
    EXPLORER_RUN(models);
    return 0;
}
