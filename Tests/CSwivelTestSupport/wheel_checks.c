// SPDX-License-Identifier: Apache-2.0
#include "wheel_checks.h"

/// Whether the slot comes up by the node's tick.
static bool belongs(const swivel_wheel *wheel, uint32_t place, uint64_t tick)
{
    uint32_t shift = place / SWIVEL_SLOTS * 6;
    uint64_t start =
        (wheel->tick >> (shift + 6) << (shift + 6)) | ((uint64_t)(place % SWIVEL_SLOTS) << shift);
    if (place + 1 == wheel->current) {
        // Without memory it takes timers that have passed.
        return start == wheel->tick || (start | (SWIVEL_SLOTS - 1)) == wheel->tick;
    }
    // A node may have moved to a later deadline, never to one before the slot.
    return start > wheel->tick && tick >= start;
}

static bool comes_before(const swivel_node *one, const swivel_node *other)
{
    return swivel__fires_before(one->fire_at_ns, one->sequence, other->fire_at_ns,
                                other->sequence);
}

static const char *check_slot(const swivel_wheel *wheel, uint32_t place, uint64_t *filed)
{
    uint32_t index = wheel->slots[place], before = SWIVEL_NIL;
    bool is_ordered = wheel->ordered[place / SWIVEL_SLOTS] >> (place % SWIVEL_SLOTS) & 1;
    bool marked = wheel->occupied[place / SWIVEL_SLOTS] >> (place % SWIVEL_SLOTS) & 1;
    if (marked != (index != SWIVEL_NIL)) {
        return "an occupancy bit disagrees with its slot";
    }
    for (const swivel_node *node; index != SWIVEL_NIL; before = index, index = node->next) {
        node = swivel__slab_node(&wheel->slab, index);
        if (node->place != place || node->prev != before) {
            return "a slot's list is broken";
        }
        if (!belongs(wheel, place, node->fire_at_ns >> SWIVEL_SLOT_SHIFT)) {
            return "a node lies in a slot that passes after its deadline";
        }
        if (node->fire_at_ns < wheel->earliest_ns[place]) {
            return "a node fires before its slot's earliest instant";
        }
        if (is_ordered && before != SWIVEL_NIL &&
            !comes_before(node, swivel__slab_node(&wheel->slab, before))) {
            return "a slot is out of order, and not marked so";
        }
        *filed += 1;
    }
    if (marked && wheel->tails[place] != before) {
        return "a slot's list ends elsewhere";
    }
    return NULL;
}

static bool agrees(const swivel_node *node, const swivel_due_entry *entry)
{
    return node->fire_at_ns == entry->deadline_ns && node->sequence == entry->sequence;
}

/// Nodes that never fire have equal keys. They are due at the end of time.
static bool is_in_order(const swivel_due_entry *one, const swivel_due_entry *next)
{
    bool never_fires = next->sequence == SWIVEL_NEVER_FIRES && one->sequence == SWIVEL_NEVER_FIRES;
    return never_fires || swivel__due_is_before(one, next);
}

static const char *check_due(const swivel_wheel *wheel, uint64_t *filed)
{
    const swivel_due_queue *due = &wheel->due;
    const swivel_due_entry *sorted = due->sorted.entries, *heap = due->heap.entries;
    for (uint32_t i = due->first; i < due->sorted.count; i++) {
        bool is_live = swivel__due_is_live(&wheel->slab, &sorted[i]);
        if (due->is_sorted && i > due->first && !is_in_order(&sorted[i - 1], &sorted[i])) {
            return "the due queue is out of order";
        }
        if (is_live && !agrees(swivel__slab_node(&wheel->slab, sorted[i].index), &sorted[i])) {
            return "a sorted entry disagrees with its node";
        }
        *filed += is_live;
    }
    for (uint32_t i = 0; i < due->heap.count; i++) {
        const swivel_node *node = swivel__slab_node(&wheel->slab, heap[i].index);
        if (i > 0 && !is_in_order(&heap[(i - 1) / 4], &heap[i])) {
            return "the due queue's heap is out of order";
        }
        if (node->place != SWIVEL_PLACE_HEAP || node->next != i || !agrees(node, &heap[i])) {
            return "an entry of the heap disagrees with its node";
        }
    }
    *filed += due->heap.count;
    return NULL;
}

static bool is_filed(const swivel_node *node)
{
    // Acquire: a node that another thread arms is marked, and the loop must not read it.
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    return swivel__phase(state) != SWIVEL_FREE && !(state & SWIVEL_QUEUED) &&
           node->place != SWIVEL_PLACE_NONE && node->place != SWIVEL_PLACE_POST;
}

/// Counts the nodes whose places say that they are filed.
static uint64_t count_filed(swivel_wheel *wheel, uint64_t *earliest)
{
    uint64_t count = 0;
    uint32_t carved;
    const swivel_node *nodes;
    for (uint32_t number = 0; (nodes = swivel__slab_carved(&wheel->slab, number, &carved)) != NULL;
         number++) {
        for (uint32_t slot = number == 0; slot < carved; slot++) {
            if (is_filed(&nodes[slot])) {
                count += 1;
                *earliest = *earliest < nodes[slot].fire_at_ns ? *earliest : nodes[slot].fire_at_ns;
            }
        }
    }
    return count;
}

const char *swivel_wheel_check(swivel_wheel *wheel)
{
    uint64_t filed = 0, earliest = SWIVEL_NEVER_NS;
    swivel__wheel_flush(wheel);
    const char *broken = check_due(wheel, &filed);
    for (uint32_t place = 0; broken == NULL && place < SWIVEL_PLACE_SLOTS; place++) {
        broken = check_slot(wheel, place, &filed);
    }
    if (broken == NULL && count_filed(wheel, &earliest) != filed) {
        broken = "a node's place names a slot or heap that does not hold it";
    }
    if (broken == NULL && swivel__wheel_next_deadline(wheel) > earliest) {
        broken = "the wheel would sleep past a deadline";
    }
    return broken;
}
