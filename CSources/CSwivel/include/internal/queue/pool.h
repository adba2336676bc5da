// SPDX-License-Identifier: Apache-2.0
// A worker pool: its queue, in bands by priority, and its threads, which run work, spin for work,
// or sleep.
//
//     push                                a worker that stops spinning, under the lock
//     publish the entry                   is counted out; if no other comes: state = UNPARKS
//     read `state`:                       read the inbox
//       UNPARKS: take the lock, wake one  no entry: sleep; else: it wakes one itself
//
// Both write first and read second, sequentially consistent, so one of them sees the other
// (Dekker). So does who disarms the monitor or makes the last worker busy. docs/design/pool.md.
#ifndef SWIVEL_INTERNAL_POOL_H
#define SWIVEL_INTERNAL_POOL_H

#include "../thread/lock.h"
#include "../thread/parker.h"
#include "../thread/thread.h"
#include "inbox.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Bands of the queue: a worker takes from the first that has work, and from a later one that was
/// passed over too often.
#ifndef SWIVEL_POOL_BANDS
#define SWIVEL_POOL_BANDS 4
#endif
/// The band of closures, and of tasks of the usual priority.
#define SWIVEL_POOL_USUAL (SWIVEL_POOL_BANDS > 1 ? 1 : 0)

/// The word by which a push decides whether to unpark a worker.
typedef enum swivel_pool_state {
    SWIVEL_POOL_BUSY,    ///< No worker can come.
    SWIVEL_POOL_COMING,  ///< A worker spins for work, or is about to.
    SWIVEL_POOL_UNPARKS, ///< The push is to take the lock: a worker sleeps, one more may start, a
                         ///< report is due, or the monitor is to be armed.
} swivel_pool_state;

typedef enum swivel_monitor_state {
    SWIVEL_MONITOR_NONE,  ///< There is no such thread.
    SWIVEL_MONITOR_IDLE,  ///< It sleeps until it is armed.
    SWIVEL_MONITOR_ARMED, ///< It checks the pool when its period is over, or is about to start.
} swivel_monitor_state;

typedef enum swivel_worker_state {
    SWIVEL_WORKER_STARTING, ///< It was woken, or is about to start.
    SWIVEL_WORKER_SPINNING,
    SWIVEL_WORKER_WORKING, ///< Or sleeps.
} swivel_worker_state;

/// The work of a worker, for reports.
typedef struct swivel_running {
    uint64_t function; ///< A closure's, or a callback's as in the queue; 0: none.
    const char *SWIVEL_NULLABLE text; ///< Its label, or the file of its call site.
    uint64_t line;                    ///< The call site's line; 0: `text` is a label.
    uintptr_t worker;                 ///< Distinguishes it from other workers.
    uint64_t begun;                   ///< Work that the worker has taken, this included.
} swivel_running;

/// How long tasks' jobs have waited in a pool's queue: bucket *k* counts those that waited for less
/// than 2^k ns and at least half of that, to a microsecond.
#define SWIVEL_DELAY_BUCKETS 40

/// A thread of a pool. The pool's lock guards what is not atomic.
typedef struct swivel_worker {
    swivel_worker_state state;
    struct swivel_worker *SWIVEL_NULLABLE below; ///< Of those asleep.
    struct swivel_worker *SWIVEL_NULLABLE next;  ///< Of all, the latest first.
    swivel_parker parker;
    swivel_spin spin;
    uint64_t begun;   ///< Work that it has taken.
    uint64_t checked; ///< `begun` at the last check.
    bool is_waiting;  ///< It is in one of Swivel's waits.
    bool is_unseen;   ///< It counts among the pool's `unseen`.
    bool is_brief;    ///< The work in which it was blocked had begun after the check before.
    bool is_blocked;  ///< The monitor's: it is to be probed, and then the result.
    swivel_probe probe;          ///< The monitor's.

    // Stored by the worker alone, and read by reports: see `swivel_running`.
    SWIVEL_ATOMIC(uint64_t) function;
    SWIVEL_ATOMIC(const char *) text;
    SWIVEL_ATOMIC(uint64_t) line;
    SWIVEL_ATOMIC(uint64_t) delays[SWIVEL_DELAY_BUCKETS];

    void *SWIVEL_NULLABLE owner; ///< The Swift layer's.
} swivel_worker;

/// The threads of a pool at one instant; not its monitor.
typedef struct swivel_pool_count {
    uint32_t threads, idle;
    uint32_t blocked; ///< In Swivel's waits, or in others when the monitor checked last.
    uint64_t queued;
} swivel_pool_count;

typedef struct swivel_pool {
    swivel_inbox bands[SWIVEL_POOL_BANDS]; ///< The lock makes a worker their consumer.
    _Alignas(64) SWIVEL_ATOMIC(uint32_t) state; ///< Written under the lock.
    _Alignas(64) swivel_lock lock; ///< Guards what follows.
    uint32_t width, limit; ///< How many run work at once, and how many exist at most.
    uint32_t unseen_limit; ///< How many exist at most that are in none of Swivel's waits.
    uint32_t threads;      ///< All of them, those included that are about to start.
    uint32_t starting, spinning, sleeping; ///< Those without work.
    uint32_t blocked, endless; ///< Those in a wait, and those of them in one without a time limit.
    uint32_t unseen; ///< Those that were blocked elsewhere at the last check: see `is_brief`.
    uint32_t ramp;   ///< How many more than `width` may run until the next check.
    uint32_t step;   ///< How many the next check may add.
    bool is_refused;           ///< The system has refused the last thread that was asked for.
    bool has_reported, has_reported_refusal;
    uint64_t progress; ///< Work begun and waits ended: while it stands still nothing happens here.
    swivel_worker *SWIVEL_NULLABLE last; ///< The last to fall asleep, and the first to be woken.
    swivel_worker *SWIVEL_NULLABLE workers; ///< All of them.
    uint64_t delays[SWIVEL_DELAY_BUCKETS]; ///< Of the workers that have ended.
    swivel_monitor_state monitor;
    uint64_t marks[SWIVEL_POOL_BANDS]; ///< The tails when the monitor was armed or checked last.
    uint32_t passed[SWIVEL_POOL_BANDS]; ///< How often work of the band has waited for another's.
    bool is_probed; ///< The monitor reads the list of workers without the lock: none leaves it.
    swivel_parker monitor_parker;
} swivel_pool;

/// Actions of a function's caller, in bits.
enum {
    SWIVEL_POOL_START = 1,    ///< Start a thread: it is counted already.
    SWIVEL_POOL_REPORT = 2,   ///< Report that work waits and all threads do; once per pool.
    SWIVEL_POOL_RUN = 4,      ///< Run the work that was taken.
    SWIVEL_POOL_STUCK = 8,    ///< See `swivel__pool_watch`.
    SWIVEL_POOL_WATCH = 16,   ///< All threads wait, and no more can start.
    SWIVEL_POOL_MONITOR = 32, ///< Start the monitor's thread.
    SWIVEL_POOL_END = 64,     ///< The monitor's thread has left the pool.
    SWIVEL_POOL_NONE = 128,   ///< The pool has no thread, and work.
    SWIVEL_POOL_FIRST = 256,  ///< The refusal is the pool's first: report it.
};

/// Returns a pool without threads; `NULL` without memory.
swivel_pool *SWIVEL_NULLABLE swivel__pool_make(uint32_t width, uint32_t limit,
                                               uint32_t unseen_limit);
/// Frees a pool that has no thread and is empty.
void swivel__pool_free(swivel_pool *pool);
/// Takes the next work, if it is published. **Thread:** one that has entered, or the only one.
bool swivel__pool_take(swivel_pool *pool, swivel_work *work);

/// Threads that run work or spin for some, as far as is known. **Thread:** one that has entered.
static inline uint32_t swivel__pool_awake(const swivel_pool *pool)
{
    return pool->threads - pool->blocked - pool->unseen - pool->sleeping;
}

/// How many may be awake until the next check. **Thread:** one that has entered.
static inline uint32_t swivel__pool_room(const swivel_pool *pool)
{
    return pool->width + pool->ramp;
}

/// Whether no thread may be added, however many are blocked. **Thread:** one that has entered.
static inline bool swivel__pool_is_full(const swivel_pool *pool)
{
    return pool->threads >= pool->limit || pool->threads - pool->blocked >= pool->unseen_limit;
}

/// Work that no worker has taken, published or not. **Thread:** any; exact if it has entered.
static inline uint64_t swivel__pool_queued(swivel_pool *pool)
{
    uint64_t count = 0;
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        swivel_inbox *inbox = &pool->bands[band];
        // Each take publishes the head.
        count += swivel__inbox_tail(inbox) - SWIVEL_LOAD(&inbox->head, relaxed);
    }
    return count;
}

/// Takes the pool's lock.
void swivel__pool_enter(swivel_pool *pool);
/// After a change: if work waits, wakes or counts a worker. Gives the lock up. Returns actions.
int swivel__pool_leave(swivel_pool *pool);

/// Appends work to a band. Returns actions, or a negative errno if the work was not taken.
/// **Thread:** any.
static inline int swivel__pool_push_to(swivel_pool *pool, uint32_t band, swivel_work work)
{
    uint64_t waiting;
    swivel_entry entry = {work.function, work.context};
    int status = swivel__inbox_push(&pool->bands[band], entry, &waiting);
    if (SWIVEL_UNLIKELY(status != SWIVEL_OK)) {
        return status;
    }
    uint32_t state = SWIVEL_LOAD(&pool->state, seq_cst);
    if (SWIVEL_LIKELY(state != SWIVEL_POOL_UNPARKS)) {
        return 0;
    }
    swivel__pool_enter(pool);
    return swivel__pool_leave(pool);
}

/// Appends work to the usual band, as `swivel__pool_push_to` does.
static inline int swivel__pool_push(swivel_pool *pool, swivel_work work)
{
    return swivel__pool_push_to(pool, SWIVEL_POOL_USUAL, work);
}

/// The first word of a job of a task that is queued now.
uint64_t swivel__pool_job_word(uint32_t kind);

/// The calling thread has started. It was counted.
void swivel__pool_join(swivel_pool *pool, swivel_worker *worker, void *SWIVEL_NULLABLE owner);
/// Takes work, or spins and sleeps for some. Returns actions; without `SWIVEL_POOL_RUN` the thread
/// has left the pool, idle or one too many. **Thread:** one of the pool's, outside of a wait.
int swivel__pool_next(swivel_pool *pool, swivel_worker *worker, uint64_t idle_ns,
                      swivel_work *work);
/// Takes the work of this second word for a worker about to wait for it, if it is next, no worker
/// is unparked for it, and the stack has room. **Thread:** one of the pool's, outside of a wait.
bool swivel__pool_help(swivel_pool *pool, uintptr_t awaited, swivel_work *work);
/// The calling worker is about to wait, and another one takes its place. Returns actions.
int swivel__pool_begin_wait(swivel_pool *pool, swivel_worker *worker, bool is_endless);
/// Its wait is over. Returns actions.
int swivel__pool_end_wait(swivel_pool *pool, swivel_worker *worker, bool was_endless);

/// Counts the worker as not blocked outside of Swivel's waits. **Thread:** one that has entered.
static inline void swivel__pool_see(swivel_pool *pool, swivel_worker *worker)
{
    pool->unseen -= worker->is_unseen;
    worker->is_unseen = false;
}

/// For the thread that found all threads in waits, now and then: `SWIVEL_POOL_WATCH` if they still
/// are, `SWIVEL_POOL_STUCK` if nothing but queued work can end a wait and nothing has happened
/// since the last call. `*stuck_at` is 0 at first.
int swivel__pool_watch(swivel_pool *pool, uint64_t *stuck_at);

/// Names what the calling worker runs, for reports. `text` must stay. Returns the name before.
static inline swivel_running swivel__worker_name(swivel_worker *worker,
                                                 const void *SWIVEL_NULLABLE text, uint64_t line)
{
    swivel_running before = {.text = SWIVEL_LOAD(&worker->text, relaxed),
                             .line = SWIVEL_LOAD(&worker->line, relaxed)};
    SWIVEL_STORE(&worker->text, (const char *)text, relaxed);
    SWIVEL_STORE(&worker->line, line, relaxed);
    return before;
}

/// Notes which closure the calling worker runs inside of its work.
static inline void swivel__worker_note(swivel_worker *worker, uint64_t function)
{
    SWIVEL_STORE(&worker->function, function, relaxed);
}

/// One step of the monitor: sleeps until it is armed, or checks the pool 20 ms later. Returns
/// actions; with `SWIVEL_POOL_END` it has left the pool, not armed for `idle_ns`.
int swivel__pool_monitor(swivel_pool *pool, uint64_t idle_ns);
/// Notes that the system has refused the monitor its thread: a later push arms it again.
void swivel__pool_monitor_refused(swivel_pool *pool);
/// Notes that the system has refused a thread that was counted. Returns actions.
int swivel__pool_refused(swivel_pool *pool);
swivel_pool_count swivel__pool_count(swivel_pool *pool);
/// Adds how long jobs of tasks have waited to `delays`.
void swivel__pool_delays(swivel_pool *pool, uint64_t delays[SWIVEL_NONNULL SWIVEL_DELAY_BUCKETS]);
/// Writes what the workers run into `running`. Returns how many run something, up to `capacity`.
uint32_t swivel__pool_running(swivel_pool *pool, swivel_running *running, uint32_t capacity);

SWIVEL_ASSUME_NONNULL_END

#endif
