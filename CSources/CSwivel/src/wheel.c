// SPDX-License-Identifier: Apache-2.0
#include "../include/internal/wheel.h"

#include <string.h>

/// Timers of one slot that are looked at one by one to find the exact next deadline. More share the
/// cost of one extra wake-up, if the slot's first timer was cancelled.
#define SWIVEL_EXACT_LOOKS 16

/// Entries in the near heap that may be dead before a sweep is worth its while.
#define SWIVEL_DEAD_MIN 64

uint64_t swivel__coarse_deadline(uint64_t deadline_ns, uint64_t leeway_ns)
{
    uint64_t latest;
    if (__builtin_add_overflow(deadline_ns, leeway_ns, &latest) || latest == SWIVEL_NEVER_NS) {
        latest = SWIVEL_NEVER_NS - 1;
    }
    if (deadline_ns >= latest) {
        return deadline_ns;
    }
    uint64_t window = latest - deadline_ns, step = 1;
    while (step <= window / 10) {
        step *= 10;
    }
    step *= window / step >= 5 ? 5 : window / step >= 2 ? 2 : 1;
    return latest - latest % step;
}

int swivel__wheel_init(swivel_wheel *wheel, uint64_t now_ns)
{
    int status = swivel__slab_init(&wheel->slab);
    if (status < 0) {
        return status;
    }
    swivel__slab_open(&wheel->slab);
    wheel->tick = now_ns >> SWIVEL_SLOT_SHIFT;
    return SWIVEL_OK;
}

void swivel__wheel_reset(swivel_wheel *wheel)
{
    memset(wheel->occupied, 0, sizeof wheel->occupied);
    memset(wheel->slots, 0, sizeof wheel->slots);
    swivel__heap_free(&wheel->near);
    swivel__slab_reset(&wheel->slab);
}

/// Files a node one slot ahead of its time, under its true deadline.
static void put_off(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    uint64_t fire_at = node->fire_at_ns;
    node->fire_at_ns = (wheel->tick + 1) << SWIVEL_SLOT_SHIFT;
    swivel__wheel_place(wheel, index, node);
    node->fire_at_ns = fire_at;
}

/// Adds a node to the near heap, in no order yet.
static void near_append(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    swivel_heap *near = &wheel->near;
    if (SWIVEL_UNLIKELY(!swivel__heap_reserve(near, near->count + 1))) {
        put_off(wheel, index, node);
        return;
    }
    node->place = SWIVEL_PLACE_NEAR;
    node->next = swivel__heap_append(near, node->fire_at_ns, node->sequence, index);
}

void swivel__wheel_file_near(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    swivel_heap *near = &wheel->near;
    if (SWIVEL_UNLIKELY(near->dead > SWIVEL_DEAD_MIN && near->dead > near->count / 2)) {
        swivel__heap_sweep(near);
    }
    uint32_t ordered = near->count;
    near_append(wheel, index, node);
    swivel__heap_order(near, ordered);
}

/// Moves a slot's timers into the near heap, or to lower levels.
static void empty_slot(swivel_wheel *wheel, uint32_t place)
{
    uint32_t index = wheel->slots[place];
    wheel->slots[place] = SWIVEL_NIL;
    wheel->occupied[place / SWIVEL_SLOTS] &= ~(UINT64_C(1) << (place % SWIVEL_SLOTS));
    swivel_heap *near = &wheel->near;
    uint32_t ordered = near->count;
    while (index != SWIVEL_NIL) {
        swivel_node *node = swivel__slab_node(&wheel->slab, index);
        uint32_t next = node->next;
        if ((node->fire_at_ns >> SWIVEL_SLOT_SHIFT) > wheel->tick) {
            swivel__wheel_place(wheel, index, node);
        } else {
            near_append(wheel, index, node);
        }
        index = next;
    }
    swivel__heap_order(near, ordered);
}

/// The first slot that holds timers. False: none does. `*start` is the slot's first tick.
static bool first_slot(const swivel_wheel *wheel, uint32_t *place, uint64_t *start)
{
    for (uint32_t level = 0; level < SWIVEL_LEVELS; level++) {
        uint64_t occupied = wheel->occupied[level];
        if (occupied != 0) {
            uint32_t slot = (uint32_t)__builtin_ctzll(occupied);
            uint32_t shift = level * 6;
            *place = level * SWIVEL_SLOTS + slot;
            *start = (wheel->tick >> (shift + 6) << (shift + 6)) | ((uint64_t)slot << shift);
            return true;
        }
    }
    return false;
}

void swivel__wheel_advance(swivel_wheel *wheel, uint64_t now_ns)
{
    uint64_t target = now_ns >> SWIVEL_SLOT_SHIFT;
    uint32_t place;
    uint64_t start;
    while (wheel->tick < target && !swivel__heap_settle(&wheel->near)) {
        bool holds = first_slot(wheel, &place, &start) && start <= target;
        wheel->tick = holds ? start : target;
        if (holds) {
            empty_slot(wheel, place);
        }
    }
}

uint32_t swivel__wheel_next_due(swivel_wheel *wheel, uint64_t now_ns)
{
    swivel_heap *near = &wheel->near;
    swivel__wheel_advance(wheel, now_ns);
    if (!swivel__heap_settle(near) || near->entries[0].deadline_ns > now_ns) {
        return SWIVEL_NIL;
    }
    uint32_t index = swivel__heap_pop(near);
    swivel__slab_node(&wheel->slab, index)->place = SWIVEL_PLACE_NONE;
    return index;
}

uint64_t swivel__wheel_next_deadline(swivel_wheel *wheel)
{
    if (swivel__heap_settle(&wheel->near)) {
        return wheel->near.entries[0].deadline_ns;
    }
    uint32_t place;
    uint64_t start;
    int looks = SWIVEL_EXACT_LOOKS;
    while (first_slot(wheel, &place, &start)) {
        uint64_t earliest = SWIVEL_NEVER_NS;
        uint32_t shift = place / SWIVEL_SLOTS * 6;
        uint32_t index = wheel->slots[place];
        while (index != SWIVEL_NIL && looks-- > 0) {
            swivel_node *node = swivel__slab_node(&wheel->slab, index);
            uint32_t next = node->next;
            if ((node->fire_at_ns >> SWIVEL_SLOT_SHIFT >> shift) > (start >> shift)) {
                // Moved to a later deadline since it was filed here.
                swivel__wheel_unfile(wheel, node);
                swivel__wheel_place(wheel, index, node);
            } else if (earliest > node->fire_at_ns) {
                earliest = node->fire_at_ns;
            }
            index = next;
        }
        if (index != SWIVEL_NIL) {
            uint64_t begins = start << SWIVEL_SLOT_SHIFT;
            return begins > wheel->earliest_ns[place] ? begins : wheel->earliest_ns[place];
        }
        if (earliest != SWIVEL_NEVER_NS || wheel->slots[place] != SWIVEL_NIL) {
            return earliest;
        }
    }
    return SWIVEL_NEVER_NS;
}
