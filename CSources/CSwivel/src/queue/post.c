// SPDX-License-Identifier: Apache-2.0
// Posts and their order; stops and wakes, which have no entry.
#include "../../include/internal/hot.h"

#include <errno.h>
#include <sched.h>

/// Hands a post over, on whichever thread.
static inline int hand_over(swivel_loop *loop, swivel_work work)
{
    if (swivel__is_own(loop)) {
        return swivel__own_post(loop, work) ? SWIVEL_OK : -ENOMEM;
    }
    swivel_entry entry = {work.function, work.context};
    return swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
}

/// Hands a post over, or lets the loop's owner do it.
static int divert_or_hand_over(swivel_loop *loop, swivel_work work)
{
    if (loop->diverts_posts && !swivel__is_own(loop)) {
        int refusal = swivel_loop_refusal(loop);
        return refusal == SWIVEL_OK ? SWIVEL_EDIVERTED : refusal;
    }
    return hand_over(loop, work);
}

static inline bool is_taken(int status)
{
    return SWIVEL_LIKELY(status == SWIVEL_OK || status == SWIVEL_EDIVERTED);
}

/// Reports that this many posts wait to the owner, once.
static void tell_high_water(swivel_loop *loop, uint64_t waiting)
{
    uint64_t mark = loop->config.high_water_posts;
    if (mark != 0 && waiting >= mark && !SWIVEL_LOAD(&loop->is_high, relaxed) &&
        !SWIVEL_EXCHANGE(&loop->is_high, true, acq_rel)) {
        loop->config.high_water(loop->config.owner);
    }
}

/// Why a post finds no room. A loop that is over still counts posts that it has discarded.
static int why_full(swivel_loop *loop)
{
    int refusal = swivel_loop_refusal(loop);
    return refusal == SWIVEL_OK ? SWIVEL_EFULL : refusal;
}

/// Counts the posts that wait, diverted ones too, and refuses those beyond the limit.
static int post_counted(swivel_loop *loop, swivel_work work, uint64_t limit)
{
    uint64_t waiting = SWIVEL_FETCH_ADD(&loop->waiting_posts, 1, seq_cst);
    int status = waiting < limit ? divert_or_hand_over(loop, work) : why_full(loop);
    if (is_taken(status)) {
        tell_high_water(loop, waiting + 1);
    } else {
        SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, seq_cst);
    }
    return status;
}

/// Reports to the owner that there is room, if it has requested that.
static inline void tell_room(swivel_loop *loop, uint64_t waiting)
{
    if (SWIVEL_UNLIKELY(waiting < SWIVEL_LOAD(&loop->room_mark, seq_cst))) {
        loop->config.has_room(loop->config.owner);
    }
}

/// The limit of posts that wait.
static uint64_t limit(const swivel_loop *loop)
{
    uint64_t limit = loop->config.max_pending_posts;
    return limit != 0 ? limit : UINT64_MAX;
}

/// Counts a refusal. A post that is refused counts for a moment: others may have seen no room.
static inline int refused_or_not(swivel_loop *loop, int status)
{
    if (is_taken(status)) {
        return status;
    }
    tell_room(loop, SWIVEL_LOAD(&loop->waiting_posts, seq_cst));
    return swivel__refuse(loop, status);
}

static inline int post(swivel_loop *loop, swivel_work work, bool is_limited)
{
    if (SWIVEL_UNLIKELY(loop->counts_posts)) {
        return post_counted(loop, work, is_limited ? limit(loop) : UINT64_MAX);
    }
    return hand_over(loop, work);
}

int swivel_post(swivel_loop *loop, swivel_work work)
{
    return refused_or_not(loop, post(loop, work, false));
}

int swivel_try_post(swivel_loop *loop, swivel_work work)
{
    return refused_or_not(loop, post(loop, work, true));
}

int swivel_post_if_room(swivel_loop *loop, swivel_work work)
{
    int status = post(loop, work, true);
    // Without a report of room: its caller is about to request that.
    return is_taken(status) || status == SWIVEL_EFULL ? status : swivel__refuse(loop, status);
}

void swivel__post_begins(swivel_loop *loop)
{
    // Sequentially consistent, as the store of the mark and its reading: a thread that sets a mark sees that there
    // is room, or this sees the mark.
    tell_room(loop, SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, seq_cst) - 1);
}

void swivel__uncount_post(swivel_loop *loop)
{
    SWIVEL_COUNT(&loop->posts, (uint64_t)-1);
}

void swivel_loop_await_room(swivel_loop *loop, uint64_t posts)
{
    SWIVEL_STORE(&loop->room_mark, posts, seq_cst);
}

uint64_t swivel_loop_waiting_posts(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->waiting_posts, seq_cst);
}

void swivel_loop_end_high_water(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->is_high, false, release);
}

void swivel_loop_wake(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->woken, true, release);
    swivel__wake_now(&loop->wake, loop->notify, &loop->park);
    swivel__expect_reply();
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
    if (status == SWIVEL_ESHUTDOWN) {
        // The inbox has closed, and the refusal is stored next, under this lock: the caller may read
        // for the reason.
        swivel__lock(&loop->lock);
        swivel__unlock(&loop->lock);
    }
    int refusal = SWIVEL_LOAD(&loop->refusal, acquire);
    return refusal == SWIVEL_EFORKED ? refusal : status;
}

int swivel_loop_refusal(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->refusal, acquire);
}

int swivel__post_surely(swivel_loop *loop, swivel_work work)
{
    int status;
    while ((status = post(loop, work, false)) == -ENOMEM) {
        swivel_loop_wake(loop);
        sched_yield();
    }
    return refused_or_not(loop, status);
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

/// Orders own posts and what this thread has sent since this was called last: those that are there
/// come before it, and later ones after it. They do not wait for entries that other threads send
/// during this, which may never stop.
static void restore_order(swivel_loop *loop)
{
    uint64_t sent = SWIVEL_LOAD(&loop->sent, relaxed);
    if (sent == loop->settled) {
        return; // Nothing: the inbox must not wait for own posts that may never stop.
    }
    loop->settled = sent;
    loop->left_over = loop->local.tail;
    if (loop->local.head == loop->local.tail) {
        loop->gate = sent;
    } else if (sent > loop->inbox.cursor) {
        // Without memory for a fence they do not wait: their order is lost, but no post is.
        swivel_entry fence = {swivel__message(SWIVEL_FENCE, 0, 0), sent};
        swivel__ring_renew(&loop->local, fence);
    }
}

void swivel__gate_enter(swivel_loop *loop)
{
    if (SWIVEL_LOAD(&loop->drove, relaxed) != &swivel__thread) {
        // Its entries are not known the first time.
        uint64_t sent = SWIVEL_LOAD(&loop->inbox.tail, acquire) & ~SWIVEL_CLOSED;
        SWIVEL_STORE(&loop->sent, sent, relaxed);
        bool is_own = loop->config.drive == SWIVEL_OWN_THREAD;
        SWIVEL_STORE(&loop->drove, is_own ? NULL : &swivel__thread, relaxed);
    }
    restore_order(loop);
}

void swivel__gate_leave(swivel_loop *loop)
{
    if (loop != NULL) {
        SWIVEL_STORE(&loop->drove, &swivel__thread, relaxed);
    }
}

void swivel__gate_return(swivel_loop *loop)
{
    if (loop != NULL) {
        restore_order(loop);
    }
}
