// SPDX-License-Identifier: Apache-2.0
#include "include/manual_fixture.h"
#include "include/cell.h"
#include "internal/drive/drive.h"
#include "internal/turn/turn.h"
#include "spin.h"

#include <pthread.h>
#include <unistd.h>

#define EXPECT(condition)                                                                          \
    if (!(condition)) {                                                                            \
        return "manual_fixture.c: " #condition;                                                    \
    }
#define MS UINT64_C(1000000)
#define S (1000 * MS)

/// More parks than it takes to learn that the kernel is late, and that this is a rush.
#define WAITS 40

typedef struct waiting {
    swivel_loop *loop;
    uint32_t checks, until;
    int result;
} waiting;

static swivel_loop *make(uint64_t start_ns)
{
    swivel_loop *loop;
    swivel_config config = {.drive = SWIVEL_MANUAL, .manual_start_ns = start_ns};
    config.hooks = swivel_cell_hooks();
    if (swivel_loop_create(&config, &loop) != SWIVEL_OK) {
        abort();
    }
    alarm(30); // A wait that mistakes virtual time for real time would last forever.
    return loop;
}

static bool look(void *argument)
{
    waiting *waiting = argument;
    return ++waiting->checks > waiting->until;
}

static bool never(void *argument)
{
    (void)argument;
    return false;
}

static void wait_with_looks(void *argument, const swivel_tick *tick)
{
    (void)tick;
    waiting *waiting = argument;
    waiting->result = swivel_loop_pump(waiting->loop, look, waiting, SWIVEL_NEVER_NS, MS / 4);
}

static void wait_in_vain(void *argument, const swivel_tick *tick)
{
    (void)tick;
    waiting *waiting = argument;
    waiting->result = swivel_loop_pump(waiting->loop, never, NULL, SWIVEL_NEVER_NS, 0);
}

/// Runs `body` in one of the loop's closures, next to a timer in the virtual future.
static void inside(waiting *waiting, swivel_cell_body *body)
{
    swivel_cell *far = swivel_cell_make(NULL, NULL), *cell = swivel_cell_make(body, waiting);
    uint64_t now = swivel_loop_now(waiting->loop);
    swivel_timer timer =
        swivel_schedule_at(waiting->loop, now + 1000 * S, 0, swivel_cell_work(far));
    swivel_post(waiting->loop, swivel_cell_work(cell));
    swivel_loop_advance(waiting->loop, now, UINT64_MAX);
    swivel_cancel(timer);
    swivel_cell_free(cell);
    swivel_cell_free(far);
}

const char *swivel_manual_fixture_waits(uint64_t start_ns)
{
    waiting waiting = {make(start_ns), 0, WAITS, 0};
    inside(&waiting, wait_with_looks);
    EXPECT(waiting.result == 1 && waiting.checks == WAITS + 1)
    // The measurements of earlier waits must not make this one last.
    waiting.loop->config.manual_patience_ns = 20 * MS;
    inside(&waiting, wait_in_vain);
    EXPECT(waiting.result == SWIVEL_ESTUCK)
    // Nothing else could come, so virtual time went on to the one timer there was.
    EXPECT(swivel_loop_now(waiting.loop) >= start_ns + 1000 * S)
    swivel_loop_release(waiting.loop);
    alarm(0);
    return NULL;
}

typedef struct renewing {
    swivel_loop *loop;
    swivel_cell *cell;
} renewing;

static void post_again(void *argument, const swivel_tick *tick)
{
    renewing *renewing = argument;
    (void)tick;
    swivel_post(renewing->loop, swivel_cell_work(renewing->cell));
}

const char *swivel_manual_fixture_limit(uint64_t start_ns)
{
    swivel_loop *loop = make(start_ns);
    renewing renewing = {loop, NULL};
    renewing.cell = swivel_cell_make(post_again, &renewing);
    swivel_post(loop, swivel_cell_work(renewing.cell));
    swivel_report report;
    swivel_loop_shutdown(loop, SWIVEL_DRAIN, 5 * MS, &report);
    EXPECT(report.complete && report.cancelled_posts == 1)
    swivel_loop_release(loop);
    swivel_cell_free(renewing.cell);
    alarm(0);
    return NULL;
}

const char *swivel_manual_fixture_pending(uint64_t start_ns)
{
    swivel_loop *loop = make(start_ns);
    swivel_cell *cell = swivel_cell_make(NULL, NULL);
    swivel_schedule_at(loop, start_ns + 500 * S, 0, swivel_cell_work(cell));
    swivel_loop_advance(loop, start_ns + 1, UINT64_MAX);
    swivel_report report;
    swivel_loop_shutdown(loop, SWIVEL_DRAIN, 3600 * S, &report);
    EXPECT(report.complete && report.cancelled_timers == 0)
    EXPECT(swivel_cell_ran(cell) == 1)
    swivel_loop_release(loop);
    swivel_cell_free(cell);
    alarm(0);
    return NULL;
}
