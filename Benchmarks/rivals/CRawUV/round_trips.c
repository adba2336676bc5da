// SPDX-License-Identifier: Apache-2.0
#include "bed.h"

// Two loops, each on its own thread, that answer each other. One message is under way at a time,
// so that the fields need no lock: uv_async_send orders what is before it.
struct ends {
    uv_loop_t near_loop;
    uv_loop_t far_loop;
    uv_async_t near;
    uv_async_t far;
    uint32_t trips;
    uint32_t done;
    uint64_t sent_ns;
    uint64_t *trips_ns;
};

static void send_one(struct ends *ends)
{
    ends->sent_ns = raw_uv_clock_ns(CLOCK_MONOTONIC);
    (void)uv_async_send(&ends->far);
}

static void at_far_end(uv_async_t *async)
{
    struct ends *ends = async->data;
    if (ends->done == ends->trips) {
        uv_close((uv_handle_t *)async, NULL);
    } else {
        (void)uv_async_send(&ends->near);
    }
}

static void back_home(uv_async_t *async)
{
    struct ends *ends = async->data;
    ends->trips_ns[ends->done] = raw_uv_clock_ns(CLOCK_MONOTONIC) - ends->sent_ns;
    ends->done += 1;
    if (ends->done == ends->trips) {
        uv_close((uv_handle_t *)async, NULL);
        (void)uv_async_send(&ends->far);
    } else {
        send_one(ends);
    }
}

static void run_loop(void *argument)
{
    (void)uv_run(argument, UV_RUN_DEFAULT);
}

int raw_uv_round_trips(uint32_t trips, uint64_t *trips_ns)
{
    struct ends ends = {.trips = trips, .trips_ns = trips_ns};
    int status = uv_loop_init(&ends.near_loop);
    if (status != 0) {
        return status;
    }
    status = uv_loop_init(&ends.far_loop);
    if (status != 0) {
        (void)uv_loop_close(&ends.near_loop);
        return status;
    }
    (void)uv_async_init(&ends.near_loop, &ends.near, back_home);
    (void)uv_async_init(&ends.far_loop, &ends.far, at_far_end);
    ends.near.data = &ends;
    ends.far.data = &ends;
    uv_thread_t near_thread;
    uv_thread_t far_thread;
    (void)uv_thread_create(&near_thread, run_loop, &ends.near_loop);
    (void)uv_thread_create(&far_thread, run_loop, &ends.far_loop);
    send_one(&ends);
    (void)uv_thread_join(&near_thread);
    (void)uv_thread_join(&far_thread);
    status = uv_loop_close(&ends.near_loop);
    int far_status = uv_loop_close(&ends.far_loop);
    return status != 0 ? status : far_status;
}
