// SPDX-License-Identifier: Apache-2.0
#include "include/shortage.h"
#include "internal/loop.h"

#include <sys/resource.h>
#include <unistd.h>

void swivel_inbox_pretend_full(swivel_loop *loop)
{
    uint64_t tail = SWIVEL_LOAD(&loop->inbox.tail, relaxed) & ~SWIVEL_CLOSED;
    SWIVEL_STORE(&loop->inbox.head, tail - SWIVEL_INBOX_MAX, release);
}

void swivel_wheel_limit(swivel_loop *loop, uint32_t step)
{
    loop->wheel.step = step;
}

/// Timers of one instant, and how many of them have fired.
typedef struct crowd {
    swivel_loop *loop;
    uint32_t count, fired;
} crowd;

static crowd the_crowd;

static void fire_one(void *unused)
{
    (void)unused;
    the_crowd.fired += 1;
}

static void arm_all(void *unused)
{
    (void)unused;
    for (uint32_t i = 0; i < the_crowd.count; i++) {
        swivel_schedule(the_crowd.loop, 1000000000, 0, swivel_call(fire_one, NULL));
    }
}

/// Makes the system refuse memory, or give it again.
static void refuse_memory(bool refuse)
{
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = refuse ? 0 : limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
}

const char *swivel_shortage_of_pages(uint32_t count)
{
    swivel_config config = {.drive = SWIVEL_MANUAL};
    the_crowd.count = count;
    if (swivel_loop_create(&config, &the_crowd.loop) != SWIVEL_OK) {
        return "no loop";
    }
    swivel_post(the_crowd.loop, swivel_call(arm_all, NULL));
    swivel_loop_advance(the_crowd.loop, 1, UINT64_MAX);
    alarm(20);
    refuse_memory(true);
    swivel_loop_advance(the_crowd.loop, 2000000000, UINT64_MAX);
    refuse_memory(false);
    alarm(0);
    if (the_crowd.fired != count) {
        return "not every timer has fired";
    }
    swivel_counters counters;
    swivel_loop_counters(the_crowd.loop, &counters);
    return counters.turns < count ? NULL : "a turn for each timer";
}
