// SPDX-License-Identifier: Apache-2.0
#include "include/plain_program.h"

#include "swivel.h"

#include <poll.h>
#include <stdatomic.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
    if (!(condition)) {                                                                            \
        return "plain_program.c: " #condition;                                                     \
    }
#define MS UINT64_C(1000000)

static void count(void *argument)
{
    atomic_fetch_add((_Atomic int *)argument, 1);
}

static void count_tick(void *argument, const swivel_tick *tick)
{
    if (atomic_fetch_add((_Atomic int *)argument, 1) == 4) {
        swivel_cancel(tick->timer);
    }
}

static void rest(uint64_t ns)
{
    poll(NULL, 0, (int)((ns + MS - 1) / MS));
}

/// Whether `*number` becomes `value` within ten seconds.
static bool becomes(_Atomic int *number, int value)
{
    for (int i = 0; i < 10000 && atomic_load(number) != value; i++) {
        rest(MS);
    }
    return atomic_load(number) == value;
}

const char *swivel_plain_posts(void)
{
    swivel_loop *loop;
    _Atomic int ran = 0;
    swivel_config config = {.name = "a name that is much too long"};
    EXPECT(swivel_loop_create(&config, &loop) == SWIVEL_OK)
    EXPECT(strlen(swivel_loop_name(loop)) == 15)
    EXPECT(swivel_loop_current() == NULL)
    EXPECT(!swivel_loop_is_current(loop))
    for (int i = 0; i < 1000; i++) {
        EXPECT(swivel_post(loop, swivel_call(count, &ran)) == SWIVEL_OK)
    }
    EXPECT(becomes(&ran, 1000))
    swivel_counters counters;
    swivel_loop_counters(loop, &counters);
    EXPECT(counters.posts == 1000)
    EXPECT(counters.turns > 0)
    swivel_loop_release(loop);
    return NULL;
}

const char *swivel_plain_timers(void)
{
    swivel_loop *loop;
    _Atomic int ran = 0;
    EXPECT(swivel_loop_create(NULL, &loop) == SWIVEL_OK)
    swivel_timer soon = swivel_schedule(loop, 2 * MS, 0, swivel_call(count, &ran));
    swivel_timer never = swivel_schedule(loop, SWIVEL_NEVER_NS, 0, swivel_call(count, &ran));
    swivel_timer late = swivel_schedule(loop, 3600 * 1000 * MS, MS, swivel_call(count, &ran));
    swivel_timer at =
        swivel_schedule_at(loop, swivel_loop_now(loop) + MS, 0, swivel_call(count, &ran));
    EXPECT(soon.loop == loop && at.loop == loop)
    EXPECT(swivel_is_pending(never) && swivel_is_pending(late))
    EXPECT(becomes(&ran, 2))
    EXPECT(swivel_cancel(soon) == SWIVEL_FINISHED)
    EXPECT(!swivel_rearm(soon, MS))
    EXPECT(swivel_cancel(never) == SWIVEL_CANCELLED)
    EXPECT(swivel_cancel(never) == SWIVEL_FINISHED)
    EXPECT(swivel_rearm(late, MS))
    EXPECT(becomes(&ran, 3))
    swivel_timer stale = {loop, 0x0FFFFFFF, 77}, none = {NULL, 0, 0};
    EXPECT(swivel_cancel(stale) == SWIVEL_FINISHED && !swivel_is_pending(stale))
    EXPECT(swivel_cancel(none) == SWIVEL_FINISHED && !swivel_is_pending(none))
    EXPECT(!swivel_rearm(stale, 1) && !swivel_rearm(none, 1) && !swivel_watch(stale))
    swivel_loop_release(loop);
    EXPECT(swivel_cancel(late) == SWIVEL_FINISHED)
    return NULL;
}

const char *swivel_plain_repeats(void)
{
    swivel_loop *loop;
    _Atomic int ticks = 0;
    EXPECT(swivel_loop_create(NULL, &loop) == SWIVEL_OK)
    swivel_grid grid = {.first_ns = swivel_loop_now(loop) + MS, .interval_ns = MS};
    swivel_work work = {(uintptr_t)count_tick, (uintptr_t)&ticks};
    swivel_timer timer = swivel_schedule_every(loop, &grid, 0, work);
    EXPECT(becomes(&ticks, 5))
    rest(5 * MS);
    EXPECT(atomic_load(&ticks) == 5)
    EXPECT(!swivel_is_pending(timer))
    swivel_loop_release(loop);
    return NULL;
}

const char *swivel_plain_kept(void)
{
    swivel_loop *loop;
    _Atomic int ticks = 0;
    EXPECT(swivel_loop_create(NULL, &loop) == SWIVEL_OK)
    swivel_work work = {(uintptr_t)count_tick, (uintptr_t)&ticks};
    swivel_timer timer = swivel_kept_create(loop, work);
    EXPECT(!swivel_kept_is_armed(timer))
    for (int i = 1; i <= 4; i++) {
        EXPECT(swivel_kept_arm(timer, swivel_loop_now(loop) + MS, 0))
        EXPECT(becomes(&ticks, i))
    }
    EXPECT(swivel_kept_arm(timer, swivel_loop_now(loop) + 1000 * MS, 0))
    EXPECT(swivel_kept_is_armed(timer))
    EXPECT(swivel_kept_disarm(timer) == SWIVEL_CANCELLED)
    EXPECT(swivel_kept_disarm(timer) == SWIVEL_FINISHED)
    swivel_kept_free(timer);
    swivel_loop_release(loop);
    return NULL;
}

static bool is_two(void *argument)
{
    return atomic_load((_Atomic int *)argument) >= 2;
}

typedef struct pumping {
    swivel_loop *loop;
    _Atomic int ran;
    int result;
} pumping;

static void pump(void *argument)
{
    pumping *pumping = argument;
    swivel_post(pumping->loop, swivel_call(count, &pumping->ran));
    swivel_schedule(pumping->loop, MS, 0, swivel_call(count, &pumping->ran));
    pumping->result = swivel_loop_pump(pumping->loop, is_two, &pumping->ran, SWIVEL_NEVER_NS);
}

const char *swivel_plain_driving(void)
{
    swivel_loop *loop;
    _Atomic int ran = 0;
    swivel_config config = {.drive = SWIVEL_CALLER};
    EXPECT(swivel_loop_create(&config, &loop) == SWIVEL_OK)
    EXPECT(swivel_loop_fd(loop) >= 0)
    swivel_post(loop, swivel_call(count, &ran));
    bool more = true;
    EXPECT(swivel_loop_run_once(loop, false, &more) == SWIVEL_OK && !more)
    EXPECT(atomic_load(&ran) == 1)
    swivel_schedule(loop, MS, 0, swivel_call(count, &ran));
    EXPECT(swivel_loop_next_deadline(loop) != SWIVEL_NEVER_NS)
    while (atomic_load(&ran) == 1) {
        EXPECT(swivel_loop_run_once(loop, true, NULL) == SWIVEL_OK)
    }
    swivel_loop_stop(loop);
    EXPECT(swivel_loop_run(loop) == SWIVEL_OK)
    pumping pumping = {loop, 0, 0};
    swivel_post(loop, swivel_call(pump, &pumping));
    EXPECT(swivel_loop_run_once(loop, false, NULL) == SWIVEL_OK)
    EXPECT(pumping.result == 1)
    swivel_loop_release(loop);

    config.drive = SWIVEL_MANUAL;
    config.manual_start_ns = 1000;
    EXPECT(swivel_loop_create(&config, &loop) == SWIVEL_OK)
    atomic_store(&ran, 0);
    swivel_schedule(loop, 500, 0, swivel_call(count, &ran));
    swivel_loop_advance(loop, 1499);
    EXPECT(atomic_load(&ran) == 0 && swivel_loop_now(loop) == 1499)
    swivel_loop_advance(loop, 1500);
    EXPECT(atomic_load(&ran) == 1 && swivel_loop_turn_time(loop) == 1500)
    swivel_loop_release(loop);
    return NULL;
}

const char *swivel_plain_shutdown(void)
{
    swivel_loop *loop;
    _Atomic int ran = 0;
    EXPECT(swivel_loop_create(NULL, &loop) == SWIVEL_OK)
    swivel_schedule(loop, 3600 * 1000 * MS, 0, swivel_call(count, &ran));
    swivel_timer drained = swivel_schedule(loop, 20 * MS, 0, swivel_call(count, &ran));
    swivel_report report, again;
    swivel_loop_shutdown(loop, SWIVEL_DRAIN, 10000 * MS, &report);
    EXPECT(report.complete && report.ran == 1 && report.cancelled_timers == 1)
    EXPECT(atomic_load(&ran) == 1)
    EXPECT(swivel_post(loop, swivel_call(count, &ran)) == SWIVEL_ESHUTDOWN)
    EXPECT(swivel_schedule(loop, 1, 0, swivel_call(count, &ran)).loop == NULL)
    EXPECT(swivel_loop_refusal(loop) == SWIVEL_ESHUTDOWN)
    EXPECT(swivel_cancel(drained) == SWIVEL_FINISHED)
    swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, &again);
    EXPECT(again.complete && again.ran == report.ran && again.refused == 2)
    swivel_loop_release(loop);
    EXPECT(atomic_load(&ran) == 1)
    return NULL;
}

const char *swivel_plain_limits(void)
{
    swivel_loop *loop;
    _Atomic int ran = 0;
    swivel_config config = {.cpu = -1};
    EXPECT(swivel_loop_create(&config, &loop) == SWIVEL_ECONFIG)
    swivel_config limited = {.drive = SWIVEL_CALLER, .max_pending_posts = 3};
    EXPECT(swivel_loop_create(&limited, &loop) == SWIVEL_OK)
    for (int i = 0; i < 3; i++) {
        EXPECT(swivel_try_post(loop, swivel_call(count, &ran)) == SWIVEL_OK)
    }
    EXPECT(swivel_try_post(loop, swivel_call(count, &ran)) == SWIVEL_EFULL)
    EXPECT(swivel_post(loop, swivel_call(count, &ran)) == SWIVEL_OK)
    swivel_loop_run_once(loop, false, NULL);
    EXPECT(atomic_load(&ran) == 4)
    EXPECT(swivel_try_post(loop, swivel_call(count, &ran)) == SWIVEL_OK)
    swivel_loop_release(loop);
    const int codes[] = {SWIVEL_OK,    SWIVEL_ESHUTDOWN, SWIVEL_EFORKED,
                         SWIVEL_EFULL, SWIVEL_ECONFIG,   SWIVEL_EDEADLOCK,
                         -24 /* EMFILE */};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        EXPECT(strlen(swivel_status_text(codes[i])) > 5)
    }
    return NULL;
}
