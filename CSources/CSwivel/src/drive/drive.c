// SPDX-License-Identifier: Apache-2.0
// Driving a loop: by its own thread until the end, by a caller for a while or a turn, by a wait in
// one of its closures, by a test through virtual time.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/timer/hot.h"
#include "../../include/internal/park/park.h"
#include "../../include/internal/turn/turn.h"

/// Returns the loops that the thread was in before.
static swivel_thread_loops drive_begin(swivel_loop *loop)
{
    swivel_thread_loops before = swivel__thread.loops;
    swivel__gate_leave(before.own);
    swivel__clock_enter(loop);
    SWIVEL_STORE(&loop->driver, &swivel__thread, relaxed);
    swivel__thread.loops.current = loop;
    swivel__thread.loops.owner = NULL;
    swivel__thread.loops.own = SWIVEL_LOAD(&loop->refusal, acquire) == SWIVEL_OK ? loop : NULL;
    swivel__gate_enter(loop);
    loop->woke = swivel__mono_now();
    swivel__stopwatch_start(&loop->life, loop->woke);
    swivel__stopwatch_start(&loop->busy, loop->woke);
    SWIVEL_STORE(&loop->awake_ns, loop->woke.ns, relaxed);
    swivel__wake_unpark(&loop->wake);
    SWIVEL_STORE(&loop->rests, false, release); // After `awake_ns`: see `swivel__loop_progress`.
    swivel__park_own_source(loop);
    return before;
}

static void drive_end(swivel_loop *loop, swivel_thread_loops before)
{
    swivel__source_leave(loop);
    swivel__stopwatch_stop(&loop->busy, swivel__mono_now());
    SWIVEL_STORE(&loop->rests, true, relaxed);
    SWIVEL_STORE(&loop->driver, NULL, relaxed);
    swivel__clock_leave(loop, before);
    swivel__gate_return(swivel__thread.loops.own);
}

static bool is_asked_to_end(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->refusal, acquire) != SWIVEL_OK;
}

/// Whether a stop of the loop was requested; once per request.
static bool take_stop(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->stop, acquire) && SWIVEL_EXCHANGE(&loop->stop, false, acquire);
}

/// Makes the calling thread drive a loop that has no thread. Returns `SWIVEL_OK`, or why not.
static int enter(swivel_loop *loop)
{
    swivel__thread_end_expect();
    swivel__lock(&loop->lock);
    int status = swivel_loop_refusal(loop);
    // In the host's wake function a closure would run inside the call that posted it.
    if (status == SWIVEL_OK && (loop->has_thread || loop->driven || swivel__thread.wakes_host)) {
        status = SWIVEL_EDEADLOCK;
    }
    loop->driven |= status == SWIVEL_OK;
    swivel__unlock(&loop->lock);
    return status;
}

/// Ends `enter`, and closes the loop if that was requested in between. Returns the loop's refusal.
static int leave(swivel_loop *loop)
{
    if (!loop->dead) {
        swivel__lock(&loop->lock);
        bool close = is_asked_to_end(loop);
        loop->driven = close;
        swivel__unlock(&loop->lock);
        if (close) {
            swivel__close(loop);
        }
    }
    return swivel_loop_refusal(loop);
}

/// When the next timer is due on the real clock.
static swivel_mono next_due(swivel_loop *loop)
{
    return swivel__mono_of(&loop->clock, swivel__wheel_next_deadline(&loop->wheel));
}

/// The time of a turn right after a park: when the park has found work for it, else now.
static uint64_t turn_time(swivel_loop *loop, swivel_mono found_at)
{
    bool tells = found_at.ns != 0 && !swivel__clock_is_manual(&loop->clock);
    return tells ? found_at.ns : swivel__exact_now(loop);
}

void swivel__loop_drive(swivel_loop *loop)
{
    swivel_thread_loops before = drive_begin(loop);
    swivel_mono found_at = SWIVEL_MONO_PAST;
    while (!is_asked_to_end(loop) && !take_stop(loop)) {
        bool more = swivel__turn(loop, turn_time(loop, found_at));
        found_at = SWIVEL_MONO_PAST;
        if (!is_asked_to_end(loop) && !SWIVEL_LOAD(&loop->stop, acquire)) {
            found_at = swivel__park(loop, !more, more ? SWIVEL_MONO_PAST : next_due(loop));
        }
    }
    drive_end(loop, before);
}

/// Whether a turn would run nothing. Later entries raise the urgency again, as in a drain.
static bool is_idle(swivel_loop *loop, uint64_t now_ns)
{
    swivel__wake_begin_drain(&loop->wake);
    return !swivel__has_own_work(loop) && swivel__inbox_is_empty(&loop->inbox) &&
           !SWIVEL_LOAD(&loop->source_is_ready, relaxed) &&
           swivel__wheel_next_deadline(&loop->wheel) > now_ns;
}

/// Leaves the loop until its next run: work, or memory to give back, makes its fd readable.
static void rest(swivel_loop *loop, bool more)
{
    if (is_asked_to_end(loop)) {
        return;
    }
    more |= swivel__slab_has_surplus(&loop->wheel.slab);
    uint64_t next = swivel__wheel_next_deadline(&loop->wheel);
    if (more || !swivel__wake_park(&loop->wake, &loop->inbox, next)) {
        loop->notify(&loop->park);
        return;
    }
    swivel_mono until = swivel__mono_of(&loop->clock, next);
    until = swivel__mono_first(until, loop->watchers.check_at);
    if (loop->config.host_wake_at == NULL) {
        swivel__park_arm(loop->park, until);
    } else if (until.ns != SWIVEL_NEVER_NS) {
        loop->config.host_wake_at(loop->config.host, swivel__instant_of(&loop->clock, until));
    }
}

int swivel_loop_run(swivel_loop *loop)
{
    int status = enter(loop);
    if (status != SWIVEL_OK) {
        return status;
    }
    swivel__loop_drive(loop);
    // In this order: a wake in between, a signal's too, keeps the loop from resting.
    bool more = !is_idle(loop, swivel__exact_now(loop));
    more |= swivel__watches(&loop->watchers) && swivel__watchers_serve(loop);
    rest(loop, more);
    return leave(loop);
}

/// Waits for work if `wait`, then runs a turn. Returns whether to wait again: nothing has run and
/// no thread has woken the loop, because other threads have armed, moved or cancelled timers, or
/// because the timer that it waited for is gone.
static bool wait_and_turn(swivel_loop *loop, bool wait, bool *left)
{
    uint64_t ran = loop->posts + loop->fired;
    bool is_idle = !swivel__has_own_work(loop) && !is_asked_to_end(loop);
    swivel__park(loop, wait && is_idle, next_due(loop));
    bool woken = SWIVEL_EXCHANGE(&loop->woken, false, acquire);
    bool source = SWIVEL_LOAD(&loop->source_is_ready, relaxed);
    *left = swivel__turn(loop, swivel__exact_now(loop));
    bool has_run = *left || source || loop->posts + loop->fired != ran;
    // Virtual time would never come.
    bool can_wait = wait && !is_asked_to_end(loop) && !swivel__clock_is_manual(&loop->clock);
    return can_wait && !has_run && !woken;
}

int swivel_loop_run_once(swivel_loop *loop, bool wait, bool *more)
{
    int status = enter(loop);
    if (status != SWIVEL_OK) {
        return status;
    }
    swivel_thread_loops before = drive_begin(loop);
    bool left;
    while (wait_and_turn(loop, wait, &left)) {
    }
    if (SWIVEL_UNLIKELY(swivel__watches(&loop->watchers))) {
        left |= swivel__watchers_serve(loop);
    }
    drive_end(loop, before);
    if (more != NULL) {
        *more = left;
    }
    rest(loop, left);
    return leave(loop);
}

static int pump(swivel_loop *loop, bool (*done)(void *), void *argument, uint64_t deadline_ns,
                uint64_t check_ns)
{
    swivel_patience patience = {SWIVEL_MONO_PAST, SWIVEL_MONO_PAST};
    if (!done(argument) && swivel__has_come(loop, deadline_ns)) {
        return 0;
    }
    swivel_mono found_at = SWIVEL_MONO_PAST;
    while (!done(argument)) {
        uint64_t now = turn_time(loop, found_at);
        found_at = SWIVEL_MONO_PAST;
        bool more = !is_idle(loop, now) && swivel__turn(loop, now);
        if (done(argument)) {
            return 1;
        }
        // After the turn: what was due or sent by the deadline has run, however late the loop woke.
        if (loop->dead || now >= deadline_ns) {
            return 0;
        }
        if (!more && swivel__clock_is_manual(&loop->clock)) {
            uint64_t next = swivel__wheel_next_deadline(&loop->wheel);
            next = next < deadline_ns ? next : deadline_ns;
            if (!swivel__manual_wait(loop, &patience, check_ns, next)) {
                return done(argument) ? 1 : SWIVEL_ESTUCK;
            }
            continue;
        }
        swivel_mono until =
            swivel__mono_first(next_due(loop), swivel__mono_of(&loop->clock, deadline_ns));
        if (check_ns != 0) {
            swivel_mono check = swivel__mono_after(swivel__mono_now(), check_ns);
            until = swivel__mono_first(until, check);
        }
        found_at = swivel__park(loop, !more, until);
    }
    return 1;
}

int swivel_loop_pump(swivel_loop *loop, bool (*done)(void *), void *argument, uint64_t deadline_ns,
                     uint64_t check_ns)
{
    if (swivel__stack_is_low()) {
        return SWIVEL_EDEADLOCK;
    }
    bool in_source = swivel__source_suspend(loop);
    int result = pump(loop, done, argument, deadline_ns, check_ns);
    if (in_source) {
        swivel__source_resume(loop);
    }
    return result;
}

int swivel_loop_advance(swivel_loop *loop, uint64_t instant_ns, uint64_t turns)
{
    uint64_t last = instant_ns < SWIVEL_NEVER_NS ? instant_ns : SWIVEL_NEVER_NS - 1;
    if (swivel_loop_is_current(loop) && swivel__clock_is_manual(&loop->clock)) {
        swivel__clock_set(&loop->clock, last);
        return SWIVEL_OK;
    }
    int status = enter(loop);
    if (status != SWIVEL_OK) {
        return status;
    }
    swivel_thread_loops before = drive_begin(loop);
    for (uint64_t left = turns; status == SWIVEL_OK; left--) {
        bool more = swivel__turn(loop, swivel__exact_now(loop));
        more |= !swivel__inbox_is_empty(&loop->inbox);
        uint64_t next = swivel__wheel_next_deadline(&loop->wheel);
        if (is_asked_to_end(loop)) {
            break;
        }
        uint64_t now = swivel__exact_now(loop);
        if (!more && next > now) {
            if (now >= last) {
                break;
            }
            swivel__clock_set(&loop->clock, next < last ? next : last);
            left = turns;
        } else if (left == 0) {
            status = SWIVEL_ESTUCK;
        }
    }
    drive_end(loop, before);
    leave(loop);
    return status;
}
