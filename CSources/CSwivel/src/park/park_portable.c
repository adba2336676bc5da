// SPDX-License-Identifier: Apache-2.0
// The park where there is no eventfd and no timerfd: one uv_async for wake-ups, one uv_timer
// rounded up for time. On Linux it is built on request, so that the same tests pass on it.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/park_struct.h"

#if !defined(__linux__) || defined(SWIVEL_PORTABLE_PARK)

#define SWIVEL_NS_PER_MS UINT64_C(1000000)

static void on_wake(uv_async_t *handle)
{
    struct swivel_park *park = handle->data;
    SWIVEL_COUNT(park->wakes, 1);
}

static void on_time(uv_timer_t *handle)
{
    // libuv runs its timers before it polls, too, and would then poll with no timer to end it.
    uv_stop(handle->loop);
}

int swivel__park_open(struct swivel_park *park, bool is_alone)
{
    (void)is_alone; // Every sleep is in the poller.
    int status = uv_async_init(&park->uv, &park->wake, on_wake);
    if (status == 0) {
        park->wake.data = park;
        status = uv_timer_init(&park->uv, &park->time);
    }
    if (status == 0) {
        park->time.data = park;
    }
    return status;
}

void swivel__park_close(const struct swivel_park *park)
{
    (void)park; // libuv has closed its own.
}

void swivel__park_arm(struct swivel_park *park, swivel_mono until)
{
    if (until.ns == SWIVEL_NEVER_NS) {
        uv_timer_stop(&park->time);
        return;
    }
    uint64_t delay_ns = swivel__mono_since(swivel__mono_now(), until);
    uint64_t delay_ms = delay_ns / SWIVEL_NS_PER_MS + (delay_ns % SWIVEL_NS_PER_MS != 0);
    // libuv counts from its cached time, which may be old.
    uv_update_time(&park->uv);
    uv_timer_start(&park->time, on_time, delay_ms, 0);
}

void swivel__park_poll(struct swivel_park *park, bool wait, swivel_mono until)
{
    if (wait) {
        swivel__park_arm(park, until);
    }
    uv_run(&park->uv, wait ? UV_RUN_ONCE : UV_RUN_NOWAIT);
}

void swivel__park_notify(void *slot)
{
    struct swivel_park *park = *(struct swivel_park **)slot;
    uv_async_send(&park->wake);
}

#endif
