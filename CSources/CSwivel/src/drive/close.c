// SPDX-License-Identifier: Apache-2.0
// How a loop ends: every closure it has accepted runs, or is released and counted.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/timer/hot.h"
#include "../../include/internal/park/park.h"
#include "../../include/internal/turn/turn.h"

#include <sched.h>

/// Turns that work at one instant of a manual loop takes before time moves in spite of it, as real
/// time does during that: work that renews itself ends at the limit.
#define SWIVEL_DRAIN_TURNS 10000

/// Calls `visit` for every node that was ever handed out. A visit may run user code, so nothing but
/// the chunk and the slot number is kept across it.
static void for_each_node(swivel_loop *loop,
                          void (*visit)(swivel_loop *loop, uint32_t index, swivel_node *node))
{
    uint32_t carved;
    swivel_node *nodes;
    for (uint32_t number = 0;
         (nodes = swivel__slab_carved(&loop->wheel.slab, number, &carved)) != NULL; number++) {
        for (uint32_t slot = number == 0; slot < carved; slot++) {
            visit(loop, (number << SWIVEL_CHUNK_SHIFT) | slot, &nodes[slot]);
        }
    }
}

/// Makes a timer ready for a drain, in which the wheel names no instant at which nothing runs.
/// Repeats end, and timers that virtual time does not bring. One that was moved elsewhere is filed
/// anew. One whose closure decides what is due does so once more, and keeps no other instants.
static void prepare(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (state & (SWIVEL_REPEAT | SWIVEL_TIMELESS)) {
        swivel__cancel_node(loop, index, node);
    } else if ((state & SWIVEL_UNCOUNTED) && swivel__reusable_is_armed(state)) {
        swivel_timer timer = {loop, index, swivel__generation(state)};
        swivel__reusable_move(timer, loop->turn_ns == 0 ? 1 : loop->turn_ns);
    } else if ((state & (SWIVEL_MOVED | SWIVEL_QUEUED)) == SWIVEL_MOVED) {
        swivel__follow(loop, index, node, 0);
    }
}

/// Frees nodes that others hold: cancelled ones whose reclaim was refused, and those being moved.
static void abandon_node(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (swivel__phase(state) == SWIVEL_FREE || (state & SWIVEL_QUEUED)) {
        return;
    }
    if (!(state & SWIVEL_OUTSTANDING)) {
        swivel__reclaim(loop, index, node);
        state = SWIVEL_LOAD(&node->state, acquire);
    }
    // A remote re-arm that still holds the node must not reach into the record's next life.
    while (state & SWIVEL_REARMS_MASK) {
        sched_yield();
        state = SWIVEL_LOAD(&node->state, acquire);
    }
    if (state & SWIVEL_OUTSTANDING) {
        swivel__slab_free(&loop->wheel.slab, index, node);
    }
}

/// Posts accepted before the drain. They run beyond the limit, which is for new work and timers.
typedef struct accepted {
    uint64_t sent, posted;
} accepted;

static bool has_run(const swivel_loop *loop, accepted accepted)
{
    return loop->inbox.cursor >= accepted.sent && loop->local.head >= accepted.posted;
}

/// Runs a turn. Returns whether there is work for another one at once.
static bool drain_turn(swivel_loop *loop)
{
    bool more = swivel__turn(loop, swivel__exact_now(loop));
    return more || !swivel__inbox_is_empty(&loop->inbox);
}

/// A drain of a manual loop: its time moves from deadline to deadline.
static void drain_in_virtual_time(swivel_loop *loop, accepted accepted)
{
    uint64_t left = SWIVEL_DRAIN_TURNS;
    for (;;) {
        bool more = drain_turn(loop);
        if (SWIVEL_UNLIKELY(loop->dead)) {
            return;
        }
        uint64_t now = swivel__exact_now(loop);
        uint64_t next = swivel__wheel_next_deadline(&loop->wheel);
        bool is_last = next > loop->until_ns || next == SWIVEL_NEVER_NS;
        if (is_last && (!more || now >= loop->until_ns) && has_run(loop, accepted)) {
            return;
        }
        if (swivel__inbox_is_held_up(&loop->inbox)) {
            sched_yield(); // An entry is claimed, and about to be published.
        } else if (next > now && (!more || left-- == 0)) {
            swivel__clock_set(&loop->clock, is_last ? loop->until_ns : next);
            left = SWIVEL_DRAIN_TURNS;
        }
    }
}

/// A drain of a loop with real time.
static void drain_in_real_time(swivel_loop *loop, accepted accepted)
{
    for (;;) {
        bool more = drain_turn(loop);
        if (SWIVEL_UNLIKELY(loop->dead)) {
            return; // A closure has forked, and the poller is the parent's.
        }
        swivel_mono now = swivel__mono_now();
        swivel_mono next = swivel__mono_of(&loop->clock, swivel__wheel_next_deadline(&loop->wheel));
        // A loop that is late has timers that were due by the limit.
        bool is_over = !swivel__mono_is_before(now, loop->until) &&
                       swivel__mono_is_before(loop->until, next);
        if (is_over && has_run(loop, accepted)) {
            return;
        }
        if (!more && !swivel__mono_is_before(next, loop->until)) {
            return;
        }
        swivel__park(loop, !more, swivel__mono_first(next, loop->until));
    }
}

/// Runs accepted posts and timers due by the drain's end, and the work that they schedule.
static void drain(swivel_loop *loop)
{
    loop->draining = true;
    for_each_node(loop, prepare);
    accepted accepted = {swivel__sent(loop), swivel__own_posts(loop)};
    if (swivel__clock_is_manual(&loop->clock)) {
        drain_in_virtual_time(loop, accepted);
    } else {
        drain_in_real_time(loop, accepted);
    }
}

/// Releases a post, runs a job: a task waits in it; adopts a timer so that it is swept.
static void discard(swivel_loop *loop, swivel_entry entry)
{
    if (!(entry.first & SWIVEL_MESSAGE)) {
        swivel_work work = {(uintptr_t)entry.first, (uintptr_t)entry.second};
        loop->report.cancelled_posts += 1;
        loop->hooks.release(&work);
        return;
    }
    swivel_message kind = (swivel_message)(entry.first & 0xF);
    if (kind == SWIVEL_ARM) {
        swivel__adopt_timer(loop, entry);
    } else if (kind != SWIVEL_DUE) {
        swivel__perform(loop, entry, 0);
    }
}

static void discard_all(swivel_loop *loop)
{
    swivel_entry entry;
    while (!swivel__inbox_is_empty(&loop->inbox)) {
        if (swivel__inbox_take(&loop->inbox, &entry)) {
            discard(loop, entry);
        } else {
            // It was claimed before the inbox closed, and its producer is about to publish it.
            sched_yield();
        }
    }
    while (loop->local.head != loop->local.tail) {
        discard(loop, swivel__ring_pop(&loop->local));
    }
}

/// Ends every closure that the loop has accepted and that has not run.
static void empty(swivel_loop *loop)
{
    loop->report.cancelled_watches += swivel__watchers_end(loop);
    if (loop->mode == SWIVEL_DRAIN && !loop->dead) {
        swivel__gate_enter(loop);
        swivel__thread.loops.own = loop;
        drain(loop);
    }
    swivel__thread.loops.own = NULL;
    if (SWIVEL_UNLIKELY(loop->dead)) {
        return;
    }
    // Those that the drain's closures have taken up.
    loop->report.cancelled_watches += swivel__watchers_end(loop);
    discard_all(loop);
    for_each_node(loop, swivel__cancel_node);
    for_each_node(loop, abandon_node);
}

/// Gives the loop's descriptors, pages and segments back.
static void give_back(swivel_loop *loop)
{
    // No thread notifies the loop from here on: `parked` is awake for good, and no claim is left.
    swivel__wake_unpark(&loop->wake);
    while (SWIVEL_LOAD(&loop->wake.notifying, seq_cst) != 0) {
        sched_yield();
    }
    swivel__park_destroy(loop->park);
    loop->park = NULL;
    swivel__wheel_forget(&loop->wheel);
    swivel__due_leave(&loop->wheel.due, &loop->surplus);
    swivel__slab_reset(&loop->wheel.slab);
    swivel__inbox_reset(&loop->inbox);
    swivel__ring_leave(&loop->local, &loop->surplus);
    while (swivel__pages_give(&loop->surplus)) {
    }
}

void swivel__close(swivel_loop *loop)
{
    swivel_thread_loops before = swivel__thread.loops;
    swivel__gate_leave(before.own);
    swivel__clock_enter(loop);
    SWIVEL_STORE(&loop->driver, &swivel__thread, relaxed);
    swivel_mono now = swivel__mono_now();
    swivel__stopwatch_start(&loop->life, now);
    swivel__stopwatch_start(&loop->busy, now);
    SWIVEL_STORE(&loop->awake_ns, now.ns, relaxed);
    // A drain waits in the poller: wakes write to its wake-up fd, and do not call the host.
    SWIVEL_STORE(&loop->rests, false, release);
    swivel__thread.loops.current = loop;
    swivel__thread_end_expect();
    empty(loop);
    if (SWIVEL_UNLIKELY(loop->dead)) {
        // A closure has forked: the resources are the parent's, and the loop is over here.
        swivel__clock_leave(loop, before);
        return;
    }
    give_back(loop);
    now = swivel__mono_now();
    swivel__stopwatch_stop(&loop->busy, now);
    swivel__stopwatch_stop(&loop->life, now);
    swivel__clock_leave(loop, before);
    swivel__gate_return(swivel__thread.loops.own);
    SWIVEL_STORE(&loop->driver, NULL, relaxed);

    void (*closed)(void *) = loop->hooks.closed;
    void *owner = loop->config.owner;
    swivel__lock(&loop->lock);
    loop->report.ran = swivel__ran(loop);
    loop->report.refused = loop->refused;
    loop->report.complete = true;
    // Under the lock: who finds it open may release the record, to a loop with other waiters.
    swivel__latch_wake(&loop->closed, swivel__latch_open(&loop->closed));
    swivel__unlock(&loop->lock);
    closed(owner); // May release the loop, and with it this record.
}
