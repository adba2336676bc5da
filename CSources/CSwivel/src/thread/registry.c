// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/loop.h"
#include "../../include/internal/thread/registry.h"

swivel_lock swivel__records_lock;

// Guarded by `swivel__records_lock`.
static swivel_loop *records[SWIVEL_RECORDS_MAX];
static uint32_t record_count;

swivel_loop *swivel__loop_record(uint32_t id)
{
    return id < record_count ? records[id] : NULL;
}

bool swivel__registry_has_room(void)
{
    return record_count < SWIVEL_RECORDS_MAX;
}

void swivel__registry_add(swivel_loop *loop)
{
    loop->id = record_count;
    records[record_count++] = loop;
}

swivel_loop *swivel__registry_free_record(void)
{
    for (uint32_t id = 0; id < record_count; id++) {
        if (records[id]->is_free) {
            return records[id];
        }
    }
    return NULL;
}
