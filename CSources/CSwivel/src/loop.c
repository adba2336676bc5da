// SPDX-License-Identifier: Apache-2.0
#include "../include/internal/hot.h"

#include <errno.h>

_Thread_local swivel_thread swivel__thread;

/// Hands a post over, on whichever thread.
static int hand_over(swivel_loop *loop, swivel_work work)
{
    if (swivel__is_own(loop)) {
        return swivel__own_post(loop, work) ? SWIVEL_OK : -ENOMEM;
    }
    if (loop->config.manual_diverts) {
        int refusal = swivel_loop_refusal(loop);
        return refusal == SWIVEL_OK ? SWIVEL_EDIVERTED : refusal;
    }
    swivel_entry entry = {work.function, work.context};
    return swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
}

/// Posts where a limit is set: counts the posts that wait, diverted ones too. `limit`: refuse beyond
/// that.
static int post_counted(swivel_loop *loop, swivel_work work, uint64_t limit)
{
    uint64_t waiting = SWIVEL_FETCH_ADD(&loop->waiting_posts, 1, relaxed);
    int status = waiting < limit ? hand_over(loop, work) : SWIVEL_EFULL;
    if (status == SWIVEL_OK || status == SWIVEL_EDIVERTED) {
        return status;
    }
    SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, relaxed);
    return swivel__refuse(loop, status);
}

/// Posts where no limit is set.
static inline int post(swivel_loop *loop, swivel_work work)
{
    if (swivel__is_own(loop)) {
        return swivel__own_post(loop, work) ? SWIVEL_OK : swivel__refuse(loop, -ENOMEM);
    }
    swivel_entry entry = {work.function, work.context};
    int status = swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
    return SWIVEL_LIKELY(status == SWIVEL_OK) ? SWIVEL_OK : swivel__refuse(loop, status);
}

int swivel_post(swivel_loop *loop, swivel_work work)
{
    if (SWIVEL_UNLIKELY(loop->config.max_pending_posts != 0)) {
        return post_counted(loop, work, UINT64_MAX);
    }
    return post(loop, work);
}

int swivel_try_post(swivel_loop *loop, swivel_work work)
{
    uint64_t limit = loop->config.max_pending_posts;
    if (SWIVEL_UNLIKELY(limit != 0)) {
        return post_counted(loop, work, limit);
    }
    return post(loop, work);
}

void swivel_loop_wake(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->woken, true, release);
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
    SWIVEL_COPY(missed);
    SWIVEL_COPY(refused);
    SWIVEL_COPY(busy_ns);
    SWIVEL_COPY(idle_ns);
    for (int bucket = 0; bucket < SWIVEL_LATENESS_BUCKETS; bucket++) {
        SWIVEL_COPY(lateness[bucket]);
    }
#undef SWIVEL_COPY
    counters->cancelled = SWIVEL_LOAD(&loop->cancelled, relaxed) +
                          swivel__tally_cancelled(&loop->tally);
    counters->pending = swivel__pending_timers(loop);
}
