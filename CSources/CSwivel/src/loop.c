// SPDX-License-Identifier: Apache-2.0
#include "../include/internal/hot.h"
#include "../include/internal/manual.h"
#include "../include/internal/records.h"

#include <errno.h>

_Thread_local swivel_thread swivel__thread;

/// Says for the length of a drive which loop this thread runs.
typedef struct driving {
    swivel_thread before;
} driving;

static driving drive_begin(swivel_loop *loop)
{
    driving driving = {swivel__thread};
    SWIVEL_STORE(&loop->driver, &swivel__thread, relaxed);
    swivel__thread.current = loop;
    swivel__thread.host = NULL;
    swivel__thread.own = SWIVEL_LOAD(&loop->refusal, acquire) == SWIVEL_OK ? loop : NULL;
    loop->stack_low = swivel__stack_low();
    loop->sent_before = SWIVEL_LOAD(&loop->inbox.tail, acquire) & ~SWIVEL_CLOSED;
    loop->woke_ns = swivel__clock_exact(&loop->clock);
    swivel__wake_unpark(&loop->wake);
    swivel__guest_enter(loop);
    return driving;
}

static void drive_end(swivel_loop *loop, driving driving)
{
    swivel__guest_leave(loop);
    SWIVEL_STORE(&loop->driver, NULL, relaxed);
    swivel__thread = driving.before;
}

static bool is_asked_to_end(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->closing, acquire) ||
           SWIVEL_LOAD(&loop->refusal, acquire) != SWIVEL_OK;
}

/// Whether the loop was told to stop; once for each time it was told.
static bool take_stop(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->stop, acquire) && SWIVEL_EXCHANGE(&loop->stop, false, acquire);
}

void swivel__loop_drive(swivel_loop *loop)
{
    driving driving = drive_begin(loop);
    while (!is_asked_to_end(loop) && !take_stop(loop)) {
        bool more = swivel__turn(loop, swivel__clock_exact(&loop->clock));
        if (is_asked_to_end(loop) || SWIVEL_LOAD(&loop->stop, acquire)) {
            continue;
        }
        swivel__park(loop, !more, more ? 0 : swivel__wheel_next_deadline(&loop->wheel));
    }
    drive_end(loop, driving);
}

/// Leaves a loop that nobody drives until the next run: whatever it is to do makes its descriptor
/// readable.
static void rest(swivel_loop *loop, bool more)
{
    uint64_t next = swivel__wheel_next_deadline(&loop->wheel);
    if (more || !swivel__wake_park(&loop->wake, &loop->inbox, next)) {
        swivel__park_ring(&loop->park);
    } else {
        swivel__park_arm(loop->park, next);
    }
}

int swivel_loop_run(swivel_loop *loop)
{
    int status = swivel__drive_enter(loop);
    if (status == SWIVEL_OK) {
        swivel__loop_drive(loop);
        if (!is_asked_to_end(loop)) {
            rest(loop, true);
        }
        swivel__drive_leave(loop);
        status = swivel_loop_refusal(loop);
    }
    return status;
}

int swivel_loop_run_once(swivel_loop *loop, bool wait, bool *more)
{
    int status = swivel__drive_enter(loop);
    if (status != SWIVEL_OK) {
        return status;
    }
    driving driving = drive_begin(loop);
    bool idle = loop->local.head == loop->local.tail && !is_asked_to_end(loop);
    swivel__park(loop, wait && idle, swivel__wheel_next_deadline(&loop->wheel));
    bool left = swivel__turn(loop, swivel__clock_exact(&loop->clock));
    drive_end(loop, driving);
    if (!is_asked_to_end(loop)) {
        rest(loop, left);
    }
    swivel__drive_leave(loop);
    if (more != NULL) {
        *more = left;
    }
    return swivel_loop_refusal(loop);
}

static int pump(swivel_loop *loop, bool (*done)(void *), void *argument, uint64_t deadline_ns,
                uint64_t look_ns)
{
    uint64_t patience_ends_ns = 0;
    for (bool has_waited = false; !done(argument); has_waited = true) {
        uint64_t now = swivel__clock_exact(&loop->clock);
        if (now >= deadline_ns && !has_waited) {
            return 0;
        }
        bool more = swivel__turn(loop, now);
        if (done(argument)) {
            return 1;
        }
        // Now, not before the turn: what was due or sent by the deadline has had its chance,
        // however late the kernel woke the loop.
        if (loop->dead || now >= deadline_ns) {
            return 0;
        }
        uint64_t next = swivel__wheel_next_deadline(&loop->wheel);
        next = next < deadline_ns ? next : deadline_ns;
        if (!more && swivel__clock_is_manual(&loop->clock)) {
            if (!swivel__manual_wait(loop, &patience_ends_ns, look_ns)) {
                return done(argument) ? 1 : SWIVEL_ESTUCK;
            }
            continue;
        }
        uint64_t look = look_ns == 0 ? SWIVEL_NEVER_NS : swivel_now_ns() + look_ns;
        swivel__park(loop, !more, next < look ? next : look);
    }
    return 1;
}

int swivel__loop_pump(swivel_loop *loop, bool (*done)(void *), void *argument, uint64_t deadline_ns,
                      uint64_t look_ns)
{
    char here;
    if ((uintptr_t)&here < loop->stack_low) {
        return SWIVEL_EDEADLOCK;
    }
    bool in_guest = swivel__guest_suspend(loop);
    int result = pump(loop, done, argument, deadline_ns, look_ns);
    if (in_guest) {
        swivel__guest_resume(loop);
    }
    return result;
}

int swivel_loop_pump(swivel_loop *loop, bool (*done)(void *), void *argument, uint64_t deadline_ns)
{
    return swivel__loop_pump(loop, done, argument, deadline_ns, 0);
}

int swivel__advance(swivel_loop *loop, uint64_t instant_ns, uint64_t turns)
{
    uint64_t last = instant_ns < SWIVEL_NEVER_NS ? instant_ns : SWIVEL_NEVER_NS - 1;
    if (swivel_loop_is_current(loop) && swivel__clock_is_manual(&loop->clock)) {
        swivel__clock_set(&loop->clock, last);
        return SWIVEL_OK;
    }
    int status = swivel__drive_enter(loop);
    if (status != SWIVEL_OK) {
        return status;
    }
    driving driving = drive_begin(loop);
    for (uint64_t left = turns; status == SWIVEL_OK; left--) {
        bool more = swivel__turn(loop, swivel__clock_exact(&loop->clock));
        more |= !swivel__inbox_is_empty(&loop->inbox);
        uint64_t next = swivel__wheel_next_deadline(&loop->wheel);
        if (is_asked_to_end(loop)) {
            break;
        }
        uint64_t now = swivel__clock_exact(&loop->clock);
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
    drive_end(loop, driving);
    swivel__drive_leave(loop);
    return status;
}

void swivel_loop_advance(swivel_loop *loop, uint64_t instant_ns)
{
    swivel__advance(loop, instant_ns, UINT64_MAX);
}

/// Posts where a limit is set: counts the posts that wait. `limit`: refuse beyond that.
static int post_counted(swivel_loop *loop, swivel_work work, uint64_t limit)
{
    if (loop->config.manual_diverts && !swivel__is_own(loop)) {
        return SWIVEL_EDIVERTED;
    }
    uint64_t waiting = SWIVEL_FETCH_ADD(&loop->waiting_posts, 1, relaxed);
    int status = SWIVEL_EFULL;
    if (waiting < limit) {
        swivel_entry entry = {work.function, work.context};
        status = !swivel__is_own(loop)          ? swivel__send(loop, entry, SWIVEL_INSTANT_NOW)
                 : swivel__own_post(loop, work) ? SWIVEL_OK
                                                : -ENOMEM;
    }
    if (status != SWIVEL_OK) {
        SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, relaxed);
        swivel__refuse(loop, status);
    }
    return status;
}

int swivel_post(swivel_loop *loop, swivel_work work)
{
    if (SWIVEL_UNLIKELY(loop->config.max_pending_posts != 0)) {
        return post_counted(loop, work, UINT64_MAX);
    }
    if (swivel__is_own(loop)) {
        return swivel__own_post(loop, work) ? SWIVEL_OK : swivel__refuse(loop, -ENOMEM);
    }
    swivel_entry entry = {work.function, work.context};
    int status = swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
    return SWIVEL_LIKELY(status == SWIVEL_OK) ? SWIVEL_OK : swivel__refuse(loop, status);
}

int swivel_try_post(swivel_loop *loop, swivel_work work)
{
    uint64_t limit = loop->config.max_pending_posts;
    return limit == 0 ? swivel_post(loop, work) : post_counted(loop, work, limit);
}

void swivel_loop_wake(swivel_loop *loop)
{
    swivel__wake_now(&loop->wake, swivel__park_ring, &loop->park);
}

void swivel_loop_stop(swivel_loop *loop)
{
    if (loop->has_thread) {
        return;
    }
    SWIVEL_STORE(&loop->stop, true, release);
    swivel_loop_wake(loop);
}

int swivel__refuse(swivel_loop *loop, int status)
{
    SWIVEL_FETCH_ADD(&loop->refused, 1, relaxed);
    int refusal = SWIVEL_LOAD(&loop->refusal, acquire);
    return refusal == SWIVEL_EFORKED ? refusal : status;
}

int swivel_loop_refusal(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->refusal, acquire);
}

swivel_loop *swivel_loop_current(void)
{
    return swivel__thread.current;
}

bool swivel_loop_is_current(swivel_loop *loop)
{
    return swivel__thread.current == loop;
}

const char *swivel_loop_name(swivel_loop *loop)
{
    return loop->name;
}

void *swivel_loop_owner(swivel_loop *loop)
{
    return loop->config.owner;
}

void swivel_loop_set_owner(swivel_loop *loop, void *owner)
{
    swivel__lock(&loop->lock); // Others look whether the owner can be reached.
    loop->config.owner = owner;
    swivel__unlock(&loop->lock);
}

uint64_t swivel_loop_now(swivel_loop *loop)
{
    return swivel__clock_is_manual(&loop->clock) ? swivel__clock_manual(&loop->clock)
                                                 : swivel_now_ns();
}

uint64_t swivel_loop_turn_time(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->turn_ns, relaxed);
}

uint64_t swivel_loop_next_deadline(swivel_loop *loop)
{
    bool work = loop->local.head != loop->local.tail || !swivel__inbox_is_empty(&loop->inbox);
    return work ? 0 : swivel__wheel_next_deadline(&loop->wheel);
}

int swivel_loop_fd(swivel_loop *loop)
{
    return loop->park == NULL ? -1 : swivel__park_fd(loop->park);
}

void swivel_loop_counters(swivel_loop *loop, swivel_counters *counters)
{
#define SWIVEL_COPY(name) counters->name = SWIVEL_LOAD(&loop->name, relaxed)
    SWIVEL_COPY(turns);
    SWIVEL_COPY(posts);
    SWIVEL_COPY(wakes);
    SWIVEL_COPY(parks);
    SWIVEL_COPY(fired);
    SWIVEL_COPY(cancelled);
    SWIVEL_COPY(missed);
    SWIVEL_COPY(refused);
    SWIVEL_COPY(busy_ns);
    SWIVEL_COPY(idle_ns);
    for (int bucket = 0; bucket < SWIVEL_LATENESS_BUCKETS; bucket++) {
        SWIVEL_COPY(lateness[bucket]);
    }
#undef SWIVEL_COPY
    counters->pending = swivel__is_own(loop) ? loop->armed : SWIVEL_LOAD(&loop->pending, relaxed);
}
