// SPDX-License-Identifier: Apache-2.0
// Asking a loop to close, and waiting until it has.
#include "../../include/internal/drive/drive.h"

/// A thread that is in a turn of `outer` waits for `loop` to close.
typedef struct waiter {
    swivel_loop *outer, *loop;
} waiter;

static bool is_done(void *argument)
{
    waiter *waiter = argument;
    return swivel_loop_refusal(waiter->outer) != SWIVEL_OK ||
           swivel__latch_is_open(&waiter->loop->closed);
}

/// Runs turns of `outer` until `loop` has closed: it may need them to end. False: `outer` is asked
/// to close itself, which it cannot before this returns.
static bool pump_until_closed(swivel_loop *outer, swivel_loop *loop)
{
    waiter waiter = {outer, loop};
    swivel_latch_pump pump = {outer, NULL};
    if (swivel__latch_enter(&loop->closed, &pump)) {
        swivel_loop_pump(outer, is_done, &waiter, SWIVEL_NEVER_NS, 0);
        swivel__latch_leave(&loop->closed, &pump);
    }
    return swivel__latch_is_open(&loop->closed);
}

/// Whether others may wait for this thread to continue `outer`: it is in a turn of it, or is
/// closing it, and releases a closure.
static bool holds_up(swivel_loop *outer)
{
    return !outer->dead && (outer->depth > 0 || swivel_loop_refusal(outer) != SWIVEL_OK);
}

/// Refuses work from here on, and requests the end of the loop. Under the lock.
static void begin_closing(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns)
{
    loop->ran_before = loop->posts + loop->fired;
    loop->mode = mode;
    if (swivel__clock_is_manual(&loop->clock)) {
        loop->until_ns = swivel__saturating_add(swivel__exact_now(loop), within_ns);
    }
    loop->until = swivel__mono_after(swivel__mono_now(), within_ns);
    // The inbox comes first: a loop that sees the refusal closes, and takes what was accepted once.
    swivel__inbox_close(&loop->inbox);
    SWIVEL_STORE(&loop->refusal, SWIVEL_ESHUTDOWN, release);
}

/// Requests the end, if no thread has before. Returns whether the caller has to close the loop,
/// which no thread drives. `inside`: the calling thread drives it.
static bool request(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns, bool inside)
{
    swivel__lock(&loop->lock);
    bool first = swivel_loop_refusal(loop) == SWIVEL_OK;
    bool close = first && !loop->has_thread && !loop->driven;
    if (first) {
        begin_closing(loop, mode, within_ns);
        loop->driven |= close;
        if (inside && mode == SWIVEL_CANCEL_PENDING) {
            loop->refuses_own = true;
            swivel__thread_disown();
        }
    }
    swivel__unlock(&loop->lock);
    if (first && !close) {
        swivel_loop_wake(loop);
    }
    return close;
}

static bool is_inside(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->driver, relaxed) == &swivel__thread;
}

void swivel__begin_shutdown(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns)
{
    if (loop->has_thread && !is_inside(loop)) {
        request(loop, mode, within_ns, false);
    }
}

void swivel_loop_shutdown(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns,
                          swivel_report *report)
{
    bool inside = is_inside(loop);
    if (request(loop, mode, within_ns, inside)) {
        swivel__close(loop);
    }
    const swivel_thread_loops *loops = &swivel__thread.loops;
    swivel_loop *outer = loops->owner != NULL ? loops->owner : loops->current;
    if (!inside && outer != NULL && holds_up(outer)) {
        inside = !pump_until_closed(outer, loop);
    }
    if (!inside) {
        swivel__thread_wait(loop);
    }
    if (report != NULL) {
        swivel__lock(&loop->lock);
        *report = loop->report;
        report->ran = loop->report.complete ? report->ran : swivel__ran(loop);
        swivel__unlock(&loop->lock);
        report->refused = SWIVEL_LOAD(&loop->refused, relaxed);
    }
}
