// SPDX-License-Identifier: Apache-2.0
// libev as a rival, in a process of its own, which measures one sample per start:
//
//     libev pairs outstanding=1000 operations=100000
//
// prints `ok wall=… cpu=… operations=… fired=… left=…`, times in nanoseconds. The work is the lab's:
// operations in turns of a thousand, other timers standing by at random deadlines of 1 to 60 s.
#define _GNU_SOURCE
#include <ev.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { a_turn = 1000, delays = 4096, picks = 1 << 18 };

static struct {
    uint32_t outstanding, operations, warmup, count, range_ms;
} request;

static struct {
    uint64_t wall_ns, cpu_ns, operations, fired;
    int64_t left;
} answer;

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void begin(void)
{
    answer.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    answer.wall_ns = clock_ns(CLOCK_MONOTONIC);
}

static void end(void)
{
    answer.wall_ns = clock_ns(CLOCK_MONOTONIC) - answer.wall_ns;
    answer.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - answer.cpu_ns;
}

// Keeps the calling thread on one core, as the lab does.
static void take_core(int number)
{
    cpu_set_t set;
    (void)sched_getaffinity(0, sizeof set, &set);
    int count = CPU_COUNT(&set), wanted = count == 0 ? -1 : number % count;
    for (int core = 0; core < CPU_SETSIZE; core += 1) {
        if (CPU_ISSET(core, &set) && wanted-- != 0) {
            CPU_CLR(core, &set);
        }
    }
    (void)sched_setaffinity(0, sizeof set, &set);
}

static void *memory(size_t count, size_t size)
{
    void *memory = calloc(count == 0 ? 1 : count, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

// The SplitMix64 generator (Steele, Lea, Flood 2014).
static uint64_t draw(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15;
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

static double far_s[delays];

static void count_fire(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop;
    (void)events;
    *(uint64_t *)timer->data += 1;
}

static void start(struct ev_loop *loop, ev_timer *timer, double delay_s)
{
    ev_timer_set(timer, delay_s, 0.);
    ev_timer_start(loop, timer);
}

static ev_timer *stand(struct ev_loop *loop, uint32_t count, uint64_t *fired)
{
    ev_timer *timers = memory(count, sizeof *timers);
    uint64_t state = 1;
    for (int i = 0; i < delays; i += 1) {
        far_s[i] = 1e-6 * (double)(1000000 + draw(&state) % 59000000);
    }
    for (uint32_t i = 0; i < count; i += 1) {
        ev_init(&timers[i], count_fire);
        timers[i].data = fired;
        start(loop, &timers[i], far_s[i & (delays - 1)]);
    }
    return timers;
}

// Stops all timers; returns how many stood by.
static int64_t stop(struct ev_loop *loop, ev_timer *timers, uint32_t count)
{
    int64_t standing = 0;
    for (uint32_t i = 0; i < count; i += 1) {
        standing += ev_is_active(&timers[i]) ? 1 : 0;
        ev_timer_stop(loop, &timers[i]);
    }
    return standing;
}

// One operation: a timer started and stopped; it is initialised once, as C code does.
static void pairs(void)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    uint64_t others = 0;
    ev_timer *timers = stand(loop, request.outstanding, &others), timer;
    ev_init(&timer, count_fire);
    timer.data = &answer.fired;
    take_core(0);
    for (uint32_t warm = request.operations / 10, i = 0; i < warm + request.operations;) {
        if (i == warm) {
            begin();
        }
        uint32_t stops = i < warm ? warm : warm + request.operations;
        for (stops = i + a_turn < stops ? i + a_turn : stops; i < stops; i += 1) {
            start(loop, &timer, far_s[i & (delays - 1)]);
            answer.operations += i >= warm && ev_is_active(&timer) ? 1 : 0;
            ev_timer_stop(loop, &timer);
        }
        (void)ev_run(loop, EVRUN_NOWAIT);
    }
    end();
    answer.left =
        request.outstanding - stop(loop, timers, request.outstanding) - (int64_t)others;
}

// One operation: a random timer stopped and started again.
static void churn(void)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    uint64_t others = 0, state = 7, stopped = 0;
    ev_timer *timers = stand(loop, request.outstanding, &others);
    uint32_t *picked = memory(picks, sizeof *picked), all = request.warmup + request.operations;
    for (uint32_t i = 0; i < picks; i += 1) {
        picked[i] = (uint32_t)(draw(&state) % request.outstanding);
    }
    take_core(0);
    for (uint32_t i = 0; i < all;) {
        if (i == request.warmup) {
            begin();
        }
        uint32_t stops = i < request.warmup ? request.warmup : all;
        for (stops = i + a_turn < stops ? i + a_turn : stops; i < stops; i += 1) {
            ev_timer *timer = &timers[picked[i & (picks - 1)]];
            stopped += ev_is_active(timer) ? 1 : 0;
            ev_timer_stop(loop, timer);
            start(loop, timer, far_s[i & (delays - 1)]);
        }
        (void)ev_run(loop, EVRUN_NOWAIT);
    }
    end();
    answer.operations = request.operations;
    int64_t standing = stop(loop, timers, request.outstanding);
    answer.left = (int64_t)request.outstanding + all - (int64_t)(stopped + others) - standing;
}

// One operation: a firing, of timers that are all due when the loop gets to them: its thread slept.
static void burst(void)
{
    struct ev_loop *loop = ev_loop_new(EVFLAG_AUTO);
    ev_timer *timers = memory(request.count, sizeof *timers);
    uint64_t state = 2, range_us = (uint64_t)request.range_ms * 1000;
    for (uint32_t i = 0; i < request.count; i += 1) {
        ev_init(&timers[i], count_fire);
        timers[i].data = &answer.fired;
        start(loop, &timers[i], range_us == 0 ? 0. : 1e-6 * (double)(draw(&state) % range_us));
    }
    struct timespec t = {request.range_ms / 1000, (long)(request.range_ms % 1000 + 2) * 1000000};
    (void)nanosleep(&t, NULL);
    begin();
    (void)ev_run(loop, 0);
    end();
    answer.operations = request.count;
    answer.left = stop(loop, timers, request.count);
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } works[] = {{"pairs", pairs}, {"churn", churn}, {"burst", burst}};
    const struct {
        const char *name;
        uint32_t *value;
    } numbers[] = {{"outstanding", &request.outstanding}, {"operations", &request.operations},
                   {"warmup", &request.warmup},           {"count", &request.count},
                   {"range_ms", &request.range_ms}};
    for (int i = 2; i < count; i += 1) {
        char *value = strchr(words[i], '=');
        for (size_t n = 0; value != NULL && n < sizeof numbers / sizeof *numbers; n += 1) {
            if (strncmp(words[i], numbers[n].name, (size_t)(value - words[i])) == 0) {
                *numbers[n].value = (uint32_t)strtoul(value + 1, NULL, 10);
            }
        }
    }
    for (size_t i = 0; count > 1 && i < sizeof works / sizeof *works; i += 1) {
        if (strcmp(words[1], works[i].name) == 0) {
            works[i].run();
            printf("ok wall=%" PRIu64 " cpu=%" PRIu64 " operations=%" PRIu64 " fired=%" PRIu64
                   " left=%" PRId64 "\n",
                   answer.wall_ns, answer.cpu_ns, answer.operations, answer.fired, answer.left);
            return 0;
        }
    }
    printf("error unknown request\n");
    return 1;
}
