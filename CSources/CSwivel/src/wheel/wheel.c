// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/wheel/wheel.h"

#include <string.h>

/// Timers that are compared, or moved on, to find the exact next deadline.
#define SWIVEL_EXACT_LOOKS 32
/// A closure's context is fetched this many timers before it runs, its node twice as many.
#define SWIVEL_FETCHED_AHEAD 4
/// Nodes between one that leaves its slot and those that are fetched in between.
#define SWIVEL_NODES_AHEAD 8

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
    wheel->staged_count = wheel->emptied = 0;
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
    if (head != SWIVEL_NIL) {
        swivel__slab_node(&wheel->slab, head)->prev = index;
    } else {
        wheel->occupied[place / SWIVEL_SLOTS] |= UINT64_C(1) << (place % SWIVEL_SLOTS);
    }
    if (head == SWIVEL_NIL || node->fire_at_ns < wheel->earliest_ns[place]) {
        wheel->earliest_ns[place] = node->fire_at_ns;
    }
    wheel->slots[place] = index;
}

/// Puts the node among those of the current slot.
static void file_due(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    if (SWIVEL_UNLIKELY(wheel->is_short ||
                        !swivel__due_push(&wheel->due, &wheel->slab, index, node))) {
        // The slot that is being emptied takes it, or the slot of `tick`, which is empty.
        uint32_t current = (uint32_t)wheel->tick & (SWIVEL_SLOTS - 1);
        wheel->emptied = wheel->emptied != 0 ? wheel->emptied : current + 1;
        wheel->is_short = true;
        link_node(wheel, wheel->emptied - 1, index, node);
    }
}

/// Puts the node where its `fire_at_ns` belongs.
static void file(swivel_wheel *wheel, uint32_t index, swivel_node *node)
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
            file(wheel, index, node);
        }
    }
    wheel->staged_count = 0;
}

/// Fetches nodes near one that leaves its slot: they mostly belong to the next timers of the slot.
static void fetch_near(const swivel_node *node, bool downwards)
{
    uintptr_t step = downwards ? -sizeof *node : sizeof *node;
    uintptr_t near = (uintptr_t)node + SWIVEL_NODES_AHEAD * step;
    __builtin_prefetch((void *)near, 1);
    __builtin_prefetch((void *)(near + step), 1);
}

/// Moves the timers of the slot that is being emptied on. False: there are more.
static bool empty_slot(swivel_wheel *wheel, uint32_t *work)
{
    if (SWIVEL_UNLIKELY(wheel->is_short && swivel__due_first(&wheel->due) != NULL)) {
        return false; // Not one timer at a time: the queue would be sorted for each.
    }
    uint32_t place = wheel->emptied - 1, index = wheel->slots[place];
    for (; index != SWIVEL_NIL && *work > 0; *work -= 1) {
        swivel_node *node = swivel__slab_node(&wheel->slab, index);
        uint32_t next = node->next;
        fetch_near(node, next < index);
        if ((node->fire_at_ns >> SWIVEL_SLOT_SHIFT) > wheel->tick) {
            file(wheel, index, node);
        } else {
            wheel->is_short = !swivel__due_append(&wheel->due, index, node);
            if (wheel->is_short) {
                break; // It stays, and those behind it.
            }
        }
        index = next;
    }
    wheel->slots[place] = index;
    if (index != SWIVEL_NIL) {
        swivel__slab_node(&wheel->slab, index)->prev = SWIVEL_NIL;
        return false;
    }
    wheel->occupied[place / SWIVEL_SLOTS] &= ~(UINT64_C(1) << (place % SWIVEL_SLOTS));
    wheel->emptied = 0;
    wheel->is_short = false;
    return true;
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

/// The last tick of a slot that begins at `start`. One of the second level that is over, because
/// the loop was busy, is not split into slots of the first.
static uint64_t last_tick(uint32_t place, uint64_t start, uint64_t target)
{
    uint64_t last = start | (SWIVEL_SLOTS - 1);
    return place / SWIVEL_SLOTS == 1 && last <= target ? last : start;
}

bool swivel__wheel_advance(swivel_wheel *wheel, uint64_t now_ns, uint32_t *work)
{
    uint64_t target = now_ns >> SWIVEL_SLOT_SHIFT;
    uint32_t place;
    uint64_t start;
    if (wheel->staged_count != 0) {
        swivel__wheel_flush(wheel);
    }
    for (;;) {
        bool is_emptied = wheel->emptied == 0 || empty_slot(wheel, work);
        if ((!is_emptied && !wheel->is_short) ||
            !swivel__due_restore(&wheel->due, &wheel->slab, work)) {
            return false;
        }
        if (swivel__due_first(&wheel->due) != NULL || (is_emptied && wheel->tick >= target)) {
            return true;
        }
        if (!is_emptied || *work == 0) {
            return false;
        }
        bool holds = first_slot(wheel, &place, &start) && start <= target;
        wheel->tick = holds ? last_tick(place, start, target) : target;
        wheel->emptied = holds ? place + 1 : 0;
    }
}

/// Fetches the nodes of timers that fire soon, and what their closures have captured.
static void fetch_ahead(const swivel_wheel *wheel)
{
    const swivel_due_array *sorted = &wheel->due.sorted;
    uint32_t soon = wheel->due.first + SWIVEL_FETCHED_AHEAD, later = soon + SWIVEL_FETCHED_AHEAD;
    if (later < sorted->count) {
        __builtin_prefetch(swivel__slab_node(&wheel->slab, sorted->entries[later].index), 1);
    }
    if (soon < sorted->count && swivel__due_is_live(&wheel->slab, &sorted->entries[soon])) {
        const swivel_node *node = swivel__slab_node(&wheel->slab, sorted->entries[soon].index);
        __builtin_prefetch((void *)node->work.context, 1);
    }
}

swivel_due swivel__wheel_next_due(swivel_wheel *wheel, uint64_t now_ns, uint32_t *index)
{
    uint32_t work = wheel->step;
    if (SWIVEL_UNLIKELY(!swivel__wheel_advance(wheel, now_ns, &work))) {
        return SWIVEL_DUE_LATER;
    }
    const swivel_due_entry *first = swivel__due_first(&wheel->due);
    if (first == NULL || first->deadline_ns > now_ns) {
        return SWIVEL_DUE_NONE;
    }
    *index = swivel__due_pop(&wheel->due, &wheel->slab);
    fetch_ahead(wheel);
    swivel__slab_node(&wheel->slab, *index)->place = SWIVEL_PLACE_NONE;
    return SWIVEL_DUE_TIMER;
}

bool swivel__wheel_has_before(const swivel_wheel *wheel, uint64_t deadline_ns, uint64_t sequence)
{
    const swivel_due_entry *first = swivel__due_first(&wheel->due);
    const swivel_due_entry other = {deadline_ns, sequence, 0, 0};
    return first != NULL && swivel__due_is_before(first, &other);
}

/// Finds the earliest deadline of a slot, and moves timers whose deadline is behind it by now, up
/// to `*left` timers of all slots. Returns the timer at which it ended, or nil.
static uint32_t look_through(swivel_wheel *wheel, uint32_t place, uint64_t start, uint32_t *left,
                             uint64_t *earliest)
{
    uint32_t shift = place / SWIVEL_SLOTS * 6, index = wheel->slots[place];
    for (; index != SWIVEL_NIL && *left > 0; *left -= 1) {
        swivel_node *node = swivel__slab_node(&wheel->slab, index);
        uint32_t next = node->next;
        if ((node->fire_at_ns >> SWIVEL_SLOT_SHIFT >> shift) > (start >> shift)) {
            swivel__wheel_unfile(wheel, node);
            file(wheel, index, node);
        } else if (*earliest > node->fire_at_ns) {
            *earliest = node->fire_at_ns;
        }
        index = next;
    }
    return index;
}

uint64_t swivel__wheel_next_deadline(swivel_wheel *wheel)
{
    uint32_t place, work = wheel->step;
    uint64_t start;
    if (wheel->staged_count != 0) {
        swivel__wheel_flush(wheel);
    }
    if (wheel->emptied != 0 || !swivel__due_restore(&wheel->due, &wheel->slab, &work)) {
        return 0;
    }
    const swivel_due_entry *first = swivel__due_first(&wheel->due);
    if (first != NULL) {
        return first->deadline_ns;
    }
    uint32_t left = SWIVEL_EXACT_LOOKS;
    while (first_slot(wheel, &place, &start)) {
        uint64_t earliest = SWIVEL_NEVER_NS;
        if (look_through(wheel, place, start, &left, &earliest) != SWIVEL_NIL) {
            uint64_t begins = start << SWIVEL_SLOT_SHIFT;
            return begins > wheel->earliest_ns[place] ? begins : wheel->earliest_ns[place];
        }
        if (earliest != SWIVEL_NEVER_NS || wheel->slots[place] != SWIVEL_NIL) {
            return earliest;
        }
    }
    return SWIVEL_NEVER_NS;
}
