// SPDX-License-Identifier: Apache-2.0
// How an entry gets to a loop: counted, refused, or pushed so that the loop wakes for it.
#ifndef SWIVEL_INTERNAL_POST_H
#define SWIVEL_INTERNAL_POST_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

enum {
    /// A status code: the loop's owner chooses the order of this post; see `swivel_config`.
    SWIVEL_EDIVERTED = -20007,
};

/// Calls `has_room` each time that a post begins and fewer than `posts` wait behind it; 0 ends it.
/// If fewer wait already, the caller finds that in `swivel__waiting_posts` afterwards. The loop
/// counts posts: it has a limit or a mark. **Thread:** any.
static inline void swivel__await_room(swivel_loop *loop, uint64_t posts)
{
    SWIVEL_STORE(&loop->room_mark, posts, seq_cst);
}

/// The posts that wait, on a loop that counts them. **Thread:** any.
static inline uint64_t swivel__waiting_posts(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->waiting_posts, seq_cst);
}

/// Allows the next call of `high_water`. **Thread:** any.
static inline void swivel__end_high_water(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->is_high, false, release);
}

/// Counts a refusal and returns its reason.
int swivel__refuse(swivel_loop *loop, int status);
/// A post that was counted leaves the queue: its work is about to run. **Thread:** the loop's.
void swivel__post_begins(swivel_loop *loop);
/// Takes back the count of the running post, which ran no code of users. **Thread:** the loop's.
static inline void swivel__uncount_post(swivel_loop *loop)
{
    SWIVEL_COUNT(&loop->posts, (uint64_t)-1);
}

/// How `swivel__post` treats a post without room, or without memory.
typedef enum swivel_post_kind {
    SWIVEL_POST_UNLIMITED, ///< There is always room.
    SWIVEL_POST_LIMITED,
    SWIVEL_POST_IF_ROOM, ///< As limited; a refusal for want of room is not counted.
    SWIVEL_POST_SURELY,  ///< Waits for memory, until the loop drains. Not on the loop's thread.
} swivel_post_kind;

/// Posts work. Returns `SWIVEL_OK`, or why it is still the caller's. **Thread:** any.
int swivel__post(swivel_loop *loop, swivel_work work, swivel_post_kind kind);
/// Posts diverted work, for the thread that posted it first. Returns as `swivel__post`.
/// **Thread:** any.
int swivel__post_diverted(swivel_loop *loop, swivel_work work);

/// Whether the loop refuses posts beyond a limit.
static inline bool swivel__limits_posts(const swivel_loop *loop)
{
    return loop->config.max_pending_posts != 0;
}

/// Pushes an entry, and wakes the loop by `instant_ns`. **Thread:** any.
static inline int swivel__send(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns)
{
    // Even an entry without an instant wakes a loop that is parked for any.
    instant_ns = instant_ns < SWIVEL_INSTANT_LAZY ? instant_ns : SWIVEL_INSTANT_LAZY;
    uint64_t waiting;
    int status = swivel__inbox_push(&loop->inbox, entry, &waiting);
    if (SWIVEL_LIKELY(status == SWIVEL_OK)) {
        if (SWIVEL_UNLIKELY(SWIVEL_SETTING(&loop->drove) == &swivel__thread)) {
            // Its own posts in the next drive come after this entry.
            SWIVEL_STORE(&loop->sent, swivel__inbox_tail(&loop->inbox), relaxed);
        }
        // The wake-up fd is open while a thread may write to it: see `notifying` in wake.h.
        swivel__wake_for(&loop->wake, instant_ns, waiting, loop->notify, &loop->park);
    }
    return status;
}

/// As `swivel__send`, but waits for memory until the loop drains. **Thread:** any but the loop's.
int swivel__send_surely(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns);

/// Posts a callback on the loop's own thread. False on any other thread, and without memory.
static inline bool swivel__own_callback(swivel_loop *loop, swivel_work work)
{
    swivel_entry entry = {work.function, work.context};
    if (!swivel__is_own(loop) || !swivel__ring_push(&loop->local, entry)) {
        return false;
    }
    if (SWIVEL_UNLIKELY(loop->counts_posts)) {
        SWIVEL_FETCH_ADD(&loop->waiting_posts, 1, relaxed);
    }
    return true;
}

/// Posts a job, which is not a closure and never released unrun, because a task waits in it: it
/// runs even if the loop closes first. `hooks.run` gets both words of its message, `kind` in 28
/// bits and `job`, as work. **Thread:** any.
///
/// Returns `SWIVEL_OK`; `SWIVEL_ESHUTDOWN` or `SWIVEL_EFORKED`, and the job is still the caller's;
/// or `-ENOMEM`, on the loop's own thread only.
static inline int swivel__post_job(swivel_loop *loop, uint32_t kind, uint64_t job)
{
    swivel_entry entry = {swivel__message(SWIVEL_JOB, kind, 0), job};
    if (swivel__is_own(loop)) {
        return swivel__ring_push(&loop->local, entry) ? SWIVEL_OK : -12; // ENOMEM
    }
    return swivel__send_surely(loop, entry, SWIVEL_INSTANT_NOW);
}

// The order of posts that a thread makes to a loop's ring, in its closures, and to its inbox.

/// The calling thread begins to drive the loop: own posts from here on come after what it has sent,
/// and those of an earlier drive before that.
void swivel__gate_enter(swivel_loop *loop);
/// The calling thread is in a closure of the loop, and leaves it for another loop or for the
/// source's work: what it sends from here on is noted. `NULL`: it was in none.
void swivel__gate_leave(swivel_loop *SWIVEL_NULLABLE loop);
/// It is back: what it has sent comes after own posts of before, and before those of later.
void swivel__gate_return(swivel_loop *SWIVEL_NULLABLE loop);

SWIVEL_ASSUME_NONNULL_END

#endif
