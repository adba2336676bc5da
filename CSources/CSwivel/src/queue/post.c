// SPDX-License-Identifier: Apache-2.0
// Posts and their order; stops and wakes, which have no entry.
#include "../../include/internal/queue/post.h"

#include <errno.h>
#include <sched.h>

/// Hands a post over, on any thread.
static inline int hand_over(swivel_loop *loop, swivel_work work)
{
    swivel_entry entry = {work.function, work.context};
    if (swivel__is_own(loop)) {
        return swivel__ring_push(&loop->local, entry) ? SWIVEL_OK : -ENOMEM;
    }
    return swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
}

static inline bool is_taken(int status)
{
    return SWIVEL_LIKELY(status == SWIVEL_OK || status == SWIVEL_EDIVERTED);
}

/// Reports once to the owner that this many posts wait.
static void report_high_water(swivel_loop *loop, uint64_t waiting)
{
    uint64_t mark = loop->config.high_water_posts;
    if (mark != 0 && waiting >= mark && !SWIVEL_LOAD(&loop->is_high, relaxed) &&
        !SWIVEL_EXCHANGE(&loop->is_high, true, acq_rel)) {
        loop->config.high_water(loop->config.owner);
    }
}

/// Counts the posts that wait, diverted ones too, and refuses those beyond the limit.
static int post_counted(swivel_loop *loop, swivel_work work, bool is_limited)
{
    uint64_t waiting = SWIVEL_FETCH_ADD(&loop->waiting_posts, 1, seq_cst);
    uint64_t limit = loop->config.max_pending_posts;
    bool is_full = is_limited && limit != 0 && waiting >= limit;
    bool diverts = loop->config.diverts_posts && !swivel__is_own(loop);
    // A loop that is over still counts posts that it has discarded: it is not full.
    int refusal = is_full || diverts ? swivel_loop_refusal(loop) : SWIVEL_OK;
    int status = refusal != SWIVEL_OK ? refusal
                 : is_full            ? SWIVEL_EFULL
                 : diverts            ? SWIVEL_EDIVERTED
                                      : hand_over(loop, work);
    if (is_taken(status)) {
        report_high_water(loop, waiting + 1);
    } else {
        SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, seq_cst);
    }
    return status;
}

/// Reports to the owner that there is room, if it has requested that.
static inline void report_room(swivel_loop *loop, uint64_t waiting)
{
    if (SWIVEL_UNLIKELY(waiting < SWIVEL_LOAD(&loop->room_mark, seq_cst))) {
        loop->config.has_room(loop->config.owner);
    }
}

/// Wakes a loop without memory for more entries: those that wait may be lazy and not wake it.
static void wait_for_memory(swivel_loop *loop)
{
    swivel_loop_wake(loop);
    sched_yield();
}

int swivel__post(swivel_loop *loop, swivel_work work, swivel_post_kind kind)
{
    bool is_limited = kind == SWIVEL_POST_LIMITED || kind == SWIVEL_POST_IF_ROOM;
    int status;
    for (;;) {
        status = SWIVEL_UNLIKELY(loop->counts_posts) ? post_counted(loop, work, is_limited)
                                                     : hand_over(loop, work);
        if (is_taken(status)) {
            return status;
        }
        if (kind != SWIVEL_POST_SURELY || status != -ENOMEM) {
            break;
        }
        wait_for_memory(loop);
    }
    if (kind == SWIVEL_POST_IF_ROOM && status == SWIVEL_EFULL) {
        return status; // Without a report of room: its caller is about to request that.
    }
    // A post that is refused counts for a moment: others may have seen no room.
    report_room(loop, SWIVEL_LOAD(&loop->waiting_posts, seq_cst));
    return swivel__refuse(loop, status);
}

int swivel_post(swivel_loop *loop, swivel_work work)
{
    return swivel__post(loop, work, SWIVEL_POST_UNLIMITED);
}

int swivel_try_post(swivel_loop *loop, swivel_work work)
{
    return swivel__post(loop, work, SWIVEL_POST_LIMITED);
}

int swivel__send_surely(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns)
{
    int status;
    while ((status = swivel__send(loop, entry, instant_ns)) == -ENOMEM) {
        wait_for_memory(loop);
    }
    int refusal = SWIVEL_LOAD(&loop->refusal, acquire);
    return status != SWIVEL_OK && refusal == SWIVEL_EFORKED ? refusal : status;
}

int swivel__post_diverted(swivel_loop *loop, swivel_work work)
{
    // It was counted when it was diverted; the turn that runs it takes it off.
    swivel_entry entry = {work.function, work.context};
    int status = swivel__send(loop, entry, SWIVEL_INSTANT_NOW);
    if (status != SWIVEL_OK) {
        SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, relaxed);
        swivel__refuse(loop, status);
    }
    return status;
}

void swivel__post_begins(swivel_loop *loop)
{
    // Pairs with the store of the mark: its setter sees the room, or this thread the mark.
    report_room(loop, SWIVEL_FETCH_SUB(&loop->waiting_posts, 1, seq_cst) - 1);
}

void swivel_loop_wake(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->woken, true, release);
    swivel__wake_now(&loop->wake, loop->notify, &loop->park);
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
        // The refusal is stored after the inbox has closed, under this lock: callers may read it.
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

/// Orders own posts and what this thread has sent since the last call, which comes between those
/// there are and later ones. None waits for entries that other threads send during this.
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
        SWIVEL_STORE(&loop->sent, swivel__inbox_tail(&loop->inbox), relaxed);
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
