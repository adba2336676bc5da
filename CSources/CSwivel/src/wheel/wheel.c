// SPDX-License-Identifier: Apache-2.0
// How timers get from their slots to their turn.
#include "../../include/internal/wheel/wheel.h"

/// Timers that are compared, or moved on, to find the exact next deadline.
#define SWIVEL_EXACT_LOOKS 32

/// Fetches nodes a bit ahead of one that leaves its slot: they mostly belong to its next timers.
static void fetch_near(const swivel_node *node, bool downwards)
{
    uintptr_t step = downwards ? -sizeof *node : sizeof *node;
    uintptr_t near = (uintptr_t)node + 8 * step;
    __builtin_prefetch((void *)near, 1);
    __builtin_prefetch((void *)(near + step), 1);
}

/// Whether the timer fires after the wheel's tick.
static bool is_later(const swivel_wheel *wheel, uint32_t index)
{
    return swivel__slab_node(&wheel->slab, index)->fire_at_ns >> SWIVEL_SLOT_SHIFT > wheel->tick;
}

/// Moves the timers of the current slot on. False: there are more.
static bool empty_slot(swivel_wheel *wheel, uint32_t *work)
{
    if (SWIVEL_UNLIKELY(wheel->is_short && swivel__due_first(&wheel->due) != NULL)) {
        return false; // Not one timer at a time: the queue would be sorted for each.
    }
    uint32_t place = wheel->current - 1, index = wheel->tails[place];
    for (; index != SWIVEL_NIL && *work > 0; *work -= 1) {
        swivel_node *node = swivel__slab_node(&wheel->slab, index);
        uint32_t next = node->prev;
        fetch_near(node, next < index);
        if (is_later(wheel, index)) {
            swivel__wheel_file(wheel, index, node);
        } else {
            wheel->is_short = !swivel__due_append(&wheel->due, index, node);
            if (wheel->is_short) {
                break; // It stays, and those behind it.
            }
        }
        index = next;
    }
    wheel->tails[place] = index;
    if (index != SWIVEL_NIL) {
        swivel__slab_node(&wheel->slab, index)->next = SWIVEL_NIL;
        return false;
    }
    wheel->slots[place] = SWIVEL_NIL;
    wheel->occupied[place / SWIVEL_SLOTS] &= ~(UINT64_C(1) << (place % SWIVEL_SLOTS));
    wheel->current = 0;
    wheel->is_short = false;
    return true;
}

/// The last tick of a slot that begins at `start`. One of the second level that is over, because
/// the loop was busy, is not split into slots of the first.
static uint64_t last_tick(uint32_t place, uint64_t start, uint64_t target)
{
    uint64_t last = start | (SWIVEL_SLOTS - 1);
    return place / SWIVEL_SLOTS == 1 && last <= target ? last : start;
}

/// Whether the timers of the current slot fire from where they lie. They may all have left.
static bool is_in_place(const swivel_wheel *wheel)
{
    uint32_t place = wheel->current - 1;
    return wheel->current != 0 &&
           (wheel->ordered[place / SWIVEL_SLOTS] >> (place % SWIVEL_SLOTS) & 1) != 0;
}

/// The timer that fires first, of an advanced wheel: an entry of no node if there is none.
static swivel_due_entry first_due(const swivel_wheel *wheel)
{
    const swivel_due_entry none = {SWIVEL_NEVER_NS, SWIVEL_NEVER_FIRES, SWIVEL_NIL, 0};
    const swivel_due_entry *queued = swivel__due_first(&wheel->due);
    swivel_due_entry first = queued == NULL ? none : *queued;
    uint32_t index = is_in_place(wheel) ? wheel->tails[wheel->current - 1] : SWIVEL_NIL;
    if (index != SWIVEL_NIL) {
        const swivel_node *node = swivel__slab_node(&wheel->slab, index);
        const swivel_due_entry lying = {node->fire_at_ns, node->sequence, index, 0};
        first = swivel__due_is_before(&lying, &first) ? lying : first;
    }
    return first;
}

bool swivel__wheel_advance(swivel_wheel *wheel, uint64_t now_ns, uint32_t *work)
{
    uint64_t target = now_ns >> SWIVEL_SLOT_SHIFT, start;
    uint32_t place;
    if (wheel->staged_count != 0) {
        swivel__wheel_flush(wheel);
    }
    for (;;) {
        if (is_in_place(wheel)) {
            if (wheel->slots[wheel->current - 1] != SWIVEL_NIL) {
                return swivel__due_restore(&wheel->due, &wheel->slab, work);
            }
            wheel->current = 0;
            wheel->is_short = false;
        }
        bool is_emptied = wheel->current == 0 || empty_slot(wheel, work);
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
        bool holds = swivel__wheel_first_slot(wheel, &place, &start) && start <= target;
        wheel->tick = holds ? last_tick(place, start, target) : target;
        wheel->current = holds ? place + 1 : 0;
        if (holds && is_later(wheel, wheel->slots[place])) {
            swivel__wheel_disorder(wheel, place); // It is split into slots of lower levels.
        }
    }
}

swivel_due swivel__wheel_next_due(swivel_wheel *wheel, uint64_t now_ns, uint32_t *index)
{
    uint32_t work = wheel->step;
    if (SWIVEL_UNLIKELY(!swivel__wheel_advance(wheel, now_ns, &work))) {
        return SWIVEL_DUE_LATER;
    }
    swivel_due_entry first = first_due(wheel);
    if (first.index == SWIVEL_NIL || first.deadline_ns > now_ns) {
        return SWIVEL_DUE_NONE;
    }
    *index = first.index;
    swivel_node *node = swivel__slab_node(&wheel->slab, first.index);
    if (node->place < SWIVEL_PLACE_SLOTS) {
        fetch_near(node, node->prev < first.index);
        swivel__wheel_unfile(wheel, node);
    } else {
        swivel__due_pop(&wheel->due, &wheel->slab);
        node->place = SWIVEL_PLACE_NONE;
    }
    return SWIVEL_DUE_TIMER;
}

bool swivel__wheel_has_before(const swivel_wheel *wheel, uint64_t deadline_ns, uint64_t sequence)
{
    swivel_due_entry first = first_due(wheel);
    return swivel__fires_before(first.deadline_ns, first.sequence, deadline_ns, sequence);
}

/// Finds the earliest deadline of a slot, and moves timers whose deadline is behind it by now, up
/// to `*left` timers of all slots. Returns the timer at which it ended, or nil.
static uint32_t look_through(swivel_wheel *wheel, uint32_t place, uint64_t start, uint32_t *left,
                             uint64_t *earliest)
{
    uint32_t shift = place / SWIVEL_SLOTS * 6, index = wheel->tails[place];
    for (; index != SWIVEL_NIL && *left > 0; *left -= 1) {
        swivel_node *node = swivel__slab_node(&wheel->slab, index);
        uint32_t next = node->prev;
        if ((node->fire_at_ns >> SWIVEL_SLOT_SHIFT >> shift) > (start >> shift)) {
            swivel__wheel_unfile(wheel, node);
            swivel__wheel_file(wheel, index, node);
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
    if ((wheel->current != 0 && !is_in_place(wheel)) ||
        !swivel__due_restore(&wheel->due, &wheel->slab, &work)) {
        return 0;
    }
    swivel_due_entry first = first_due(wheel);
    if (first.index != SWIVEL_NIL) {
        return first.deadline_ns;
    }
    uint32_t left = SWIVEL_EXACT_LOOKS;
    while (swivel__wheel_first_slot(wheel, &place, &start)) {
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
