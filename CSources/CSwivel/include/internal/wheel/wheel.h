// SPDX-License-Identifier: Apache-2.0
// A hierarchical timing wheel, and the due queue for the current slot: O(1) arm and cancel, exact
// order at the end. After G. Varghese and A. Lauck, "Hashed and Hierarchical Timing Wheels", SOSP
// 1987; see docs/design/wheel.md. Time is an argument. A slot whose timers lie in order, as those
// of a constant delay do, is fired as it is. Any other is emptied in bounded steps: none of its
// timers fires before the last has left it, but they can be armed, moved and cancelled.
#ifndef SWIVEL_INTERNAL_WHEEL_H
#define SWIVEL_INTERNAL_WHEEL_H

#include "due_queue.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Width of a slot: 2^20 ns, 1.05 ms.
#define SWIVEL_SLOT_SHIFT 20
#define SWIVEL_LEVELS 8
#define SWIVEL_SLOTS 64

_Static_assert(SWIVEL_LEVELS *SWIVEL_SLOTS == SWIVEL_PLACE_SLOTS, "places name the slots");

/// Timers that one step moves, sorts or drops, at most: less than 100 µs if each is a cache miss.
#define SWIVEL_WHEEL_STEP 1024

/// Timers in the staging buffer in front of the slots, at most.
#define SWIVEL_STAGED_MAX 64u

/// All timers of one loop. Loop thread only.
typedef struct swivel_wheel {
    /// Every slot up to this tick is empty, but for the current slot.
    uint64_t tick;
    uint64_t sequence;
    uint64_t occupied[SWIVEL_LEVELS];
    /// Of each slot: the timer that was filed last, and the timer that was filed first.
    uint32_t slots[SWIVEL_LEVELS * SWIVEL_SLOTS], tails[SWIVEL_LEVELS * SWIVEL_SLOTS];
    /// Bits of slots whose timers fire in the order of filing. The last word is never read.
    uint64_t ordered[SWIVEL_LEVELS + 1];
    /// No timer of a slot that holds any fires before this. The last one is 0, for staged timers.
    uint64_t earliest_ns[SWIVEL_LEVELS * SWIVEL_SLOTS + 1];
    uint32_t current; ///< 1 + the slot that has come up. It begins at `tick`, or ends with it.
    uint32_t step;    ///< `SWIVEL_WHEEL_STEP`; tests take shorter ones.
    bool is_short;    ///< The due queue was refused memory. Ends when it or the slot is empty.
    uint32_t staged_count;
    uint32_t staged[SWIVEL_STAGED_MAX]; ///< Armed, and in no slot yet; nil: cancelled since.
    swivel_due_queue due;
    swivel_slab slab;
} swivel_wheel;

/// Starts the wheel, whose slab is made, at `now_ns`.
void swivel__wheel_init(swivel_wheel *wheel, uint64_t now_ns);
/// Forgets all timers: at the loop's end, or in a child process that none of them belongs to.
void swivel__wheel_forget(swivel_wheel *wheel);
/// Puts the staged timers into their slots: before those are walked through.
void swivel__wheel_flush(swivel_wheel *wheel);
/// Puts the node where its `fire_at_ns` belongs.
void swivel__wheel_file(swivel_wheel *wheel, uint32_t index, swivel_node *node);
/// The first slot that holds timers. False: none does. `*start` is the slot's first tick.
bool swivel__wheel_first_slot(const swivel_wheel *wheel, uint32_t *place, uint64_t *start);
/// Makes the first slot that is due by `now_ns` the current one, if there is none, and its first
/// timer known: timers of 1.05 ms, or of 67 ms if the loop is that late. False: `*work` is used up
/// before the end. O(1) per timer moved, O(levels) per slot passed that holds timers.
bool swivel__wheel_advance(swivel_wheel *wheel, uint64_t now_ns, uint32_t *work);

typedef enum swivel_due {
    SWIVEL_DUE_NONE,  ///< None is due.
    SWIVEL_DUE_TIMER, ///< This one is.
    SWIVEL_DUE_LATER, ///< A step was made towards it, and there is another one to make.
} swivel_due;

/// Advances by one step, and removes the next timer due by `now_ns`. O(log n) for its slot's n.
swivel_due swivel__wheel_next_due(swivel_wheel *wheel, uint64_t now_ns, uint32_t *index);
/// Whether another timer fires before one with this deadline and sequence number: right after
/// `swivel__wheel_next_due` has removed a timer.
bool swivel__wheel_has_before(const swivel_wheel *wheel, uint64_t deadline_ns, uint64_t sequence);
/// The instant until which the loop may sleep: no deadline is earlier. `SWIVEL_NEVER_NS` if nothing
/// will fire; 0 while there are steps to make.
uint64_t swivel__wheel_next_deadline(swivel_wheel *wheel);
/// The latest multiple of a round number of nanoseconds within the leeway (1, 2 or 5 times a power
/// of ten, the largest that the leeway holds): timers with leeway meet there and share a wake-up.
uint64_t swivel__coarse_deadline(uint64_t deadline_ns, uint64_t leeway_ns);

/// The instant at which a timer with this deadline and leeway fires.
static inline uint64_t swivel__aligned_deadline(uint64_t deadline_ns, uint64_t leeway_ns)
{
    bool is_exact = SWIVEL_LIKELY(leeway_ns == 0) || deadline_ns == 0;
    return is_exact ? deadline_ns : swivel__coarse_deadline(deadline_ns, leeway_ns);
}

/// Files the node under its `fire_at_ns` and its sequence number.
static inline void swivel__wheel_stage(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    if (SWIVEL_UNLIKELY(wheel->staged_count == SWIVEL_STAGED_MAX)) {
        swivel__wheel_flush(wheel);
    }
    node->place = SWIVEL_PLACE_STAGED;
    node->next = wheel->staged_count;
    wheel->staged[wheel->staged_count++] = index;
}

/// Takes the node out of its slot, or from wherever it is.
static inline void swivel__wheel_unfile(swivel_wheel *wheel, swivel_node *node)
{
    uint32_t place = node->place;
    if (place == SWIVEL_PLACE_STAGED) {
        wheel->staged[node->next] = SWIVEL_NIL;
        wheel->staged_count -= node->next + 1 == wheel->staged_count;
    } else if (SWIVEL_LIKELY(place < SWIVEL_PLACE_SLOTS)) {
        uint32_t next = node->next, prev = node->prev;
        if (next != SWIVEL_NIL) {
            swivel__slab_node(&wheel->slab, next)->prev = prev;
        } else {
            wheel->tails[place] = prev;
        }
        if (prev != SWIVEL_NIL) {
            swivel__slab_node(&wheel->slab, prev)->next = next;
        } else {
            wheel->slots[place] = next;
            if (next == SWIVEL_NIL) {
                wheel->occupied[place / SWIVEL_SLOTS] &= ~(UINT64_C(1) << (place % SWIVEL_SLOTS));
            }
        }
    } else if (place == SWIVEL_PLACE_HEAP) {
        swivel__due_remove(&wheel->due, &wheel->slab, node);
    }
    node->place = SWIVEL_PLACE_NONE;
}

/// Notes that the nodes of this place do not lie in the order of firing any more.
static inline void swivel__wheel_disorder(swivel_wheel *wheel, uint32_t place)
{
    wheel->ordered[place / SWIVEL_SLOTS] &= ~(UINT64_C(1) << (place % SWIVEL_SLOTS));
}

/// Moves a filed or unfiled node to its new `fire_at_ns` and sequence number. A node in a slot
/// stays there if the slot comes up in time: it is refiled then. A staged node stays too. A node
/// in the current slot leaves it.
static inline void swivel__wheel_refile(swivel_wheel *wheel, uint32_t index, swivel_node *node,
                                        uint64_t fire_at_ns, uint64_t sequence)
{
    uint32_t place = node->place;
    bool stays = place <= SWIVEL_PLACE_STAGED && fire_at_ns >= wheel->earliest_ns[place] &&
                 place + 1 != wheel->current;
    if (stays) {
        swivel__wheel_disorder(wheel, place);
    } else {
        swivel__wheel_unfile(wheel, node);
    }
    node->fire_at_ns = fire_at_ns;
    node->sequence = sequence;
    if (!stays) {
        swivel__wheel_stage(wheel, index, node);
    }
}

/// Gives a filed node a deadline that no clock reaches. It leaves the queue and the current slot.
static inline void swivel__wheel_never_fires(swivel_wheel *wheel, swivel_node *node)
{
    if (SWIVEL_UNLIKELY(node->place > SWIVEL_PLACE_STAGED || node->place + 1 == wheel->current)) {
        swivel__wheel_unfile(wheel, node);
    } else {
        swivel__wheel_disorder(wheel, node->place);
    }
    node->fire_at_ns = SWIVEL_NEVER_NS;
    node->sequence = SWIVEL_NEVER_FIRES;
}

/// Whether the node is filed under a deadline.
static inline bool swivel__wheel_has_deadline(const swivel_node *node)
{
    return node->place != SWIVEL_PLACE_NONE && node->sequence != SWIVEL_NEVER_FIRES;
}

SWIVEL_ASSUME_NONNULL_END

#endif
