// SPDX-License-Identifier: Apache-2.0
// Posts, and the words to a loop that are no closures: wake, stop.
#include "../../include/internal/hot.h"

#include <errno.h>
#include <sched.h>

/// Hands a post over, on whichever thread.
static int hand_over(swivel_loop *loop, swivel_work work)
{
    if (swivel__is_own(loop)) {
        return swivel__own_post(loop, work) ? SWIVEL_OK : -ENOMEM;
    }
    if (loop->diverts_posts) {
        int refusal = swivel_loop_refusal(loop);
        return refusal == SWIVEL_OK ? SWIVEL_EDIVERTED : refusal;
    }
    swivel_entry entry = {work.function, work.context};
    return swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
}

/// Counts the posts that wait, diverted ones too, and refuses those beyond the limit.
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

/// Posts where nothing is counted.
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
    if (SWIVEL_UNLIKELY(loop->counts_posts)) {
        return post_counted(loop, work, UINT64_MAX);
    }
    return post(loop, work);
}

int swivel_try_post(swivel_loop *loop, swivel_work work)
{
    if (SWIVEL_UNLIKELY(loop->counts_posts)) {
        uint64_t limit = loop->config.max_pending_posts;
        return post_counted(loop, work, limit != 0 ? limit : UINT64_MAX);
    }
    return post(loop, work);
}

void swivel_loop_wake(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->woken, true, release);
    bool slept = swivel__wake_now(&loop->wake, loop->ring, &loop->park);
    swivel__expect(slept ? SWIVEL_REPLY_SOME : SWIVEL_REPLY_SOON); // It has waited for this.
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

int swivel__send_job(swivel_loop *loop, uint64_t first, uint64_t second)
{
    swivel_entry entry = {first, second};
    int status;
    while ((status = swivel__send(loop, entry, SWIVEL_INSTANT_NOW)) == -ENOMEM) {
        sched_yield(); // The loop's segments come back while it drains, and a job is not dropped.
    }
    int refusal = SWIVEL_LOAD(&loop->refusal, acquire);
    return status != SWIVEL_OK && refusal == SWIVEL_EFORKED ? refusal : status;
}
