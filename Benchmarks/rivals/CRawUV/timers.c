// SPDX-License-Identifier: Apache-2.0
#include "bed.h"

#include <stdlib.h>

const char *raw_uv_version(void)
{
    return uv_version_string();
}

void raw_uv_count_fire(uv_timer_t *timer)
{
    *(uint64_t *)timer->data += 1;
}

int raw_uv_bed_open(struct raw_uv_field field, struct raw_uv_bed **out)
{
    struct raw_uv_bed *bed = calloc(1, sizeof *bed);
    if (bed == NULL) {
        return UV_ENOMEM;
    }
    bed->timers = malloc(((size_t)field.outstanding + 1) * sizeof *bed->timers);
    int status = bed->timers == NULL ? UV_ENOMEM : uv_loop_init(&bed->loop);
    if (status != 0) {
        free(bed->timers);
        free(bed);
        return status;
    }
    for (uint32_t i = 0; i < field.outstanding; i += 1) {
        (void)uv_timer_init(&bed->loop, &bed->timers[i]);
        bed->timers[i].data = &bed->fired;
        (void)uv_timer_start(&bed->timers[i], raw_uv_count_fire,
                             field.delays_ms[i & field.delay_mask], 0);
    }
    bed->count = field.outstanding;
    *out = bed;
    return 0;
}

void raw_uv_bed_stop_all(struct raw_uv_bed *bed)
{
    for (uint32_t i = 0; i < bed->count; i += 1) {
        (void)uv_timer_stop(&bed->timers[i]);
    }
}

uint32_t raw_uv_bed_active(const struct raw_uv_bed *bed)
{
    uint32_t active = 0;
    for (uint32_t i = 0; i < bed->count; i += 1) {
        active += uv_is_active((const uv_handle_t *)&bed->timers[i]) ? 1 : 0;
    }
    return active;
}

int raw_uv_bed_close(struct raw_uv_bed *bed)
{
    if (bed == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < bed->count; i += 1) {
        uv_close((uv_handle_t *)&bed->timers[i], NULL);
    }
    (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    int status = uv_loop_close(&bed->loop);
    free(bed->timers);
    free(bed);
    return status;
}

// The timer under test is initialised once, as C code does; start and stop are what is measured.

// The operation is known where each of the public functions is written: forcing these two inline
// leaves no call through a pointer in the measured loop.
#define always_inline __attribute__((always_inline)) static inline

// Returns how many timers it has started.
typedef uint32_t (*operation)(struct raw_uv_bed *bed, uv_timer_t *timer,
                              struct raw_uv_field field, struct raw_uv_picks picks,
                              uint32_t index);

/// How often to do it, and how often beforehand without counting.
struct amount {
    uint32_t warm_up;
    uint32_t operations;
};

// Runs the operations in turns of a fixed size with a poll after each, as an event loop would.
always_inline void run_in_turns(struct raw_uv_bed *bed, uv_timer_t *timer,
                                struct raw_uv_field field, struct raw_uv_picks picks,
                                struct amount amount, operation body, struct raw_uv_span *span)
{
    for (uint32_t i = 0; i < amount.warm_up; i += 1) {
        (void)body(bed, timer, field, picks, i);
    }
    (void)uv_run(&bed->loop, UV_RUN_NOWAIT);
    uint32_t started = 0;
    raw_uv_span_begin(span);
    for (uint32_t i = 0; i < amount.operations;) {
        uint32_t end = i + raw_uv_operations_a_turn;
        for (end = end < amount.operations ? end : amount.operations; i < end; i += 1) {
            started += body(bed, timer, field, picks, amount.warm_up + i);
        }
        (void)uv_run(&bed->loop, UV_RUN_NOWAIT);
    }
    raw_uv_span_end(span);
    span->done = started;
}

static uint32_t pair(struct raw_uv_bed *bed, uv_timer_t *timer, struct raw_uv_field field,
                     struct raw_uv_picks picks, uint32_t index)
{
    (void)bed;
    (void)picks;
    uint64_t delay = field.delays_ms[index & field.delay_mask];
    bool is_started = uv_timer_start(timer, raw_uv_count_fire, delay, 0) == 0;
    (void)uv_timer_stop(timer);
    return is_started;
}

static uint32_t swap_one(struct raw_uv_bed *bed, uv_timer_t *timer, struct raw_uv_field field,
                         struct raw_uv_picks picks, uint32_t index)
{
    (void)timer;
    uv_timer_t *picked = &bed->timers[picks.indices[index & picks.mask]];
    (void)uv_timer_stop(picked);
    uint64_t delay = field.delays_ms[index & field.delay_mask];
    return uv_timer_start(picked, raw_uv_count_fire, delay, 0) == 0;
}

// Opens the bed with one timer of its own beside the field, and closes both afterwards.
always_inline int with_timer(struct raw_uv_field field, struct raw_uv_picks picks,
                             struct amount amount, operation body, struct raw_uv_span *span)
{
    struct raw_uv_bed *bed = NULL;
    int status = raw_uv_bed_open(field, &bed);
    if (status != 0) {
        return status;
    }
    uint64_t fired = 0;
    uv_timer_t timer;
    (void)uv_timer_init(&bed->loop, &timer);
    timer.data = &fired;
    run_in_turns(bed, &timer, field, picks, amount, body, span);
    span->fired = fired;
    uv_close((uv_handle_t *)&timer, NULL);
    return raw_uv_bed_close(bed);
}

static const struct raw_uv_picks no_picks = {NULL, 0};

int raw_uv_pairs(struct raw_uv_field field, uint32_t operations, struct raw_uv_span *span)
{
    struct amount amount = {operations / 10, operations};
    return with_timer(field, no_picks, amount, pair, span);
}

int raw_uv_churn(struct raw_uv_field field, struct raw_uv_picks picks, uint32_t warm_up,
                 uint32_t operations, struct raw_uv_span *span)
{
    struct amount amount = {warm_up, operations};
    return with_timer(field, picks, amount, swap_one, span);
}

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
