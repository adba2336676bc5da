// SPDX-License-Identifier: Apache-2.0
// A pool's monitor: which workers are blocked in code that Swivel cannot see, and what follows;
// what the workers run, for reports.
#include "../../include/internal/queue/pool.h"

/// Between two checks; and if no thread may be added, so that a check only finds progress.
#define SWIVEL_POOL_CHECK_NS UINT64_C(20000000)
#define SWIVEL_POOL_CHECK_FULL_NS UINT64_C(200000000)

/// Whether the worker runs work, and is in none of Swivel's waits.
static bool may_be_unseen(swivel_worker *worker)
{
    return !worker->is_waiting && SWIVEL_LOAD(&worker->function, relaxed) != 0;
}

/// Chooses the workers to probe.
static void suspect(swivel_worker *worker)
{
    for (; worker != NULL; worker = worker->next) {
        worker->is_blocked = may_be_unseen(worker);
        if (worker->is_blocked) {
            worker->is_brief = worker->checked != worker->begun;
            worker->checked = worker->begun;
        }
    }
}

/// Counts those that are blocked. One that has ended its work since it was probed is not.
static void judge(swivel_pool *pool, swivel_worker *worker)
{
    for (; worker != NULL; worker = worker->next) {
        swivel__pool_see(pool, worker);
        worker->is_unseen =
            worker->is_blocked && worker->begun == worker->checked && may_be_unseen(worker);
        pool->unseen += worker->is_unseen;
    }
}

/// Probes the workers, without the lock because that reads files, and adds some if work waits.
static void probe(swivel_pool *pool, bool grows)
{
    swivel_worker *first = pool->workers;
    suspect(first);
    pool->is_probed = true;
    swivel__unlock(&pool->lock);
    for (swivel_worker *worker = first; worker != NULL; worker = worker->next) {
        worker->is_blocked = worker->is_blocked && swivel__probe_is_blocked(&worker->probe);
    }
    swivel__pool_enter(pool);
    pool->is_probed = false;
    judge(pool, first);
    if (!grows) {
        pool->ramp = pool->step = 0;
        return;
    }
    // Twice as many as the last check has added, up to one for each that is blocked, because those
    // may be about to block as well.
    uint32_t awake = swivel__pool_awake(pool);
    uint32_t missing = awake < pool->width ? pool->width - awake : 0;
    uint32_t step = pool->step < pool->unseen ? pool->step : pool->unseen;
    uint32_t added = missing == 0 || step < missing ? missing : step;
    pool->ramp = added - missing;
    pool->step = 2 * added;
}

/// Whether work waits that was there at the last check, and moves the marks to the present tails.
static bool is_overdue(swivel_pool *pool)
{
    bool is_overdue = false;
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        is_overdue = is_overdue || pool->bands[band].cursor < pool->marks[band];
        pool->marks[band] = swivel__inbox_tail(&pool->bands[band]);
    }
    return is_overdue;
}

int swivel__pool_monitor(swivel_pool *pool, uint64_t idle_ns)
{
    swivel__pool_enter(pool);
    bool checks = pool->monitor == SWIVEL_MONITOR_ARMED;
    bool is_full = swivel__pool_is_full(pool);
    swivel__unlock(&pool->lock);
    uint64_t sleep_ns = !checks   ? idle_ns
                        : is_full ? SWIVEL_POOL_CHECK_FULL_NS
                                  : SWIVEL_POOL_CHECK_NS;
    swivel_mono until = swivel__mono_after(swivel__mono_now(), sleep_ns);
    bool is_unparked;
    do { // A check is due at the end of the time: the wake is the call's that has armed it.
        is_unparked = swivel__parker_sleep(&pool->monitor_parker, until);
    } while (checks && is_unparked);
    swivel__pool_enter(pool);
    if (checks) {
        // Work that came after the last check may just have come.
        probe(pool, is_overdue(pool));
        if (swivel__pool_queued(pool) == 0) {
            // Leaving reads the bands once more, and arms the monitor again if there is work.
            pool->monitor = SWIVEL_MONITOR_IDLE;
        }
        return swivel__pool_leave(pool);
    }
    bool ends = !is_unparked && pool->monitor == SWIVEL_MONITOR_IDLE;
    if (ends) {
        pool->monitor = SWIVEL_MONITOR_NONE;
    }
    return swivel__pool_leave(pool) | (ends ? SWIVEL_POOL_END : 0);
}

void swivel__pool_delays(swivel_pool *pool, uint64_t delays[SWIVEL_DELAY_BUCKETS])
{
    swivel__pool_enter(pool);
    for (int bucket = 0; bucket < SWIVEL_DELAY_BUCKETS; bucket++) {
        delays[bucket] += pool->delays[bucket];
        for (swivel_worker *worker = pool->workers; worker != NULL; worker = worker->next) {
            delays[bucket] += SWIVEL_LOAD(&worker->delays[bucket], relaxed);
        }
    }
    swivel__unlock(&pool->lock);
}

uint32_t swivel__pool_running(swivel_pool *pool, swivel_running *running, uint32_t capacity)
{
    uint32_t count = 0;
    swivel__pool_enter(pool);
    for (swivel_worker *worker = pool->workers; worker != NULL && count < capacity;
         worker = worker->next) {
        running[count] = (swivel_running){
            .function = SWIVEL_LOAD(&worker->function, relaxed),
            .text = SWIVEL_LOAD(&worker->text, relaxed),
            .line = SWIVEL_LOAD(&worker->line, relaxed),
            .worker = (uintptr_t)worker,
            .begun = worker->begun,
        };
        count += running[count].function != 0;
    }
    swivel__unlock(&pool->lock);
    return count;
}
