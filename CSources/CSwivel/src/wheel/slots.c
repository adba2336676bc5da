// SPDX-License-Identifier: Apache-2.0
// The slots: filing a timer, and finding the first slot that holds any.
#include "../../include/internal/wheel/wheel.h"

#include <string.h>

uint64_t swivel__coarse_deadline(uint64_t deadline_ns, uint64_t leeway_ns)
{
    uint64_t last = SWIVEL_NEVER_NS - 1;
    uint64_t latest = leeway_ns < last - deadline_ns ? deadline_ns + leeway_ns : last;
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

void swivel__wheel_init(swivel_wheel *wheel, uint64_t now_ns)
{
    swivel__slab_open(&wheel->slab);
    wheel->tick = now_ns >> SWIVEL_SLOT_SHIFT;
    wheel->step = SWIVEL_WHEEL_STEP;
    wheel->due.most = UINT32_MAX;
}

void swivel__wheel_forget(swivel_wheel *wheel)
{
    memset(wheel->occupied, 0, sizeof wheel->occupied);
    memset(wheel->slots, 0, sizeof wheel->slots);
    wheel->staged_count = wheel->current = 0;
    wheel->is_short = false;
    wheel->due.first = wheel->due.sorted.count = wheel->due.heap.count = 0;
}

/// Puts the node into a slot.
static void link_node(swivel_wheel *wheel, uint32_t place, uint32_t index, swivel_node *node)
{
    uint32_t head = wheel->slots[place];
    node->place = place;
    node->prev = SWIVEL_NIL;
    node->next = head;
    wheel->slots[place] = index;
    if (head == SWIVEL_NIL) {
        uint64_t bit = UINT64_C(1) << (place % SWIVEL_SLOTS);
        wheel->occupied[place / SWIVEL_SLOTS] |= bit;
        wheel->ordered[place / SWIVEL_SLOTS] |= bit;
        wheel->earliest_ns[place] = node->fire_at_ns;
        wheel->tails[place] = index;
        return;
    }
    swivel_node *last = swivel__slab_node(&wheel->slab, head);
    last->prev = index;
    if (!swivel__fires_before(last->fire_at_ns, last->sequence, node->fire_at_ns,
                              node->sequence)) {
        swivel__wheel_disorder(wheel, place);
    }
    if (node->fire_at_ns < wheel->earliest_ns[place]) {
        wheel->earliest_ns[place] = node->fire_at_ns;
    }
}

/// Puts the node among those of the current slot.
static void file_due(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    if (SWIVEL_UNLIKELY(wheel->is_short ||
                        !swivel__due_push(&wheel->due, &wheel->slab, index, node))) {
        // The current slot takes it, or else the slot of `tick`, which is empty.
        uint32_t slot = (uint32_t)wheel->tick & (SWIVEL_SLOTS - 1);
        wheel->current = wheel->current != 0 ? wheel->current : slot + 1;
        wheel->is_short = true;
        link_node(wheel, wheel->current - 1, index, node);
    }
}

void swivel__wheel_file(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    uint64_t tick = node->fire_at_ns >> SWIVEL_SLOT_SHIFT;
    if (SWIVEL_UNLIKELY(tick <= wheel->tick)) {
        file_due(wheel, index, node);
        return;
    }
    uint32_t bit = 63 - (uint32_t)__builtin_clzll(tick ^ wheel->tick);
    uint32_t level = (bit * 43) >> 8; // bit / 6, for bit < 64
    uint32_t slot = (uint32_t)(tick >> (level * 6)) & (SWIVEL_SLOTS - 1);
    link_node(wheel, level * SWIVEL_SLOTS + slot, index, node);
}

void swivel__wheel_flush(swivel_wheel *wheel)
{
    for (uint32_t i = 0; i < wheel->staged_count; i++) {
        uint32_t index = wheel->staged[i];
        if (index == SWIVEL_NIL) {
            continue;
        }
        swivel_node *node = swivel__slab_node(&wheel->slab, index);
        if (node->sequence == SWIVEL_NEVER_FIRES) {
            node->place = SWIVEL_PLACE_NONE;
        } else {
            swivel__wheel_file(wheel, index, node);
        }
    }
    wheel->staged_count = 0;
}

bool swivel__wheel_first_slot(const swivel_wheel *wheel, uint32_t *place, uint64_t *start)
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
