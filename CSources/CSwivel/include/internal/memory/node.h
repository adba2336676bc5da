// SPDX-License-Identifier: Apache-2.0
// The record of one timer, as the slab and the wheel use it. timer/state.h has its state machine.
#ifndef SWIVEL_INTERNAL_NODE_H
#define SWIVEL_INTERNAL_NODE_H

#include "../../swivel_config.h"
#include "../../swivel_timer.h"
#include "../thread/atomics.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Index of no node. Node 0 exists and is never handed out.
#define SWIVEL_NIL 0u
/// The sequence of a filed node that never fires: nothing is counted that far.
#define SWIVEL_NEVER_FIRES UINT64_MAX

typedef struct swivel_node {
    uint64_t fire_at_ns; ///< Loop thread after arming. The leeway is already in it.
    uint64_t sequence;   ///< As `fire_at_ns`. Call order; it decides between equal `fire_at_ns`.
    SWIVEL_ATOMIC(uint64_t) state;
    swivel_work work;    ///< Owned by the thread that claimed the node; while armed, by the node.
    uint32_t next, prev; ///< Owner's list: a wheel slot, a free list or a magazine.
    uint32_t place;      ///< Loop thread. Wheel slot, or one of `SWIVEL_PLACE_…`.
    uint32_t extra;      ///< Index of the settings node of a repeat, or nil.
    uint64_t leeway_ns;
} swivel_node;

_Static_assert(sizeof(swivel_node) == 64, "a node is one cache line");

/// Settings of a repeat, in a node of their own. Loop thread only, after arming.
typedef struct swivel_settings {
    uint64_t jitter_ns; ///< Added to the grid's instant this time.
    uint64_t unused;
    uint64_t state;     ///< The node's, and never written: a stale handle may read it.
    swivel_grid grid;   ///< From the next tick on.
} swivel_settings;

_Static_assert(sizeof(swivel_settings) == sizeof(swivel_node) &&
                   offsetof(swivel_settings, state) == offsetof(swivel_node, state),
               "settings lie in a node");

/// A deadline that other threads want for a timer, in pages that are not resident until one does.
typedef struct swivel_move {
    SWIVEL_ATOMIC(uint64_t) wanted_ns; ///< `SWIVEL_NOTHING_NS` once the loop has taken it.
    /// Written by the loop before it sets `SWIVEL_FILED`, and when it takes a wanted deadline: its
    /// instant, or the complement of its number if that is now.
    SWIVEL_ATOMIC(uint64_t) filed_ns;
    // Numbers of calls: they only grow, and are written before the deadline.
    SWIVEL_ATOMIC(uint64_t) order;     ///< The latest move's.
    SWIVEL_ATOMIC(uint64_t) due_order; ///< The latest move to now; a due message carries it.
} swivel_move;

#define SWIVEL_NOTHING_NS UINT64_C(0) ///< No deadline.
#define SWIVEL_DUE_NS UINT64_C(1) ///< Now: the timer fires when its due message is read.

/// Where a node is while no slot holds it.
enum {
    SWIVEL_PLACE_SLOTS = 512, ///< Below: the wheel's slot with this number.
    SWIVEL_PLACE_STAGED = SWIVEL_PLACE_SLOTS, ///< In the staging buffer, at position `next`.
    SWIVEL_PLACE_NONE,   ///< Nowhere: queued as a post, running, or waiting for a message.
    SWIVEL_PLACE_SORTED, ///< In the due queue, among the timers that its slot brought.
    SWIVEL_PLACE_HEAP,   ///< In the due queue's heap, at position `next`.
    SWIVEL_PLACE_POST,   ///< Due now: it fires with the due message that has its sequence number.
};

/// The low half of a node's state: its phase, flags and two counts.
enum {
    SWIVEL_PHASE = 0xF,
    SWIVEL_FREE = 0,
    SWIVEL_ARMED = 1,
    SWIVEL_BUSY = 3,    ///< The closure runs.
    SWIVEL_OVER = 4,    ///< Cancelled elsewhere: only the loop's reclaim is missing.
    SWIVEL_IDLE = 5,    ///< A reusable timer that is not armed.

    SWIVEL_QUEUED = 0x10, ///< Its arm message has not been drained yet.
    SWIVEL_REPEAT = 0x20,
    SWIVEL_DISPATCHED = 0x40, ///< Keeps the time of a timer whose closure runs on another context.
    SWIVEL_REUSABLE = 0x80,
    SWIVEL_STOP = 0x100,         ///< Cancelled while its closure runs.
    SWIVEL_AGAIN = 0x200,        ///< A reusable timer armed while its closure runs.
    SWIVEL_WATCHED = 0x400,      ///< A thread waits for the closure's end.
    SWIVEL_MOVED = 0x800,        ///< Another thread's deadline, which the loop has not taken.
    SWIVEL_ANNOUNCED = 0x1000,   ///< A message to check the node is on its way.
    SWIVEL_FILED = 0x2000,       ///< The loop checks the node by `filed_ns`, if it is moved.
    SWIVEL_OUTSTANDING = 0x4000, ///< Over, and left to the last of the threads that move it.
    SWIVEL_UNCOUNTED = 0x8000,   ///< A reusable timer whose closure counts its own runs.
    SWIVEL_TIMELESS = 0x10000,   ///< Virtual time does not move to it: it has another clock.

    SWIVEL_REARM = 0x20000,      ///< One thread that is moving it; a count up to bit 24.
    SWIVEL_RESOLUTION = 1 << 25, ///< One resolution during that; a count up to bit 31 that wraps.
};

#define SWIVEL_FLAGS_MASK UINT64_C(0x000187F0)
#define SWIVEL_REARMS_MASK UINT64_C(0x01FE0000)
#define SWIVEL_RESOLUTIONS_MASK UINT64_C(0xFE000000)
#define SWIVEL_GENERATION_SHIFT 32
/// Messages carry a generation in 31 bits. A node that reaches this retires.
#define SWIVEL_GENERATION_MAX 0x7FFFFFFFu

static inline uint32_t swivel__generation(uint64_t state)
{
    return (uint32_t)(state >> SWIVEL_GENERATION_SHIFT);
}

static inline uint32_t swivel__phase(uint64_t state)
{
    return (uint32_t)(state & SWIVEL_PHASE);
}

static inline uint64_t swivel__with_phase(uint64_t state, uint32_t phase)
{
    return (state & ~(uint64_t)SWIVEL_PHASE) | phase;
}

SWIVEL_ASSUME_NONNULL_END

#endif
