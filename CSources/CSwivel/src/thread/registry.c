// SPDX-License-Identifier: Apache-2.0
// The records of all loops by number: they are never freed, so a handle can always read one.
#include "../../include/internal/loop.h"

swivel_lock swivel__records_lock;

static swivel_loop *records[SWIVEL_RECORDS_MAX];
static uint32_t record_count;

swivel_loop *swivel__loop_record(uint32_t id)
{
    return id < record_count ? records[id] : NULL;
}

void swivel__registry_add(swivel_loop *loop)
{
    loop->id = record_count;
    records[record_count++] = loop;
}
