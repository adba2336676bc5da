// SPDX-License-Identifier: Apache-2.0
#include "bed.h"

#include <stdbool.h>

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

static uint32_t push_back(struct raw_uv_bed *bed, uv_timer_t *timer, struct raw_uv_field field,
                          struct raw_uv_picks picks, uint32_t index)
{
    (void)bed;
    (void)field;
    (void)picks;
    (void)index;
    return uv_timer_again(timer) == 0;
}

// Opens the bed with one timer of its own beside the field, and closes both afterwards.
always_inline int with_timer(struct raw_uv_field field, struct raw_uv_picks picks,
                             struct amount amount, operation body, uint64_t repeat_ms,
                             struct raw_uv_span *span)
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
    if (repeat_ms != 0) {
        (void)uv_timer_start(&timer, raw_uv_count_fire, repeat_ms, repeat_ms);
    }
    run_in_turns(bed, &timer, field, picks, amount, body, span);
    if (repeat_ms != 0) {
        // The debounce ends: its one firing, soon.
        uv_timer_set_repeat(&timer, 0);
        (void)uv_timer_start(&timer, raw_uv_count_fire, 1, 0);
        raw_uv_bed_stop_all(bed);
        (void)uv_run(&bed->loop, UV_RUN_DEFAULT);
    }
    span->fired = fired;
    uv_close((uv_handle_t *)&timer, NULL);
    return raw_uv_bed_close(bed);
}

static const struct raw_uv_picks no_picks = {NULL, 0};

int raw_uv_pairs(struct raw_uv_field field, uint32_t operations, struct raw_uv_span *span)
{
    struct amount amount = {operations / 10, operations};
    return with_timer(field, no_picks, amount, pair, 0, span);
}

int raw_uv_churn(struct raw_uv_field field, struct raw_uv_picks picks, uint32_t warm_up,
                 uint32_t operations, struct raw_uv_span *span)
{
    struct amount amount = {warm_up, operations};
    return with_timer(field, picks, amount, swap_one, 0, span);
}

int raw_uv_debounce(struct raw_uv_field field, uint32_t operations, struct raw_uv_span *span)
{
    struct amount amount = {operations / 10, operations};
    return with_timer(field, no_picks, amount, push_back, 5000, span);
}
