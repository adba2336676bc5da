// SPDX-License-Identifier: Apache-2.0
// Loops with a thread that were dropped and not shut down. Their threads keep them alive, so that
// timers without a handle fire. A loop that has nothing to run and that nobody can reach will never
// run anything: it keeps its thread and descriptors until another loop needs them.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/thread/registry.h"
#include "../../include/internal/timer/timer.h"

/// How long to wait for loops that are to close. They have nothing to do.
#define SWIVEL_CLOSING_NS UINT64_C(1000000000)

/// Under the lock.
static bool is_unreachable(const swivel_loop *loop)
{
    return loop->life == SWIVEL_OPEN && loop->has_thread && !loop->dead &&
           loop->config.owner != NULL && loop->config.is_unreachable != NULL &&
           loop->config.is_unreachable(loop->config.owner);
}

/// Whether a loop that nobody can reach sleeps with nothing to run. A post that came before its
/// sender let the loop go is urgent until a drain takes it, and a loop is awake while it drains: so
/// the loop is looked at in the opposite order. Under the lock.
static bool is_idle(swivel_loop *loop)
{
    SWIVEL_THREAD_FENCE(seq_cst); // That look at its references need not acquire.
    return SWIVEL_LOAD(&loop->wake.parked, seq_cst) != SWIVEL_AWAKE &&
           SWIVEL_LOAD(&loop->wake.urgent, seq_cst) >= SWIVEL_INSTANT_LAZY &&
           swivel__pending_timers(loop) == 0 &&
           SWIVEL_LOAD(&loop->watchers.count, relaxed) == 0;
}

static swivel_loop *record(uint32_t id)
{
    swivel__lock(&swivel__records_lock);
    swivel_loop *loop = swivel__loop_record(id);
    swivel__unlock(&swivel__records_lock);
    return loop;
}

/// Closes the loop if it has nothing to run and nobody can reach it. Returns whether it has closed.
static bool close_unreachable(swivel_loop *loop, swivel_real until)
{
    swivel__lock(&loop->lock);
    uint32_t epoch = loop->epoch;
    bool closes = is_unreachable(loop) && is_idle(loop), has_closed = false;
    if (closes) {
        swivel__begin_closing(loop, SWIVEL_CANCEL_PENDING, 0);
        swivel_loop_wake(loop);
    }
    for (bool in_time = true; closes && in_time && !has_closed;) {
        in_time = swivel__condition_wait(&loop->changed, &loop->lock, until);
        has_closed = loop->epoch != epoch || loop->life == SWIVEL_CLOSED_DOWN;
    }
    swivel__unlock(&loop->lock);
    return has_closed;
}

uint32_t swivel__unreachable_close(void)
{
    uint32_t closed = 0;
    swivel_real until = swivel__real_after(swivel__real_now(), SWIVEL_CLOSING_NS);
    swivel_loop *loop;
    for (uint32_t id = 0; (loop = record(id)) != NULL; id++) {
        closed += close_unreachable(loop, until);
    }
    return closed;
}

void swivel__unreachable_visit(void (*visit)(const char *name))
{
    swivel_loop *loop;
    for (uint32_t id = 0; (loop = record(id)) != NULL; id++) {
        swivel__lock(&loop->lock);
        bool is_news = is_unreachable(loop) && is_idle(loop) && !loop->named;
        loop->named |= is_news;
        swivel__unlock(&loop->lock);
        if (is_news) {
            visit(loop->name);
        }
    }
}
