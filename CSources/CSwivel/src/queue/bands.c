// SPDX-License-Identifier: Apache-2.0
// How work leaves a pool's queue.
#include "../../include/internal/queue/pool.h"

/// Work of other bands that a band's work waits for at most.
#define SWIVEL_POOL_PASSES 32

/// Whether the band's next work is published. The tail comes first, because it shows a new segment.
static bool has_work(swivel_inbox *band)
{
    return !swivel__inbox_is_empty(band) && swivel__inbox_ready(band);
}

bool swivel__pool_has_work(swivel_pool *pool)
{
    bool has = false;
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        has = has || has_work(&pool->bands[band]);
    }
    return has;
}

/// The band to take from; `NULL`: none has work.
static swivel_inbox *SWIVEL_NULLABLE choose(swivel_pool *pool)
{
    uint32_t chosen = SWIVEL_POOL_BANDS;
    for (uint32_t band = 0; band < SWIVEL_POOL_BANDS; band++) {
        if (!has_work(&pool->bands[band])) {
            continue;
        }
        if (chosen == SWIVEL_POOL_BANDS || ++pool->passed[band] >= SWIVEL_POOL_PASSES) {
            chosen = band;
        }
    }
    if (chosen == SWIVEL_POOL_BANDS) {
        return NULL;
    }
    pool->passed[chosen] = 0;
    return &pool->bands[chosen];
}

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
    swivel_inbox *band = choose(pool);
    return band != NULL && take_from(band, work);
}

bool swivel__pool_take_next(swivel_pool *pool, uintptr_t awaited, swivel_work *work)
{
    swivel_inbox *band = &pool->bands[SWIVEL_POOL_USUAL];
    return swivel__inbox_is_next(band, awaited) && take_from(band, work);
}
