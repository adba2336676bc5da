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
