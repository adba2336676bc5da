// SPDX-License-Identifier: Apache-2.0
#include "include/inline_fixture.h"
#include "include/cell.h"
#include "internal/drive/drive.h"
#include "internal/timer/hot.h"

#include <stdlib.h>

#define TIMERS 200

typedef struct walk walk;

/// A timer, and what is known of it.
typedef struct model {
    walk *walk;
    swivel_cell *cell;
    swivel_timer timer;
    void *node; ///< Of a reusable timer.
    bool is_armed;
    uint64_t deadline_ns, order;
} model;

struct walk {
    swivel_inline_walk *report;
    swivel_loop *loop;
    model models[TIMERS];
    uint64_t random, orders;
    uint64_t fired_ns, fired_order; ///< The last timer that fired.
    const char *failure;
};

#define EXPECT(condition)                                                                          \
    if (!(condition)) {                                                                            \
        walk->failure = "inline_fixture.c: " #condition;                                           \
        return;                                                                                    \
    }

/// A number below `bound`: an xorshift generator (G. Marsaglia, 2003).
static uint64_t below(walk *walk, uint64_t bound)
{
    walk->random ^= walk->random << 13;
    walk->random ^= walk->random >> 7;
    walk->random ^= walk->random << 17;
    return walk->random % bound;
}

static void arm(walk *walk, model *model)
{
    // From nanoseconds to minutes, and often the instant of others.
    uint64_t delay = UINT64_C(1) << below(walk, 37);
    model->deadline_ns = swivel__own_deadline(walk->loop, delay);
    if (model->node != NULL) {
        walk->report->moved += model->is_armed;
        EXPECT(swivel__own_reusable_arm(model->timer, model->node, model->deadline_ns))
    } else {
        swivel_armed armed = swivel__own_schedule(walk->loop, model->deadline_ns, 0);
        EXPECT(armed.work != NULL)
        *armed.work = swivel_cell_work(model->cell);
        model->timer = armed.timer;
    }
    model->is_armed = true;
    model->order = walk->orders++;
}

static void cancel(walk *walk, model *model)
{
    walk->report->cancelled += model->is_armed;
    if (model->node != NULL) {
        swivel_cancel_result result = swivel__own_reusable_disarm(model->timer, model->node);
        EXPECT(result == (model->is_armed ? SWIVEL_CANCELLED : SWIVEL_FINISHED))
    } else {
        swivel_own_cancelled cancelled = swivel__own_cancel(model->timer);
        EXPECT(cancelled.has_won == model->is_armed)
        EXPECT(!model->is_armed || cancelled.work.context == (uintptr_t)model->cell)
    }
    model->is_armed = false;
}

static void change(walk *walk)
{
    model *model = &walk->models[below(walk, TIMERS)];
    if (below(walk, 3) == 0) {
        cancel(walk, model);
    } else if (!model->is_armed || model->node != NULL) {
        arm(walk, model);
    }
}

static void change_some(void *argument, const swivel_tick *tick)
{
    (void)tick;
    for (int i = 0; i < 32; i++) {
        change(argument);
    }
}

/// A timer has fired: its own closure, in which it may be armed again.
static void fire(void *argument, const swivel_tick *tick)
{
    (void)tick;
    model *model = argument;
    walk *walk = model->walk;
    EXPECT(model->is_armed && swivel_loop_now(walk->loop) == model->deadline_ns)
    EXPECT(walk->fired_ns < model->deadline_ns ||
           (walk->fired_ns == model->deadline_ns && walk->fired_order < model->order))
    walk->fired_ns = model->deadline_ns;
    walk->fired_order = model->order;
    walk->report->fired++;
    model->is_armed = false;
    if (below(walk, 4) == 0) {
        arm(walk, model);
    }
}

/// Half of the timers are reusable.
static void begin(walk *walk)
{
    swivel_config config = {.drive = SWIVEL_MANUAL, .manual_start_ns = 1};
    config.hooks = swivel_cell_hooks();
    if (swivel_loop_create(&config, &walk->loop) != SWIVEL_OK) {
        abort();
    }
    for (int i = 0; i < TIMERS; i++) {
        model *model = &walk->models[i];
        model->walk = walk;
        model->cell = swivel_cell_make(fire, model);
        if (i % 2 == 0) {
            model->timer = swivel_reusable_create(walk->loop, swivel_cell_work(model->cell));
            model->node = swivel__reusable_node(model->timer);
        }
    }
}

/// Nothing that is due is left.
static void check(walk *walk, uint64_t now_ns)
{
    for (int i = 0; i < TIMERS; i++) {
        model *model = &walk->models[i];
        EXPECT(!model->is_armed || model->deadline_ns > now_ns)
    }
}

const char *swivel_inline_walk_run(swivel_inline_walk *report)
{
    walk *walk = calloc(1, sizeof *walk);
    if (walk == NULL) {
        abort();
    }
    walk->report = report;
    walk->random = 2 * report->seed + 1; // Never 0.
    begin(walk);
    swivel_cell *changes = swivel_cell_make(change_some, walk);
    for (uint32_t round = 0; round < report->rounds && walk->failure == NULL; round++) {
        swivel_post(walk->loop, swivel_cell_work(changes));
        uint64_t now_ns = swivel_loop_now(walk->loop) + (UINT64_C(1) << below(walk, 38));
        swivel_loop_advance(walk->loop, now_ns, UINT64_MAX);
        if (walk->failure == NULL) {
            check(walk, now_ns);
        }
    }
    swivel_loop_release(walk->loop);
    for (int i = 0; i < TIMERS; i++) {
        swivel_cell_free(walk->models[i].cell);
    }
    swivel_cell_free(changes);
    const char *failure = walk->failure;
    free(walk);
    return failure;
}
