// SPDX-License-Identifier: Apache-2.0
// One turn: drain, advance, fire. Time is an argument, so virtual time runs this very code. Due
// timers, posts and their cursors lie in the loop, never in a local variable: a closure may run a
// turn of its own (a pump), which continues where this one stands.
#include "../../include/internal/timer/hot.h"
#include "../../include/internal/turn/turn.h"

void swivel__count_lateness(swivel_loop *loop, uint64_t due_ns, uint64_t now_ns)
{
    uint64_t late = now_ns > due_ns ? now_ns - due_ns : 0;
    uint32_t bucket = late == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(late);
    if (due_ns != 0) {
        bucket = bucket < SWIVEL_LATENESS_BUCKETS ? bucket : SWIVEL_LATENESS_BUCKETS - 1;
        SWIVEL_COUNT(&loop->lateness[bucket], 1);
    }
}

/// Counts a timer that is fired, whose state was `state`.
static void count_claim(swivel_loop *loop, const swivel_node *node, uint64_t state, uint64_t now_ns)
{
    if (SWIVEL_LIKELY(!(state & SWIVEL_UNCOUNTED))) {
        SWIVEL_COUNT(&loop->fired, 1);
        swivel__count_lateness(loop, node->fire_at_ns, now_ns);
    }
    if (SWIVEL_LIKELY(!(state & SWIVEL_REPEAT))) {
        swivel__count_pending(loop, -1); // A closure that runs is not pending.
    }
}

void swivel__count_run(swivel_loop *loop, uint64_t due_ns)
{
    if (swivel_loop_is_current(loop)) {
        SWIVEL_COUNT(&loop->fired, 1);
        swivel__count_lateness(loop, due_ns, swivel__turn_time(loop));
    } else {
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_RUNS, 1);
    }
}

/// Fires a node that nothing holds any more, unless another thread has cancelled it, whose message
/// is on its way. Files the node anew if another thread has moved it on.
static void fire(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t now_ns)
{
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    swivel_timer timer = {loop, index, swivel__generation(state)};
    SWIVEL_STORE(&loop->running, node->work.function, relaxed);
    while (SWIVEL_UNLIKELY(!swivel__node_claim(node))) {
        if (!swivel__stays_due(loop, index, node)) {
            return;
        }
    }
    count_claim(loop, node, state, now_ns);
    if (SWIVEL_LIKELY(!(state & (SWIVEL_REPEAT | SWIVEL_REUSABLE)))) {
        loop->hooks.run(&node->work);
        state = SWIVEL_LOAD(&node->state, acquire); // With the count of re-arms, which stays.
        while (!SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, SWIVEL_OVER), acq_rel,
                           acquire)) {
        }
        swivel__reclaim(loop, index, node);
        if (SWIVEL_UNLIKELY(state & SWIVEL_WATCHED)) {
            loop->hooks.ended(timer);
        }
        return;
    }
    uint64_t due_ns = node->fire_at_ns != 0 ? node->fire_at_ns : now_ns;
    swivel_tick tick = {timer, 0, due_ns, swivel__loop_now(loop), 0};
    if (state & SWIVEL_REPEAT) {
        tick = swivel__repeat_begin(loop, index, node);
    }
    loop->hooks.tick(&node->work, &tick);
    if (state & SWIVEL_REPEAT) {
        swivel__repeat_end(loop, index, node);
    } else {
        swivel__reusable_end(loop, index, node);
    }
}

/// Counts a post that is about to run, and returns its work.
static inline swivel_work begin_post(swivel_loop *loop, swivel_entry entry)
{
    SWIVEL_COUNT(&loop->posts, 1);
    if (SWIVEL_UNLIKELY(loop->counts_posts)) {
        swivel__post_begins(loop);
    }
    return (swivel_work){(uintptr_t)entry.first, (uintptr_t)entry.second};
}

void swivel__perform(swivel_loop *loop, swivel_entry entry, uint64_t now_ns)
{
    SWIVEL_STORE(&loop->running, entry.first, relaxed);
    if (SWIVEL_LIKELY(!(entry.first & SWIVEL_MESSAGE))) {
        swivel_work work = begin_post(loop, entry);
        loop->hooks.run(&work);
    } else if (SWIVEL_LIKELY(swivel__is_job(entry.first))) {
        swivel_work job = {(uintptr_t)entry.first, (uintptr_t)entry.second};
        SWIVEL_COUNT(&loop->posts, 1);
        loop->jobs += 1;
        loop->hooks.run(&job);
        loop->jobs -= 1;
    } else if ((entry.first & 0xF) == SWIVEL_FENCE) {
        loop->gate = entry.second;
    } else if (swivel__obey(loop, entry)) {
        // The message brought a timer that is due.
        uint32_t index = swivel__message_index(entry.first);
        fire(loop, index, swivel__slab_node(&loop->wheel.slab, index), now_ns);
    }
}

/// Acts on an entry of the inbox, to which the free of a post's memory may be deferred.
static inline void perform_sent(swivel_loop *loop, swivel_entry entry, uint64_t now_ns)
{
    swivel_inbox *inbox = &loop->inbox;
    if ((entry.first & SWIVEL_MESSAGE) || loop->run_posted == NULL) {
        swivel__perform(loop, entry, now_ns);
        return;
    }
    SWIVEL_STORE(&loop->running, entry.first, relaxed);
    uint64_t number = inbox->cursor - 1; // The work may drain, too.
    swivel_work work = begin_post(loop, entry);
    if (loop->run_posted(&work) && !swivel__inbox_defer_free(inbox, number, work.context)) {
        inbox->free_deferred(work.context);
    }
}

/// Runs entries that other threads have sent up to now. Returns whether the budget ended it.
static bool drain_inbox(swivel_loop *loop, uint64_t now_ns)
{
    swivel_inbox *inbox = &loop->inbox;
    swivel__wake_begin_drain(&loop->wake);
    uint64_t limit = swivel__inbox_begin_drain(inbox);
    swivel__order_begin(loop);
    // Own posts of an earlier drive come before entries that their thread has sent since.
    bool holds = SWIVEL_UNLIKELY(loop->local.head < loop->left_over) && loop->gate < limit;
    if (holds) {
        inbox->limit = limit = loop->gate;
    }
    if (inbox->cursor >= limit) {
        return false;
    }
    // A single entry, as in a call and its reply, costs no reading of the clock.
    bool is_single = limit - inbox->cursor == 1;
    swivel_budget budget = swivel__budget_from(loop, is_single ? now_ns : swivel__loop_now(loop));
    swivel_entry entry;
    bool lasts = true;
    while (lasts && inbox->cursor < limit && swivel__inbox_take(inbox, &entry)) {
        perform_sent(loop, entry, now_ns);
        lasts = inbox->cursor >= limit || swivel__budget_lasts(loop, &budget, &now_ns);
    }
    swivel__inbox_publish_head(inbox);
    if (!lasts || holds) {
        // The rest is urgent for the next drain: a nested turn's result ends with its pump.
        SWIVEL_STORE(&loop->wake.urgent, SWIVEL_INSTANT_NOW, seq_cst);
    }
    return !lasts || holds;
}

/// Whether the next of the loop's own posts comes after nothing that waits in the inbox.
static bool is_let_through(const swivel_loop *loop)
{
    return loop->inbox.cursor >= loop->gate;
}

/// Whether it is also for this turn: it was there when the turn began, or it continues work that
/// has run, as jobs and most callbacks do, for which a turn each would cost the poller's time.
static inline bool is_for_this_turn(swivel_loop *loop, uint64_t limit)
{
    return (loop->local.head < limit || swivel__ring_goes_on(&loop->local)) &&
           is_let_through(loop);
}

/// Runs own posts from before this turn, up to `limit`, and what continues with them.
static void drain_local(swivel_loop *loop, uint64_t limit, uint64_t now_ns)
{
    if (!is_for_this_turn(loop, limit)) {
        return;
    }
    swivel_budget budget = swivel__budget_start(loop);
    do {
        swivel__perform(loop, swivel__ring_pop(&loop->local), now_ns);
    } while (is_for_this_turn(loop, limit) && swivel__budget_lasts(loop, &budget, &now_ns));
}

/// Runs own posts of an earlier drive: entries that its thread has sent since come after them.
/// Returns whether some are left that could run.
static bool drain_left_over(swivel_loop *loop, uint64_t now_ns)
{
    if (SWIVEL_LIKELY(loop->local.head >= loop->left_over)) {
        return false;
    }
    drain_local(loop, loop->left_over, now_ns);
    return loop->local.head < loop->left_over && is_let_through(loop);
}

/// Fires timers due by `now_ns`. Returns whether the budget ended it.
static bool fire_due(swivel_loop *loop, uint64_t now_ns)
{
    swivel_wheel *wheel = &loop->wheel;
    uint32_t index;
    swivel_due due = swivel__wheel_next_due(wheel, now_ns, &index);
    if (due == SWIVEL_DUE_NONE) {
        return false;
    }
    swivel_budget budget = swivel__budget_start(loop);
    uint64_t clock_ns = now_ns;
    do {
        if (SWIVEL_LIKELY(due == SWIVEL_DUE_TIMER)) {
            fire(loop, index, swivel__slab_node(&wheel->slab, index), clock_ns);
        } else {
            budget.until_reading = 1; // A step takes as long as many closures.
        }
        if (!swivel__budget_lasts(loop, &budget, &clock_ns)) {
            return true;
        }
        due = swivel__wheel_next_due(wheel, now_ns, &index);
    } while (due != SWIVEL_DUE_NONE);
    return false;
}

/// Fires timers after what was ready when they came due. Returns whether work that is due is left.
static bool fire_behind_watches(swivel_loop *loop, uint64_t now_ns)
{
    swivel_watchers *all = &loop->watchers;
    uint64_t due_ns = all->pass_ns;
    if (due_ns == 0 || all->delivered < all->pass_end) {
        return due_ns != 0;
    }
    all->pass_ns = 0;
    // The time of the pass: what has come since may be news of what a timer would find idle.
    SWIVEL_STORE(&loop->turn_ns, due_ns, relaxed);
    bool more = fire_due(loop, due_ns);
    if (SWIVEL_LOAD(&loop->turn_ns, relaxed) < now_ns) { // Else a closure has pumped.
        SWIVEL_STORE(&loop->turn_ns, now_ns, relaxed);
    }
    return more;
}

bool swivel__turn(swivel_loop *loop, uint64_t now_ns)
{
    loop->depth += 1;
    uint64_t outer = SWIVEL_LOAD(&loop->running, relaxed); // The closure that pumps.
    SWIVEL_STORE(&loop->turn_ns, now_ns, relaxed);
    SWIVEL_COUNT(&loop->turns, 1);
    uint64_t first = loop->local.head, posted = loop->local.tail;
    bool watches = swivel__watches(&loop->watchers) || loop->watchers.first_queued != NULL;
    if (SWIVEL_UNLIKELY(watches)) {
        swivel__watchers_listen_for_timers(loop, now_ns);
    }
    bool more = drain_left_over(loop, now_ns) || drain_inbox(loop, now_ns);
    if (SWIVEL_UNLIKELY(watches)) {
        more |= swivel__watchers_deliver(loop);
    }
    if (SWIVEL_LIKELY(loop->local.head == first)) {
        drain_local(loop, posted, now_ns); // Own posts have one budget a turn.
    }
    more |= SWIVEL_UNLIKELY(watches) ? fire_behind_watches(loop, now_ns) : fire_due(loop, now_ns);
    if (SWIVEL_UNLIKELY(SWIVEL_LOAD(&loop->source_is_ready, relaxed))) {
        SWIVEL_STORE(&loop->running, 0, relaxed); // No closure of the loop's.
        swivel__source_turn(loop);
        more |= SWIVEL_LOAD(&loop->source_is_ready, relaxed);
    }
    if (SWIVEL_UNLIKELY(swivel__slab_has_surplus(&loop->wheel.slab))) {
        // A loop that is busy, or in virtual time, never parks.
        swivel__slab_give(&loop->wheel.slab);
    }
    swivel__order_end(loop);
    loop->depth -= 1;
    SWIVEL_STORE(&loop->running, outer, relaxed);
    return more || swivel__has_own_work(loop);
}
