// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "classic.h"

// Timers of which the last one ends the run.
struct volley {
    loop *loop;
    timer *timers;
    uint32_t count;
    uint64_t fired;
    uint64_t ended_ns;
};

static void hit(timer *timer)
{
    struct volley *volley = timer->data;
    volley->fired += 1;
    if (volley->fired == volley->count) {
        volley->ended_ns = now_ns();
        loop_leave(volley->loop);
    }
}

static void volley_open(struct volley *volley, uint32_t count)
{
    *volley = (struct volley){loop_open(alone), memory(count, sizeof *volley->timers), count, 0, 0};
    for (uint32_t i = 0; i < count; i += 1) {
        timer_open(volley->loop, &volley->timers[i], hit, volley);
    }
    loop_note_time(volley->loop);
}

static void volley_close(struct volley *volley, struct answer *answer)
{
    answer->operations = volley->count;
    answer->fired = volley->fired;
    for (uint32_t i = 0; i < volley->count; i += 1) {
        answer->left += timer_stands(&volley->timers[i]) ? 1 : 0;
        timer_stop(volley->loop, &volley->timers[i]);
    }
    loop_close(volley->loop);
    free(volley->timers);
}

// One operation: a firing, of timers that are all due when the loop gets to them: its thread slept.
struct answer burst(const struct request *request)
{
    struct answer answer = {0};
    struct volley volley;
    uint64_t state = 2;
    uint64_t range_us = (uint64_t)request->range_ms * 1000;
    volley_open(&volley, request->count);
    for (uint32_t i = 0; i < volley.count; i += 1) {
        uint64_t delay_us = range_us == 0 ? 0 : draw(&state) % range_us;
        timer_start(volley.loop, &volley.timers[i], delay_us);
    }
    sleep_until(now_ns() + range_us * 1000 + 2000000);
    span_begin(&answer.span);
    loop_run(volley.loop);
    span_end(&answer.span, volley.ended_ns);
    volley_close(&volley, &answer);
    return answer;
}

// One operation: a firing, evenly spread over the range. The first timer is due after all are armed;
// where arming takes longer, everything is made again with twice as much time.
struct answer spread(const struct request *request)
{
    uint64_t range_us = (uint64_t)request->range_ms * 1000;
    for (uint64_t lead_us = 50000 + request->count;; lead_us *= 2) {
        struct answer answer = {0};
        struct volley volley;
        volley_open(&volley, request->count);
        uint64_t first_ns = now_ns() + lead_us * 1000;
        for (uint32_t i = 0; i < volley.count; i += 1) {
            timer_start(volley.loop, &volley.timers[i], lead_us + i * range_us / volley.count);
        }
        span_begin(&answer.span);
        bool in_time = answer.span.start_ns < first_ns;
        answer.span.start_ns = first_ns;
        loop_run(volley.loop);
        span_end(&answer.span, volley.ended_ns);
        volley_close(&volley, &answer);
        if (in_time) {
            return answer;
        }
    }
}

// One chain of timers, each armed by the callback of the one before it.
struct chain {
    loop *loop;
    timer timer;
    uint32_t count;
    uint32_t next;
    uint64_t due_ns;
    int64_t *late_ns;
};

static void arm_link(struct chain *chain)
{
    // 1 to 3 ms: whole milliseconds, as in the other rivals in C.
    uint64_t delay_us = 1000 * (1 + far_us(chain->next) / 1000 % 3);
    chain->due_ns = now_ns() + delay_us * 1000;
    timer_start(chain->loop, &chain->timer, delay_us);
}

static void link_fired(timer *timer)
{
    struct chain *chain = timer->data;
    chain->late_ns[chain->next] = (int64_t)(now_ns() - chain->due_ns);
    chain->next += 1;
    if (chain->next < chain->count) {
        arm_link(chain);
    } else {
        loop_leave(chain->loop);
    }
}

// One operation: a timer of 1 to 3 ms. Its time is how late it is; a negative one is early.
struct answer lateness(const struct request *request)
{
    struct answer answer = {0};
    struct field field;
    struct chain chain = {.loop = loop_open(precise), .count = request->count};
    chain.late_ns = memory(request->count, sizeof *chain.late_ns);
    field_open(&field, chain.loop, request->outstanding);
    timer_open(chain.loop, &chain.timer, link_fired, &chain);
    span_begin(&answer.span);
    loop_note_time(chain.loop);
    arm_link(&chain);
    loop_run(chain.loop);
    span_end(&answer.span, now_ns());
    answer.operations = chain.next;
    answer.fired = chain.next;
    answer.times_ns = chain.late_ns;
    answer.left = field_close(&field, request->outstanding, 0);
    loop_close(chain.loop);
    return answer;
}
