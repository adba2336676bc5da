// SPDX-License-Identifier: Apache-2.0
// A worker pool's queue, and its threads: who runs work, who looks for some, who sleeps.
//
// Work goes through an inbox, so that a push takes no lock. Workers take it under the pool's lock,
// one at a time: the order in which work starts is the order in which it came. A push wakes nobody
// while a worker looks for work, or is on its way to do so; `mood` tells.
//
//     push                                a worker that has looked in vain, under the lock
//     publish the entry                   is counted out; with nobody left: mood = CALLS
//     look at `mood`:                     look at the inbox
//       CALLS: take the lock, wake one    no entry: sleep; else: it is woken, by itself
//
// Both write first and look second, all sequentially consistent, so at least one of them sees the
// other (Dekker). A worker that stops looking because it has found work sees to it in the same way
// that another one comes for the rest: so a burst wakes worker after worker, and one push one.
#ifndef SWIVEL_INTERNAL_POOL_H
#define SWIVEL_INTERNAL_POOL_H

#include "../thread/lock.h"
#include "../thread/parker.h"
#include "../thread/thread.h"
#include "inbox.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The word by which a push knows whether to call a worker.
typedef enum swivel_pool_mood {
    SWIVEL_POOL_BUSY,  ///< Nobody can come.
    SWIVEL_POOL_COMES, ///< A worker is on its way.
    SWIVEL_POOL_LOOKS, ///< A worker looks at the inbox.
    SWIVEL_POOL_CALLS, ///< The push is to take the lock: a worker sleeps, one more may start, or a
                       ///< report is due.
} swivel_pool_mood;

typedef enum swivel_worker_state {
    SWIVEL_WORKER_COMES, ///< It was woken, or is about to start.
    SWIVEL_WORKER_LOOKS,
    SWIVEL_WORKER_WORKS, ///< Or sleeps.
} swivel_worker_state;

/// A thread of a pool.
typedef struct swivel_worker {
    swivel_worker_state state;
    struct swivel_worker *SWIVEL_NULLABLE below; ///< Of those asleep. The pool's lock guards it.
    swivel_parker parker;
} swivel_worker;

/// The threads of a pool at one instant.
typedef struct swivel_pool_count {
    uint32_t threads, idle, blocked;
    uint64_t queued;
} swivel_pool_count;

typedef struct swivel_pool {
    swivel_inbox inbox; ///< The lock makes a worker its consumer.
    _Alignas(64) SWIVEL_ATOMIC(uint32_t) mood; ///< Written under the lock.
    _Alignas(64) swivel_lock lock; ///< Guards what follows.
    uint32_t width, limit; ///< How many run work at once, and how many exist at most.
    uint32_t threads;      ///< All of them, those included that are about to start.
    uint32_t coming, looking, sleeping; ///< Those without work.
    uint32_t blocked, endless; ///< Those in a wait, and those of them in one without a time limit.
    bool is_refused;           ///< The system has refused the last thread that was asked for.
    bool has_reported, has_reported_refusal;
    uint64_t progress; ///< Work begun and waits ended: while it stands still nothing happens here.
    swivel_worker *SWIVEL_NULLABLE last; ///< The last to fall asleep, and the first to be woken.
} swivel_pool;

/// Duties of a function's caller, in bits.
enum {
    SWIVEL_POOL_START = 1,  ///< Start a thread: it is counted already.
    SWIVEL_POOL_REPORT = 2, ///< Report that work waits and all threads do; once a pool.
    SWIVEL_POOL_RUN = 4,    ///< Run the work that was taken.
    SWIVEL_POOL_STUCK = 8,  ///< See `swivel__pool_watch`.
    SWIVEL_POOL_WATCH = 16, ///< All threads wait, and no more can start.
};

/// Returns a pool without threads; `NULL` without memory.
swivel_pool *SWIVEL_NULLABLE swivel__pool_make(uint32_t width, uint32_t limit);

/// Frees a pool that has no thread and is empty.
void swivel__pool_free(swivel_pool *pool);

/// Takes the oldest work, if it is published. **Thread:** one that has entered, or the only one.
bool swivel__pool_take(swivel_pool *pool, swivel_work *work);

/// Threads that run work or look for some. **Thread:** one that has entered.
static inline uint32_t swivel__pool_awake(const swivel_pool *pool)
{
    return pool->threads - pool->blocked - pool->sleeping;
}

/// Takes the pool's lock.
void swivel__pool_enter(swivel_pool *pool);
/// After a change of the counts: makes sure that somebody comes if work waits, and gives the lock
/// up. Returns duties.
int swivel__pool_leave(swivel_pool *pool);

/// Cold path of `swivel__pool_push`: wakes a worker or counts a new one. Returns duties.
int swivel__pool_call(swivel_pool *pool);

/// Appends work. Returns duties, or a negative errno if the work was not taken.
///
/// **Thread:** any.
static inline int swivel__pool_push(swivel_pool *pool, swivel_work work)
{
    uint64_t waiting;
    swivel_entry entry = {work.function, work.context};
    int status = swivel__inbox_push(&pool->inbox, entry, &waiting);
    if (SWIVEL_UNLIKELY(status != SWIVEL_OK)) {
        return status;
    }
    uint32_t mood = SWIVEL_LOAD(&pool->mood, seq_cst);
    swivel__expect(mood == SWIVEL_POOL_BUSY    ? SWIVEL_REPLY_SOME
                   : mood == SWIVEL_POOL_LOOKS ? SWIVEL_REPLY_SOON
                                               : SWIVEL_REPLY_WOKEN);
    return SWIVEL_UNLIKELY(mood == SWIVEL_POOL_CALLS) ? swivel__pool_call(pool) : 0;
}

/// The calling thread has started. It was counted.
void swivel__pool_join(swivel_pool *pool, swivel_worker *worker);

/// Takes work, and looks and sleeps until there is some. Returns duties; without
/// `SWIVEL_POOL_RUN` the thread has left the pool, after `idle_ns` without work or because it is
/// one too many and others sleep.
///
/// **Thread:** one of the pool's, outside of a wait.
int swivel__pool_next(swivel_pool *pool, swivel_worker *worker, uint64_t idle_ns,
                      swivel_work *work);

/// Takes the work whose second word is `awaited` for a worker that is about to wait for it, if it is
/// next and nobody is called for it: another worker would come only once this one sleeps, which takes
/// two changes of thread. False as well where the stack is nearly used up. **Thread:** one of the
/// pool's, outside of a wait.
bool swivel__pool_help(swivel_pool *pool, uintptr_t awaited, swivel_work *work);

/// The calling thread of the pool is about to wait, and another one takes its place. Returns
/// duties; `SWIVEL_POOL_WATCH` may be one.
int swivel__pool_begin_wait(swivel_pool *pool, bool is_endless);
/// Its wait is over. Returns duties.
int swivel__pool_end_wait(swivel_pool *pool, bool was_endless);

/// For the thread that found all threads in waits, now and then: `SWIVEL_POOL_WATCH` if they still
/// are. `*stuck_at` is 0 at first. `SWIVEL_POOL_STUCK`: since the last look nothing has happened
/// that could end a wait, and nothing but queued work can.
int swivel__pool_watch(swivel_pool *pool, uint64_t *stuck_at);

/// Notes that the system has refused a thread that was counted. `*is_first`: the caller reports it.
/// Returns whether the pool has no thread at all.
bool swivel__pool_refused(swivel_pool *pool, bool *is_first);

swivel_pool_count swivel__pool_count(swivel_pool *pool);

SWIVEL_ASSUME_NONNULL_END

#endif
