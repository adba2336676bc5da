// SPDX-License-Identifier: Apache-2.0
// Loops with a thread that were dropped and not shut down. Their threads keep them alive, so that
// timers without a handle fire. A loop that has nothing to run and that nobody can reach will never
// run anything: it keeps its thread and descriptors until another loop needs them.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/thread/registry.h"
#include "../../include/internal/timer/timer.h"

/// How long to wait for loops that were asked to close. They have nothing to do.
#define SWIVEL_CLOSING_NS UINT64_C(1000000000)

/// Under the lock.
static bool is_unreachable(const swivel_loop *loop)
{
    return loop->life == SWIVEL_OPEN && loop->has_thread && !loop->dead &&
           loop->config.owner != NULL && loop->config.is_unreachable != NULL &&
           loop->config.is_unreachable(loop->config.owner);
}

/// Whether the loop looks as if it slept with nothing to run. **Thread:** any.
static bool seems_idle(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->wake.parked, acquire) != SWIVEL_AWAKE &&
           swivel__pending_timers(loop) == 0 &&
           SWIVEL_LOAD(&loop->watchers.count, relaxed) == 0;
}

static swivel_loop *record(uint32_t id, uint32_t *epoch)
{
    swivel__lock(&swivel__records_lock);
    swivel_loop *loop = swivel__loop_record(id);
    *epoch = loop == NULL ? 0 : SWIVEL_SETTING(&loop->epoch);
    swivel__unlock(&swivel__records_lock);
    return loop;
}

static bool ask(swivel_loop *loop)
{
    swivel__lock(&loop->lock);
    loop->asked = is_unreachable(loop) && seems_idle(loop);
    bool asked = loop->asked;
    swivel__unlock(&loop->lock);
    if (asked) {
        SWIVEL_STORE(&loop->stop, true, release);
        swivel_loop_wake(loop);
    }
    return asked;
}

/// Waits for a loop that was asked, if this one was. Returns whether it has closed.
static bool wait_for(swivel_loop *loop, uint32_t epoch, swivel_real until)
{
    swivel__lock(&loop->lock);
    bool in_time = true;
    while (in_time && loop->asked && SWIVEL_SETTING(&loop->epoch) == epoch &&
           loop->life != SWIVEL_CLOSED_DOWN) {
        in_time = swivel__condition_wait(&loop->changed, &loop->lock, until);
    }
    bool closed = SWIVEL_SETTING(&loop->epoch) != epoch || loop->life == SWIVEL_CLOSED_DOWN;
    swivel__unlock(&loop->lock);
    return closed;
}

uint32_t swivel__unreachable_close(void)
{
    uint32_t closed = 0, epoch;
    swivel_real until = swivel__real_after(swivel__real_now(), SWIVEL_CLOSING_NS);
    swivel_loop *loop;
    for (uint32_t id = 0; (loop = record(id, &epoch)) != NULL; id++) {
        closed += ask(loop) && wait_for(loop, epoch, until);
    }
    return closed;
}

void swivel__unreachable_visit(void (*visit)(const char *name))
{
    swivel_loop *loop;
    uint32_t epoch;
    for (uint32_t id = 0; (loop = record(id, &epoch)) != NULL; id++) {
        swivel__lock(&loop->lock);
        bool is_news = is_unreachable(loop) && seems_idle(loop) && !loop->named;
        loop->named |= is_news;
        swivel__unlock(&loop->lock);
        if (is_news) {
            visit(loop->name);
        }
    }
}

bool swivel__unreachable_answer(swivel_loop *loop)
{
    if (SWIVEL_LOAD(&loop->refusal, acquire) != SWIVEL_OK) {
        return false;
    }
    // No turn is on the stack, so these counts are complete.
    bool idle = swivel__pending_timers(loop) == 0 && loop->handed == 0 && !swivel__has_own_work(loop) &&
                swivel__inbox_is_empty(&loop->inbox) && loop->watchers.first == NULL;
    swivel__lock(&loop->lock);
    if (loop->asked && idle && is_unreachable(loop)) {
        swivel__begin_closing(loop, SWIVEL_CANCEL_PENDING, 0);
    } else {
        loop->asked = false;
        swivel__condition_broadcast(&loop->changed);
    }
    bool goes_on = loop->life == SWIVEL_OPEN;
    swivel__unlock(&loop->lock);
    return goes_on;
}
