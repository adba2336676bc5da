// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "bed.h"

static void sleep_ms(uint32_t ms)
{
    struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};
    while (nanosleep(&t, &t) != 0) {
    }
}

int raw_uv_burst(uint32_t count, uint32_t range_ms, const uint32_t *delays_ms, uint32_t delay_mask,
                 struct raw_uv_span *span)
{
    struct raw_uv_field field = {count, delays_ms, delay_mask};
    struct raw_uv_bed *bed = NULL;
    int status = raw_uv_bed_open(field, &bed);
    if (status != 0) {
        return status;
    }
    sleep_ms(range_ms + 2);
    raw_uv_span_begin(span);
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    raw_uv_span_end(span);
    span->done = count;
    span->fired = bed->fired;
    return raw_uv_bed_close(bed);
}

int raw_uv_spread(uint32_t count, uint32_t range_ms, struct raw_uv_span *span)
{
    struct raw_uv_field none = {0, NULL, 0};
    struct raw_uv_bed *bed = NULL;
    int status = raw_uv_bed_open(none, &bed);
    uv_timer_t *timers = status == 0 ? malloc(count * sizeof *timers) : NULL;
    if (timers == NULL) {
        (void)raw_uv_bed_close(bed);
        return status != 0 ? status : UV_ENOMEM;
    }
    const uint32_t lead_ms = 50;
    uv_update_time(&bed->loop);
    for (uint32_t i = 0; i < count; i += 1) {
        (void)uv_timer_init(&bed->loop, &timers[i]);
        timers[i].data = &bed->fired;
        (void)uv_timer_start(&timers[i], raw_uv_count_fire,
                             lead_ms + (uint64_t)i * range_ms / count, 0);
    }
    raw_uv_span_begin(span);
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    raw_uv_span_end(span);
    span->done = count;
    span->fired = bed->fired;
    for (uint32_t i = 0; i < count; i += 1) {
        uv_close((uv_handle_t *)&timers[i], NULL);
    }
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    free(timers);
    return raw_uv_bed_close(bed);
}

// One chain of timers, each armed from the callback of the one before it.
struct chain {
    struct raw_uv_field field;
    uv_timer_t timer;
    uint32_t count;
    uint32_t next;
    uint64_t due_ns;
    int64_t *late_ns;
};

static void arm_link(struct chain *chain);

static void link_fired(uv_timer_t *timer)
{
    struct chain *chain = timer->data;
    chain->late_ns[chain->next] =
        (int64_t)raw_uv_clock_ns(CLOCK_MONOTONIC) - (int64_t)chain->due_ns;
    chain->next += 1;
    if (chain->next < chain->count) {
        arm_link(chain);
    } else {
        uv_stop(timer->loop);
    }
}

static void arm_link(struct chain *chain)
{
    // 1 to 3 ms: whole milliseconds, which are all that libuv knows.
    uint64_t delay_ms = 1 + chain->field.delays_ms[chain->next & chain->field.delay_mask] % 3;
    chain->due_ns = raw_uv_clock_ns(CLOCK_MONOTONIC) + delay_ms * 1000000;
    (void)uv_timer_start(&chain->timer, link_fired, delay_ms, 0);
}

int raw_uv_lateness(struct raw_uv_field field, uint32_t count, int64_t *late_ns)
{
    struct raw_uv_bed *bed = NULL;
    int status = raw_uv_bed_open(field, &bed);
    if (status != 0) {
        return status;
    }
    struct chain chain = {.field = field, .count = count, .late_ns = late_ns};
    (void)uv_timer_init(&bed->loop, &chain.timer);
    chain.timer.data = &chain;
    uv_update_time(&bed->loop);
    arm_link(&chain);
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&chain.timer, NULL);
    raw_uv_bed_stop_all(bed);
    return raw_uv_bed_close(bed);
}

static void count_tick(uv_timer_t *timer)
{
    *(uint32_t *)timer->data += 1;
}

static void stop_loop(uv_timer_t *timer)
{
    uv_stop(timer->loop);
}

int raw_uv_intervals(uint32_t count, uint32_t interval_ms, uint32_t ticks, uint32_t *ticks_seen,
                     struct raw_uv_span *span)
{
    struct raw_uv_field none = {0, NULL, 0};
    struct raw_uv_bed *bed = NULL;
    int status = raw_uv_bed_open(none, &bed);
    uv_timer_t *timers = status == 0 ? malloc(((size_t)count + 1) * sizeof *timers) : NULL;
    if (timers == NULL) {
        (void)raw_uv_bed_close(bed);
        return status != 0 ? status : UV_ENOMEM;
    }
    const uint32_t lead_ms = 20;
    uv_update_time(&bed->loop);
    for (uint32_t i = 0; i < count; i += 1) {
        (void)uv_timer_init(&bed->loop, &timers[i]);
        timers[i].data = &ticks_seen[i];
        ticks_seen[i] = 0;
        (void)uv_timer_start(&timers[i], count_tick, lead_ms + i % interval_ms, interval_ms);
    }
    // Half an interval of grace after the last tick that counts, as on the other sides.
    (void)uv_timer_init(&bed->loop, &timers[count]);
    (void)uv_timer_start(&timers[count], stop_loop,
                         lead_ms + (uint64_t)interval_ms * ticks + interval_ms / 2, 0);
    raw_uv_span_begin(span);
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    raw_uv_span_end(span);
    span->done = (uint64_t)count * ticks;
    for (uint32_t i = 0; i <= count; i += 1) {
        uv_close((uv_handle_t *)&timers[i], NULL);
    }
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    free(timers);
    return raw_uv_bed_close(bed);
}
