// SPDX-License-Identifier: Apache-2.0
// The work of a pool's workers, for reports.
#include "../../include/internal/queue/pool.h"

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
