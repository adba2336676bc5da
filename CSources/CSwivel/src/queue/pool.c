// SPDX-License-Identifier: Apache-2.0
// The counts of a pool, and what follows from them.
#include "../../include/internal/queue/pool.h"

#include <stdlib.h>

/// Tries before a thread sleeps for the lock, which is held for some tens of nanoseconds.
#ifndef SWIVEL_POOL_TRIES
#define SWIVEL_POOL_TRIES 100
#endif

swivel_pool *swivel__pool_make(uint32_t width, uint32_t limit, uint32_t unseen_limit)
{
    void *memory = NULL;
    if (posix_memalign(&memory, _Alignof(swivel_pool), sizeof(swivel_pool)) != 0) {
        return NULL;
    }
    swivel_pool *pool = memory;
    unseen_limit = unseen_limit < width ? width : unseen_limit;
    *pool = (swivel_pool){.width = width, .limit = limit, .unseen_limit = unseen_limit};
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        if (swivel__inbox_init(&pool->bands[band]) != SWIVEL_OK) {
            swivel__pool_free(pool);
            return NULL;
        }
        swivel__inbox_open(&pool->bands[band]);
    }
    SWIVEL_STORE(&pool->state, SWIVEL_POOL_UNPARKS, relaxed);
    return pool;
}

void swivel__pool_free(swivel_pool *pool)
{
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        if (pool->bands[band].directory != NULL) { // Else there was no memory for it.
            swivel__inbox_close(&pool->bands[band]);
            swivel__inbox_reset(&pool->bands[band]);
            free(pool->bands[band].directory);
        }
    }
    free(pool);
}

/// Whether all workers are in Swivel's waits, and no more can start.
static bool is_exhausted(const swivel_pool *pool)
{
    return pool->blocked == pool->threads && (pool->threads >= pool->limit || pool->is_refused);
}

static bool may_start(const swivel_pool *pool)
{
    return pool->threads - pool->blocked - pool->unseen < swivel__pool_room(pool) &&
           !swivel__pool_is_full(pool);
}

/// Whether one of those asleep may run work next to those that are awake.
static bool may_unpark(const swivel_pool *pool)
{
    return pool->last != NULL && swivel__pool_awake(pool) < swivel__pool_room(pool);
}

/// Whether it is to be reported that all workers are blocked, and no more can start.
static bool reports(const swivel_pool *pool)
{
    return !pool->has_reported && pool->blocked + pool->unseen == pool->threads &&
           (swivel__pool_is_full(pool) || pool->is_refused);
}

/// Whether work may be left to workers that are busy.
static bool is_armed(const swivel_pool *pool)
{
    return pool->monitor == SWIVEL_MONITOR_ARMED;
}

/// Whether work is published. The tail comes first, because it shows a new segment.
static bool has_work(swivel_pool *pool)
{
    bool has = false;
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        swivel_inbox *inbox = &pool->bands[band];
        has = has || (!swivel__inbox_is_empty(inbox) && swivel__inbox_ready(inbox));
    }
    return has;
}

/// Publishes the state that the counts give. True: a push is to take the lock.
static bool publish(swivel_pool *pool)
{
    bool unparks = may_unpark(pool) || may_start(pool) || reports(pool) || !is_armed(pool);
    uint32_t state = pool->spinning + pool->starting > 0 ? SWIVEL_POOL_COMING
                     : unparks                           ? SWIVEL_POOL_UNPARKS
                                                         : SWIVEL_POOL_BUSY;
    if (state != SWIVEL_LOAD(&pool->state, relaxed)) {
        SWIVEL_STORE(&pool->state, state, seq_cst);
    }
    return state == SWIVEL_POOL_UNPARKS;
}

/// Has the monitor check the pool 20 ms later. Returns an action if its thread has to be started.
static int arm(swivel_pool *pool, swivel_parker *SWIVEL_NULLABLE *SWIVEL_NONNULL unparked)
{
    int actions = SWIVEL_POOL_MONITOR;
    if (pool->monitor == SWIVEL_MONITOR_IDLE) {
        *unparked = &pool->monitor_parker;
        actions = 0;
    }
    pool->monitor = SWIVEL_MONITOR_ARMED;
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        pool->marks[band] = swivel__inbox_tail(&pool->bands[band]);
    }
    return actions;
}

/// If work waits: wakes a worker, counts a new one, or arms the monitor. Returns actions.
static int provide(swivel_pool *pool, swivel_parker *SWIVEL_NULLABLE *SWIVEL_NONNULL unparked)
{
    // The state is stored first and the bands read second: a push that is not seen here sees the
    // state.
    if (!publish(pool) || !has_work(pool)) {
        return 0;
    }
    int actions = 0;
    if (may_unpark(pool)) {
        swivel_worker *worker = pool->last; // The last to fall asleep.
        pool->last = worker->below;
        pool->sleeping -= 1;
        pool->starting += 1;
        worker->state = SWIVEL_WORKER_STARTING;
        *unparked = &worker->parker;
    } else if (may_start(pool)) {
        pool->threads += 1;
        pool->starting += 1;
        actions = SWIVEL_POOL_START;
    } else {
        actions = is_armed(pool) ? 0 : arm(pool, unparked);
        if (reports(pool)) {
            pool->has_reported = true;
            actions |= SWIVEL_POOL_REPORT;
        }
    }
    publish(pool);
    return actions;
}

void swivel__pool_enter(swivel_pool *pool)
{
    for (int tries = 0; tries < SWIVEL_POOL_TRIES; tries++) {
        if (swivel__try_lock(&pool->lock)) {
            return;
        }
        SWIVEL_PAUSE();
    }
    swivel__lock(&pool->lock);
}

/// Gives the lock up, and wakes a thread without it.
static void leave(swivel_pool *pool, swivel_parker *SWIVEL_NULLABLE unparked)
{
    swivel__unlock(&pool->lock);
    if (unparked != NULL) {
        swivel__parker_wake(unparked);
    }
}

int swivel__pool_leave(swivel_pool *pool)
{
    swivel_parker *unparked = NULL;
    int actions = provide(pool, &unparked);
    leave(pool, unparked);
    return actions;
}

int swivel__pool_begin_wait(swivel_pool *pool, swivel_worker *worker, bool is_endless)
{
    swivel__pool_enter(pool);
    swivel__pool_see(pool, worker);
    worker->is_waiting = true;
    pool->blocked += 1;
    pool->endless += is_endless;
    int watches = is_endless && is_exhausted(pool) ? SWIVEL_POOL_WATCH : 0;
    return swivel__pool_leave(pool) | watches;
}

int swivel__pool_end_wait(swivel_pool *pool, swivel_worker *worker, bool was_endless)
{
    swivel__pool_enter(pool);
    worker->is_waiting = false;
    pool->blocked -= 1;
    pool->endless -= was_endless;
    pool->progress += 1;
    return swivel__pool_leave(pool);
}

int swivel__pool_watch(swivel_pool *pool, uint64_t *stuck_at)
{
    swivel__pool_enter(pool);
    bool is_over = !is_exhausted(pool);
    // A thread that was refused may start soon, and end the waits.
    bool can_end = is_over || pool->threads < pool->limit || pool->endless < pool->blocked ||
                   swivel__pool_queued(pool) == 0;
    uint64_t now_at = can_end ? 0 : pool->progress + 1;
    bool is_stuck = now_at != 0 && now_at == *stuck_at;
    *stuck_at = now_at;
    // The system may have threads again.
    return swivel__pool_leave(pool) | (is_over ? 0 : SWIVEL_POOL_WATCH) |
           (is_stuck ? SWIVEL_POOL_STUCK : 0);
}

int swivel__pool_refused(swivel_pool *pool)
{
    swivel_parker *unparked = NULL;
    swivel__pool_enter(pool);
    pool->threads -= 1;
    pool->starting -= 1;
    pool->is_refused = true;
    int actions = (pool->has_reported_refusal ? 0 : SWIVEL_POOL_FIRST) |
                 (pool->threads == 0 ? SWIVEL_POOL_NONE : 0);
    pool->has_reported_refusal = true;
    // Those asleep have counted on the thread. The next push or check starts another one.
    if (publish(pool) && pool->last != NULL) {
        actions |= provide(pool, &unparked);
    } else if (!is_armed(pool) && swivel__pool_queued(pool) > 0) {
        actions |= arm(pool, &unparked);
        publish(pool);
    }
    leave(pool, unparked);
    return actions;
}

void swivel__pool_monitor_refused(swivel_pool *pool)
{
    swivel__pool_enter(pool);
    pool->monitor = SWIVEL_MONITOR_NONE;
    publish(pool);
    swivel__unlock(&pool->lock);
}

swivel_pool_count swivel__pool_count(swivel_pool *pool)
{
    swivel__pool_enter(pool);
    swivel_pool_count count = {
        .threads = pool->threads,
        .idle = pool->starting + pool->spinning + pool->sleeping,
        .blocked = pool->blocked + pool->unseen,
        .queued = swivel__pool_queued(pool),
    };
    swivel__unlock(&pool->lock);
    return count;
}
