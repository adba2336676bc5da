// SPDX-License-Identifier: Apache-2.0
// Parking a loop that has nothing to do: it may spin for work, and then sleeps.
#include "../../include/internal/park/park.h"

/// Empty queues of this size are kept.
#define SWIVEL_SHRINK_ENTRIES 4096
/// A spin that finds work while the poller was not served for this long is followed by a service.
#define SWIVEL_SERVE_NS 50000
/// A shorter wait for events was no sleep; each sixteenth counts as none, as calls may be slow.
#define SWIVEL_AWAKE_NS 5000
#define SWIVEL_AWAKE_PARKS 16

/// Spins until `ends`. Returns whether work from another thread is due by `until_ns` before that.
static bool spin_until(swivel_loop *loop, swivel_mono ends, uint64_t until_ns)
{
    swivel_mono now;
    do {
        for (int i = 0; i < SWIVEL_SPIN_STRIDE; i++) {
            if (swivel__wake_is_due(&loop->wake, until_ns)) {
                return true;
            }
            SWIVEL_PAUSE();
        }
        now = swivel__mono_now();
        SWIVEL_STORE(&loop->awake_ns, now.ns, relaxed);
    } while (swivel__mono_is_before(now, ends));
    return false;
}

/// A spin before a park, or in a wait.
typedef struct due {
    swivel_loop *loop;
    uint64_t until_ns;
    bool (*found)(void *); ///< `NULL` before a park.
    void *argument;
} due;

static bool is_due(void *argument)
{
    const due *due = argument;
    return (due->found != NULL && due->found(due->argument)) ||
           swivel__inbox_has_post(&due->loop->inbox) ||
           swivel__wake_is_due(&due->loop->wake, due->until_ns);
}

/// Whether nothing has come for the loop. Takes the urgency, which may be that of a wait that is
/// over, and gives it back if there is something to drain.
static bool is_drained(swivel_loop *loop)
{
    swivel__wake_begin_drain(&loop->wake);
    if (swivel__inbox_is_empty(&loop->inbox)) {
        return !swivel__has_own_work(loop);
    }
    SWIVEL_STORE(&loop->wake.urgent, SWIVEL_INSTANT_NOW, seq_cst);
    return false;
}

/// Whether a wait in a closure may spin: the poller need not be served, or anything else be run.
static bool may_spin(swivel_loop *loop, swivel_mono now)
{
    return !swivel__thread.is_awaited && loop->config.drive == SWIVEL_OWN_THREAD &&
           loop->jobs == 0 && loop->source == NULL &&
           SWIVEL_LOAD(&loop->refusal, acquire) == SWIVEL_OK &&
           !swivel__watches(&loop->watchers) &&
           swivel__mono_since(loop->served, now) <= SWIVEL_SERVE_NS && is_drained(loop);
}

bool swivel__park_spin(swivel_loop *loop, bool (*found)(void *), void *argument)
{
    swivel_mono now = swivel__mono_now();
    if (!may_spin(loop, now)) {
        return false;
    }
    uint64_t next_ns = swivel__wheel_next_deadline(&loop->wheel);
    swivel_mono next = swivel__mono_of(&loop->clock, next_ns);
    uint32_t window_ns = swivel__spin_before_sleep(&loop->spin, swivel__mono_since(now, next));
    due due = {loop, next_ns, found, argument};
    return window_ns > 0 && swivel__spin_for(&loop->spin, window_ns, is_due, &due, &now) &&
           found(argument);
}

/// Whether something has come during the turn. If it is a stream, more gathers first: in turns of
/// few entries both sides would spend their time on the queue's cache lines.
static bool gathers(due *due)
{
    swivel_inbox *inbox = &due->loop->inbox;
    if (!is_due(due)) {
        return false;
    }
    uint64_t tail = swivel__inbox_tail(inbox);
    uint32_t left = swivel__pace_gather(&due->loop->pace, tail - inbox->cursor);
    for (; left > 0; left--) {
        SWIVEL_PAUSE();
    }
    swivel__pace_gathered(&due->loop->pace, swivel__inbox_tail(inbox) != tail);
    return true;
}

/// Sleeps in a source that the poller cannot watch, for both. False: it did not.
static bool wait_in_source(swivel_loop *loop, swivel_mono until)
{
    if (loop->source == NULL || loop->source->owner_wait == NULL) {
        return false;
    }
    swivel__source_resume(loop);
    bool waited = loop->source->owner_wait(swivel__park_fd(loop->park), until);
    swivel__source_suspend(loop);
    return waited;
}

/// Waits in the poller, or takes ready events.
static void poll_events(swivel_loop *loop, bool wait, swivel_mono until)
{
    bool watches = SWIVEL_UNLIKELY(swivel__watches(&loop->watchers));
    wait = wait && !(watches && swivel__watchers_ready(loop, &until));
    wait &= !wait_in_source(loop, wait ? until : SWIVEL_MONO_PAST);
    if (watches) {
        swivel__watchers_poll(loop, wait, until);
    } else {
        swivel__park_poll(loop->park, wait, until);
    }
}

static void serve(swivel_loop *loop)
{
    poll_events(loop, false, SWIVEL_MONO_PAST);
    loop->served = swivel__mono_now();
}

/// Spins from `now` until `ends`, and serves the poller now and then if it watches descriptors.
/// Returns whether there is work.
static bool spin_busily(swivel_loop *loop, swivel_mono now, swivel_mono ends, uint64_t until_ns)
{
    bool found, watches = swivel__watches(&loop->watchers);
    do {
        swivel_mono pause = watches ? swivel__mono_after(now, SWIVEL_SERVE_NS) : ends;
        found = spin_until(loop, swivel__mono_first(pause, ends), until_ns);
        if (!found && watches) {
            serve(loop);
            found = swivel__has_own_work(loop);
        }
        now = swivel__mono_now();
    } while (!found && swivel__mono_is_before(now, ends));
    return found;
}

/// Whether there is work, or a spin has found some, at `*found_at`: then the loop does not park.
/// `until_ns` is `until` in the loop's time.
static bool spin_before_parking(swivel_loop *loop, swivel_mono now, swivel_mono until,
                                uint64_t until_ns, swivel_mono *found_at)
{
    if (loop->config.busy_poll_ns != 0) {
        swivel_mono ends = swivel__mono_after(now, loop->config.busy_poll_ns);
        return spin_busily(loop, now, swivel__mono_first(ends, until), until_ns) ||
               !swivel__mono_is_before(swivel__mono_now(), until);
    }
    uint64_t left = swivel__mono_since(now, until);
    if (left == 0) {
        return true;
    }
    due due = {loop, until_ns, NULL, NULL};
    if (SWIVEL_UNLIKELY(swivel__watches(&loop->watchers))) {
        return is_due(&due); // Descriptors end no spin.
    }
    // An entry that is there before a spin says nothing about spins.
    if (gathers(&due)) {
        return true;
    }
    uint32_t window_ns = swivel__spin_before_sleep(&loop->spin, left);
    swivel__thread.is_awaited = false;
    swivel_mono ended;
    if (window_ns == 0 || !swivel__spin_for(&loop->spin, window_ns, is_due, &due, &ended)) {
        return is_due(&due);
    }
    *found_at = ended;
    return true;
}

/// Gives unused memory back, in short steps. Returns whether it has, and there may be more.
static bool shrink(swivel_loop *loop)
{
    if (swivel__slab_give(&loop->wheel.slab) || swivel__pages_give(&loop->surplus)) {
        return true;
    }
    if (loop->depth > 0) {
        return false; // A turn on the stack may use the rest.
    }
    swivel_due_queue *due = &loop->wheel.due;
    swivel_ring *local = &loop->local;
    if (due->sorted.capacity + due->heap.capacity > SWIVEL_SHRINK_ENTRIES &&
        swivel__due_first(due) == NULL) {
        swivel__due_leave(due, &loop->surplus);
    }
    if (local->capacity > SWIVEL_SHRINK_ENTRIES && local->head == local->tail) {
        swivel__ring_leave(local, &loop->surplus);
    }
    return swivel__pages_give(&loop->surplus);
}

/// Sleeps in the poller until `until`, or until it is woken. Returns whether it was woken, at
/// `loop->woke`, and not by the time.
static bool sleep_until(swivel_loop *loop, swivel_mono until)
{
    swivel_mono parked = swivel__mono_now();
    SWIVEL_COUNT(&loop->parks, 1);
    swivel__stopwatch_stop(&loop->busy, parked);
    swivel_mono asked = swivel__pace_ask(&loop->pace, parked, until);
    poll_events(loop, true, asked);
    loop->woke = loop->served = swivel__mono_now();
    swivel__stopwatch_start(&loop->busy, loop->woke);
    loop->watchers.is_busy = loop->watchers.first_queued != NULL &&
                             (swivel__mono_since(parked, loop->woke) < SWIVEL_AWAKE_NS ||
                              SWIVEL_LOAD(&loop->parks, relaxed) % SWIVEL_AWAKE_PARKS == 0);
    SWIVEL_STORE(&loop->awake_ns, loop->woke.ns, relaxed);
    swivel__wake_unpark(&loop->wake); // After `awake_ns`: see `swivel__loop_progress`.
    bool in_time = swivel__pace_woke(&loop->pace, parked, asked, until, loop->woke);
    if (in_time && swivel__mono_is_before(loop->woke, until)) {
        spin_until(loop, until, swivel__instant_of(&loop->clock, until));
    }
    return !in_time;
}

swivel_mono swivel__park(swivel_loop *loop, bool wait, swivel_mono until)
{
    swivel_mono found_at = SWIVEL_MONO_PAST;
    wait &= !(SWIVEL_UNLIKELY(swivel__watches(&loop->watchers)) && swivel__watchers_serve(loop));
    swivel_mono now = wait ? swivel__mono_now() : SWIVEL_MONO_PAST;
    until = wait ? swivel__pace_put_off(&loop->pace, now, until) : until;
    uint64_t until_ns = swivel__instant_of(&loop->clock, until);
    if (!wait) {
        serve(loop);
    } else if (spin_before_parking(loop, now, until, until_ns, &found_at)) {
        if (loop->watchers.first_queued == NULL &&
            swivel__mono_since(loop->served, now) > SWIVEL_SERVE_NS) {
            serve(loop);
        }
    } else if (shrink(loop)) {
        serve(loop);
    } else if (swivel__wake_park(&loop->wake, &loop->inbox, until_ns) && sleep_until(loop, until)) {
        found_at = loop->woke; // Work that has come needs no other time.
    }
    return found_at;
}
