// SPDX-License-Identifier: Apache-2.0
// How a loop ends: every closure it has accepted runs, or is released and counted.
#include "../include/internal/hot.h"
#include "../include/internal/thread_end.h"

#include <sched.h>

/// How often a drain looks whether foreign contexts are done with what they were handed.
#define SWIVEL_HANDED_LOOK_NS UINT64_C(1000000)

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

/// Cancels a timer that has not started. (A node whose arm message was refused still belongs to the
/// thread that tried.)
void swivel__cancel_node(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire), seen;
    swivel_work work;
    swivel_cancel_result result = SWIVEL_FINISHED;
    // A free node may be armed, and so marked, by a thread that is refused in this moment.
    if ((state & SWIVEL_QUEUED) || swivel__phase(state) == SWIVEL_FREE) {
        return;
    }
    if (state & SWIVEL_KEPT) {
        result = swivel__node_settle_kept(node, SWIVEL_OVER, 0, &work, &seen);
        if (result == SWIVEL_RUNNING || swivel__phase(seen) == SWIVEL_OVER) {
            return;
        }
        loop->armed += node->place == SWIVEL_PLACE_NONE;
    } else if (swivel__node_cancel(node, swivel__generation(state), &work, &seen) ==
               SWIVEL_CANCELLED) {
        result = SWIVEL_CANCELLED;
        loop->handed -= swivel__is_handed(seen);
    } else {
        return;
    }
    if (result == SWIVEL_CANCELLED) {
        loop->report.cancelled_timers += 1;
        SWIVEL_COUNT(&loop->cancelled, 1);
    }
    swivel__reclaim(loop, index, node);
    loop->hooks.release(&work);
}

static void cancel_repeat(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    if (SWIVEL_LOAD(&node->state, relaxed) & SWIVEL_REPEAT) {
        swivel__cancel_node(loop, index, node);
    }
}

/// Settles nodes that are still in others' hands: cancelled ones whose reclaim was refused, closures
/// under way on other contexts, which release their work themselves, and timers being moved.
static void abandon_node(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    uint32_t phase = swivel__phase(state);
    if (phase == SWIVEL_FREE || (state & SWIVEL_QUEUED)) {
        return;
    }
    loop->report.running += phase == SWIVEL_BUSY;
    if (!(state & SWIVEL_LEFT)) {
        // A closure that ends later finds it over, or another generation, and touches nothing.
        while (!SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, SWIVEL_OVER), acq_rel,
                           acquire)) {
        }
        swivel__reclaim(loop, index, node);
        state = SWIVEL_LOAD(&node->state, acquire);
    }
    // What a mover still holds must not reach into the record's next life.
    while (state & SWIVEL_MOVERS_MASK) {
        sched_yield();
        state = SWIVEL_LOAD(&node->state, acquire);
    }
    if (state & SWIVEL_LEFT) {
        swivel__slab_free(&loop->wheel.slab, index);
    }
}

static void count_handed(swivel_loop *loop, uint32_t index, swivel_node *node)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    uint32_t phase = swivel__phase(state);
    (void)index;
    loop->handed += (state & SWIVEL_FOREIGN) && (swivel__is_handed(state) || phase == SWIVEL_BUSY);
}

/// Runs accepted posts and what is due by the drain's end, and what they schedule.
static void drain(swivel_loop *loop)
{
    loop->draining = true;
    for_each_node(loop, cancel_repeat);
    // What was accepted before runs in any case; the limit is for what comes of it, and for timers.
    uint64_t sent = SWIVEL_LOAD(&loop->inbox.tail, seq_cst) & ~SWIVEL_CLOSED;
    uint64_t posted = loop->local.tail;
    for (;;) {
        bool more = swivel__turn(loop, swivel__clock_exact(&loop->clock));
        more |= !swivel__inbox_is_empty(&loop->inbox);
        bool accepted_ran = loop->inbox.cursor >= sent && loop->local.head >= posted;
        swivel_real now = swivel__clock_anchor(&loop->clock);
        if (accepted_ran && !swivel__real_is_before(now, loop->until)) {
            return;
        }
        // Their ends are not announced any more: the inbox is closed.
        if (loop->handed > 0) {
            loop->handed = 0;
            for_each_node(loop, count_handed);
        }
        uint64_t deadline = swivel__wheel_next_deadline(&loop->wheel);
        swivel_real next = swivel__real_of(&loop->clock, deadline);
        if (!more && loop->handed == 0 && !swivel__real_is_before(next, loop->until)) {
            return;
        }
        next = swivel__real_first(next, loop->until);
        if (loop->handed > 0) {
            next = swivel__real_first(next, swivel__real_after(now, SWIVEL_HANDED_LOOK_NS));
        }
        swivel__park(loop, !more, next);
    }
}

/// Releases a post, runs a job: a task waits in it; takes a timer over so that it is swept.
static void discard(swivel_loop *loop, swivel_entry entry)
{
    if (!(entry.first & SWIVEL_MESSAGE)) {
        swivel_work work = {(uintptr_t)entry.first, (uintptr_t)entry.second};
        loop->report.cancelled_posts += 1;
        loop->hooks.release(&work);
        return;
    }
    if ((entry.first & 0xF) != SWIVEL_ARM) {
        swivel__perform(loop, entry, 0);
        return;
    }
    uint32_t index = (uint32_t)(entry.first >> 4) & 0xFFFFFFFu;
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, index);
    if (swivel__is_meant(SWIVEL_LOAD(&node->state, acquire), entry)) {
        swivel__take_over(loop, index, node);
    }
}

static void discard_all(swivel_loop *loop)
{
    swivel_entry entry;
    while (!swivel__inbox_is_empty(&loop->inbox)) {
        if (swivel__inbox_take(&loop->inbox, &entry)) {
            discard(loop, entry);
        } else {
            sched_yield(); // Claimed before the inbox closed; its producer is about to publish it.
        }
    }
    while (loop->local.head != loop->local.tail) {
        discard(loop, swivel__ring_pop(&loop->local));
    }
}

void swivel__close(swivel_loop *loop)
{
    swivel_thread before = swivel__thread;
    swivel__clock_enter(loop);
    SWIVEL_STORE(&loop->driver, &swivel__thread, relaxed);
    swivel__thread.current = loop;
    swivel__thread_end_expect();
    loop->stack_low = swivel__stack_low();
    swivel__thread.own = loop->mode == SWIVEL_DRAIN ? loop : NULL;
    if (loop->mode == SWIVEL_DRAIN) {
        drain(loop);
    }
    swivel__thread.own = NULL;
    discard_all(loop);
    for_each_node(loop, swivel__cancel_node);
    for_each_node(loop, abandon_node);
    // From here on nobody rings: `parked` says awake for good, and who claimed a wake is done.
    swivel__wake_unpark(&loop->wake);
    while (SWIVEL_LOAD(&loop->wake.ringing, seq_cst) != 0) {
        sched_yield();
    }
    swivel__park_destroy(loop->park);
    loop->park = NULL;
    swivel__wheel_reset(&loop->wheel);
    swivel__inbox_reset(&loop->inbox);
    swivel__ring_leave(&loop->local, &loop->surplus);
    while (swivel__pages_give(&loop->surplus)) {
    }
    SWIVEL_STORE(&loop->pending, swivel__tally_seen(&loop->tally, 0), relaxed);
    swivel__clock_leave(loop, before);
    SWIVEL_STORE(&loop->driver, NULL, relaxed);

    void (*closed)(void *) = loop->hooks.closed;
    void *owner = loop->config.owner;
    swivel__lock(&loop->lock);
    loop->report.ran = loop->posts + loop->fired - loop->ran_before;
    loop->report.refused = loop->refused;
    loop->report.complete = true;
    loop->life = SWIVEL_CLOSED_DOWN;
    swivel__condition_broadcast(&loop->changed);
    for (struct swivel_waiter *waiter = loop->waiters; waiter != NULL; waiter = waiter->next) {
        swivel_loop_wake(waiter->loop);
    }
    swivel__unlock(&loop->lock);
    closed(owner); // May release the loop, and with it this record.
}

int swivel__drive_enter(swivel_loop *loop)
{
    swivel__thread_end_expect();
    int status = swivel_loop_refusal(loop);
    if (status != SWIVEL_OK) {
        return status;
    }
    swivel__lock(&loop->lock);
    if (loop->life != SWIVEL_OPEN) {
        status = swivel_loop_refusal(loop); // Asked to close since the look above.
    } else if (loop->has_thread || loop->driven) {
        status = SWIVEL_EDEADLOCK;
    } else {
        loop->driven = true;
    }
    swivel__unlock(&loop->lock);
    return status;
}

void swivel__drive_leave(swivel_loop *loop)
{
    if (loop->dead) {
        return;
    }
    swivel__lock(&loop->lock);
    bool close = loop->life == SWIVEL_CLOSING;
    loop->driven = close;
    swivel__unlock(&loop->lock);
    if (close) {
        swivel__close(loop);
    }
}

void swivel__begin_closing(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns)
{
    loop->life = SWIVEL_CLOSING;
    loop->ran_before = loop->posts + loop->fired;
    loop->mode = mode;
    loop->until = swivel__real_after(swivel__real_now(), within_ns);
    SWIVEL_STORE(&loop->refusal, SWIVEL_ESHUTDOWN, release);
    swivel__inbox_close(&loop->inbox);
    SWIVEL_STORE(&loop->closing, true, release);
}

/// A thread that is in a turn of `outer` waits for `loop` to close.
typedef struct waiter {
    swivel_loop *outer, *loop;
    struct swivel_waiter link;
} waiter;

static bool has_closed(swivel_loop *loop)
{
    swivel__lock(&loop->lock);
    bool closed = loop->life == SWIVEL_CLOSED_DOWN;
    swivel__unlock(&loop->lock);
    return closed;
}

static bool is_done(void *argument)
{
    waiter *waiter = argument;
    return SWIVEL_LOAD(&waiter->outer->closing, acquire) || has_closed(waiter->loop);
}

/// Runs turns of `outer` until `loop` has closed: it may need them to end. False: `outer` is asked
/// to close itself, which it cannot before this returns.
static bool pump_until_closed(swivel_loop *outer, swivel_loop *loop)
{
    waiter waiter = {outer, loop, {outer, NULL}};
    swivel__lock(&loop->lock);
    waiter.link.next = loop->waiters;
    loop->waiters = &waiter.link;
    swivel__unlock(&loop->lock);
    swivel_loop_pump(outer, is_done, &waiter, SWIVEL_NEVER_NS);
    swivel__lock(&loop->lock);
    struct swivel_waiter **link = &loop->waiters;
    while (*link != &waiter.link) {
        link = &(*link)->next;
    }
    *link = waiter.link.next;
    bool closed = loop->life == SWIVEL_CLOSED_DOWN;
    swivel__unlock(&loop->lock);
    return closed;
}

void swivel_loop_shutdown(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns,
                          swivel_report *report)
{
    bool inside = SWIVEL_LOAD(&loop->driver, relaxed) == &swivel__thread;
    swivel__lock(&loop->lock);
    bool first = loop->life == SWIVEL_OPEN;
    if (first) {
        swivel__begin_closing(loop, mode, within_ns);
        if (inside && mode == SWIVEL_CANCEL_PENDING) {
            swivel__thread.own = NULL;
        }
    }
    bool close = first && !loop->has_thread && !loop->driven;
    loop->driven |= close;
    swivel__unlock(&loop->lock);
    if (first && !close) {
        swivel_loop_wake(loop);
    }
    if (close) {
        swivel__close(loop);
    }
    swivel_loop *outer = swivel__thread.host != NULL ? swivel__thread.host : swivel__thread.current;
    if (!inside && outer != NULL && outer->depth > 0 && !outer->dead) {
        inside = !pump_until_closed(outer, loop);
    }
    if (!inside) {
        swivel__thread_wait(loop);
    }
    if (report != NULL) {
        swivel__lock(&loop->lock);
        *report = loop->report;
        report->ran =
            loop->report.complete ? report->ran : loop->posts + loop->fired - loop->ran_before;
        swivel__unlock(&loop->lock);
        report->refused = SWIVEL_LOAD(&loop->refused, relaxed);
    }
}
