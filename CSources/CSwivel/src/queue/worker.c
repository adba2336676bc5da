// SPDX-License-Identifier: Apache-2.0
// A pool's worker, between one piece of work and the next.
#include "../../include/internal/queue/pool.h"

/// Spins in a row whose work another worker has taken, or is not published yet.
#define SWIVEL_POOL_SPINS_MAX 4
/// Work of other bands that a band's work waits for at most.
#define SWIVEL_POOL_PASSES 32

/// The next step of a worker.
typedef enum step { RUN, SPIN, SLEEP, END } step;

/// A worker's way to its next work.
typedef struct search {
    uint32_t window_ns; ///< For how long it spins, from the first spin on.
    int spins;          ///< Those that it has made; the maximum if one has found nothing.
    bool is_late;       ///< It has slept for as long as it may.
} search;

static bool take_from(swivel_inbox *band, swivel_work *work)
{
    swivel_entry entry;
    if (!swivel__inbox_take(band, &entry)) {
        return false;
    }
    // Those that spin compare it with the tail.
    swivel__inbox_publish_head(band);
    *work = (swivel_work){(uintptr_t)entry.first, (uintptr_t)entry.second};
    return true;
}

bool swivel__pool_take(swivel_pool *pool, swivel_work *work)
{
    uint32_t chosen = SWIVEL_POOL_BANDS;
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        swivel_inbox *inbox = &pool->bands[band];
        if (swivel__inbox_is_empty(inbox) || !swivel__inbox_ready(inbox)) {
            continue;
        }
        if (chosen == SWIVEL_POOL_BANDS || ++pool->passed[band] >= SWIVEL_POOL_PASSES) {
            chosen = band;
        }
    }
    if (chosen == SWIVEL_POOL_BANDS) {
        return false;
    }
    pool->passed[chosen] = 0;
    return take_from(&pool->bands[chosen], work);
}

void swivel__pool_join(swivel_pool *pool, swivel_worker *worker, void *owner)
{
    *worker = (swivel_worker){
        .state = SWIVEL_WORKER_STARTING, .owner = owner, .probe = swivel__probe_of_thread()};
    swivel__pool_enter(pool);
    pool->is_refused = false;
    worker->next = pool->workers;
    pool->workers = worker;
    swivel__unlock(&pool->lock);
}

/// The worker leaves the pool.
static void part(swivel_pool *pool, const swivel_worker *worker)
{
    swivel_worker **link = &pool->workers;
    while (*link != worker) {
        link = &(*link)->next;
    }
    *link = worker->next;
    pool->threads -= 1;
    for (int bucket = 0; bucket < SWIVEL_DELAY_BUCKETS; bucket++) {
        pool->delays[bucket] += SWIVEL_LOAD(&worker->delays[bucket], relaxed);
    }
}

/// Counts the worker in where it is from here on.
static void become(swivel_pool *pool, swivel_worker *worker, swivel_worker_state state)
{
    pool->starting -= worker->state == SWIVEL_WORKER_STARTING;
    pool->spinning -= worker->state == SWIVEL_WORKER_SPINNING;
    pool->spinning += state == SWIVEL_WORKER_SPINNING;
    worker->state = state;
}

/// Whether the worker is to spin: half of those that run may, so that work has a processor.
static bool is_to_spin(const swivel_pool *pool, swivel_worker *worker, search *search)
{
    uint32_t others = pool->spinning - (worker->state == SWIVEL_WORKER_SPINNING);
    if (search->spins == SWIVEL_POOL_SPINS_MAX || others >= (pool->width + 1) / 2) {
        return false;
    }
    if (search->spins == 0) {
        search->window_ns = swivel__spin_before_sleep(&worker->spin, SWIVEL_NEVER_NS);
        swivel__thread.is_awaited = false;
    }
    return search->window_ns > 0;
}

/// Decides, under the lock.
static step decide(swivel_pool *pool, swivel_worker *worker, search *search, swivel_work *work)
{
    // A worker whose closure was blocked for long counts again. After less than a period of the
    // monitor the next one is likely to block as well, and the worker counts after the next check.
    if (!worker->is_brief || pool->monitor != SWIVEL_MONITOR_ARMED) {
        swivel__pool_see(pool, worker);
    }
    // The substitute of a blocked thread is too many once that continues. It sleeps until the next
    // wait, and ends only if `width` others sleep: frequent waits would start a thread each time.
    bool is_surplus = swivel__pool_awake(pool) > swivel__pool_room(pool);
    if (!is_surplus && swivel__pool_take(pool, work)) {
        pool->progress += 1;
        worker->begun += 1;
        become(pool, worker, SWIVEL_WORKER_WORKING);
        return RUN;
    }
    if (worker->is_unseen) {
        swivel__pool_see(pool, worker);
        is_surplus = swivel__pool_awake(pool) > swivel__pool_room(pool);
    }
    bool ends = search->is_late || (is_surplus && pool->sleeping >= pool->width);
    if (ends && !pool->is_probed) {
        become(pool, worker, SWIVEL_WORKER_WORKING);
        part(pool, worker);
        return END;
    }
    if (!is_surplus && is_to_spin(pool, worker, search)) {
        become(pool, worker, SWIVEL_WORKER_SPINNING);
        return SPIN;
    }
    become(pool, worker, SWIVEL_WORKER_WORKING);
    worker->below = pool->last;
    pool->last = worker;
    pool->sleeping += 1;
    return SLEEP;
}

static bool has_work(void *pool)
{
    return swivel__pool_queued(pool) != 0;
}

/// Takes a worker whose time is over from those asleep. False: another thread has, and wakes it.
static bool get_up(swivel_pool *pool, swivel_worker *worker)
{
    swivel_worker **link = &pool->last;
    while (*link != NULL && *link != worker) {
        link = &(*link)->below;
    }
    if (*link == NULL) {
        return false;
    }
    *link = worker->below;
    pool->sleeping -= 1;
    return true;
}

/// Sleeps until it is unparked or late, and enters again.
static void sleep_until(swivel_pool *pool, swivel_worker *worker, search *search, uint64_t idle_ns)
{
    swivel_mono until = swivel__mono_after(swivel__mono_now(), idle_ns);
    bool is_unparked = swivel__parker_sleep(&worker->parker, until);
    swivel__pool_enter(pool);
    *search = (struct search){.spins = 0};
    if (!is_unparked && get_up(pool, worker)) {
        search->is_late = true;
    } else if (!is_unparked) {
        swivel__unlock(&pool->lock);
        swivel__parker_sleep(&worker->parker, SWIVEL_MONO_NEVER);
        swivel__pool_enter(pool);
    }
}

/// The present time in the stamp of a job: units of 1,024 ns, modulo 2^31.
static uint32_t stamp_now(void)
{
    return (uint32_t)(swivel__mono_now().ns >> 10) & 0x7FFFFFFF;
}

uint64_t swivel__pool_job_word(uint32_t kind)
{
    return swivel__message(SWIVEL_JOB, kind, stamp_now());
}

/// Notes what the worker is about to run; of a callback, its closure. Counts how long a job waited.
static void note(swivel_worker *worker, swivel_work work)
{
    if (swivel__is_job(work.function)) {
        uint32_t stamp = (uint32_t)(work.function >> 32) & 0x7FFFFFFF;
        uint64_t delay_ns = (uint64_t)((stamp_now() - stamp) & 0x7FFFFFFF) << 10;
        uint32_t bucket = delay_ns == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(delay_ns);
        bucket = bucket < SWIVEL_DELAY_BUCKETS ? bucket : SWIVEL_DELAY_BUCKETS - 1;
        SWIVEL_COUNT(&worker->delays[bucket], 1);
    }
    bool has_closure = swivel__has_closure(work.function);
    swivel__worker_note(worker, has_closure ? *(const uintptr_t *)work.context : work.function);
}

int swivel__pool_next(swivel_pool *pool, swivel_worker *worker, uint64_t idle_ns, swivel_work *work)
{
    search search = {.spins = 0};
    swivel__worker_note(worker, 0);
    swivel__pool_enter(pool);
    for (;;) {
        bool counts = worker->state != SWIVEL_WORKER_WORKING || worker->is_unseen;
        step step = decide(pool, worker, &search, work);
        int actions = 0;
        if (step == RUN && !counts) {
            swivel__unlock(&pool->lock); // Nothing has changed for other threads.
        } else {
            actions = swivel__pool_leave(pool);
        }
        if (step == RUN) {
            note(worker, *work);
            return actions | SWIVEL_POOL_RUN;
        }
        if (step == END) {
            return actions;
        }
        if (step == SPIN) {
            swivel_mono ended;
            bool found = swivel__spin_for(&worker->spin, search.window_ns, has_work, pool, &ended);
            search.spins = found ? search.spins + 1 : SWIVEL_POOL_SPINS_MAX;
            swivel__pool_enter(pool);
        } else {
            sleep_until(pool, worker, &search, idle_ns);
        }
    }
}

bool swivel__pool_help(swivel_pool *pool, uintptr_t awaited, swivel_work *work)
{
    if (SWIVEL_LOAD(&pool->state, relaxed) != SWIVEL_POOL_BUSY || swivel__stack_is_low()) {
        return false;
    }
    swivel__pool_enter(pool);
    swivel_inbox *band = &pool->bands[SWIVEL_POOL_USUAL];
    bool helps = swivel__inbox_ready(band) && swivel__inbox_slot(band)->second == awaited &&
                 take_from(band, work);
    pool->progress += helps;
    swivel__unlock(&pool->lock); // No count has changed.
    return helps;
}
