// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

#include "classic.h"

// As many operations as a turn has on every other side. Each turn is a callback of the loop's, and
// the loop polls and looks at its timers between two of them.
enum { a_turn = 1000, delays = 4096, picks = 1 << 18 };

#define always_inline __attribute__((always_inline)) static inline

uint64_t far_us(uint32_t index)
{
    static uint64_t table[delays];
    if (table[0] == 0) {
        uint64_t state = 1;
        for (uint32_t i = 0; i < delays; i += 1) {
            table[i] = 1000000 + draw(&state) % 59000000;
        }
    }
    return table[index & (delays - 1)];
}

void count_fire(timer *timer) { *(uint64_t *)timer->data += 1; }

void field_open(struct field *field, loop *loop, uint32_t count)
{
    *field = (struct field){loop, memory(count, sizeof *field->timers), count, 0};
    loop_note_time(loop);
    for (uint32_t i = 0; i < count; i += 1) {
        timer_open(loop, &field->timers[i], count_fire, &field->fired);
        timer_start(loop, &field->timers[i], far_us(i));
    }
}

int64_t field_close(struct field *field, uint64_t armed, uint64_t stopped)
{
    for (uint32_t i = 0; i < field->count; i += 1) {
        stopped += timer_stands(&field->timers[i]) ? 1 : 0;
        timer_stop(field->loop, &field->timers[i]);
    }
    free(field->timers);
    return (int64_t)(armed - stopped - field->fired);
}

// One loop, the timers that stand by on it, and one more that is worked with.
struct bench {
    struct field field;
    timer timer;
    uint64_t fired;   // of `timer`
    uint64_t stopped; // of the operations' timers, while they stood by
    uint32_t *picked;
    knock turn;
    uint32_t next;
    uint32_t end;
};

// One operation: a timer started and stopped. It is initialised once, as C code does.
always_inline void pair(struct bench *bench, uint32_t index)
{
    timer_start(bench->field.loop, &bench->timer, far_us(index));
    bench->stopped += timer_stands(&bench->timer) ? 1 : 0;
    timer_stop(bench->field.loop, &bench->timer);
}

// One operation: a random timer stopped and started again.
always_inline void swap_one(struct bench *bench, uint32_t index)
{
    timer *picked = &bench->field.timers[bench->picked[index & (picks - 1)]];
    bench->stopped += timer_stands(picked) ? 1 : 0;
    timer_stop(bench->field.loop, picked);
    timer_start(bench->field.loop, picked, far_us(index));
}

// One operation: one and the same pending timer moved.
always_inline void push_back(struct bench *bench, uint32_t index)
{
    (void)index;
    bench->stopped += timer_stands(&bench->timer) ? 1 : 0;
    timer_move(bench->field.loop, &bench->timer, 5000000);
}

#define TURN(operation)                                                                            \
    static void turn_of_##operation(knock *turn)                                                   \
    {                                                                                              \
        struct bench *bench = turn->data;                                                          \
        uint32_t end = bench->next + a_turn < bench->end ? bench->next + a_turn : bench->end;      \
        for (; bench->next < end; bench->next += 1) {                                              \
            operation(bench, bench->next);                                                         \
        }                                                                                          \
    }

TURN(pair)
TURN(swap_one)
TURN(push_back)

static void run_turns(struct bench *bench, uint32_t count)
{
    bench->end = bench->next + count;
    while (bench->next < bench->end) {
        knock_next(&bench->turn);
        loop_turn(bench->field.loop);
    }
}

static void bench_open(struct bench *bench, uint32_t outstanding, void (*turn)(knock *turn))
{
    *bench = (struct bench){0};
    field_open(&bench->field, loop_open(alone), outstanding);
    timer_open(bench->field.loop, &bench->timer, count_fire, &bench->fired);
    knock_open(bench->field.loop, &bench->turn, turn, bench);
}

// Warms up, and measures `request->operations` on the core of `request`; tells how many of them found
// their timer standing by.
static uint64_t bench_run(struct bench *bench, uint32_t warm_up, const struct request *request,
                          struct span *span)
{
    uint64_t cores = take_core(request->core);
    run_turns(bench, warm_up);
    uint64_t before = bench->stopped;
    span_begin(span);
    run_turns(bench, request->operations);
    span_end(span, now_ns());
    give_cores(cores);
    return bench->stopped - before;
}

static int64_t bench_close(struct bench *bench, uint64_t armed, uint64_t stopped)
{
    knock_close(&bench->turn);
    int64_t left = field_close(&bench->field, armed, stopped);
    loop_close(bench->field.loop);
    return left;
}

struct answer pairs(const struct request *request)
{
    struct bench bench;
    struct answer answer = {0};
    bench_open(&bench, request->outstanding, turn_of_pair);
    answer.operations = bench_run(&bench, request->operations / 10, request, &answer.span);
    answer.fired = bench.fired;
    answer.left = bench_close(&bench, request->outstanding, 0);
    return answer;
}

struct answer churn(const struct request *request)
{
    struct bench bench;
    struct answer answer = {0};
    uint64_t state = 7;
    bench_open(&bench, request->outstanding, turn_of_swap_one);
    bench.picked = memory(picks, sizeof *bench.picked);
    for (uint32_t i = 0; i < picks; i += 1) {
        bench.picked[i] = (uint32_t)(draw(&state) % request->outstanding);
    }
    (void)bench_run(&bench, request->warmup, request, &answer.span);
    // A timer that had fired was not there to be stopped; it still got a successor.
    answer.operations = bench.next - request->warmup;
    free(bench.picked);
    answer.left = bench_close(&bench, (uint64_t)request->outstanding + bench.next, bench.stopped);
    return answer;
}

// The one firing in which a debounce ends.
static void last_fire(timer *timer)
{
    struct bench *bench = timer->data;
    bench->fired += 1;
    loop_leave(bench->field.loop);
}

struct answer debounce(const struct request *request)
{
    struct bench bench;
    struct answer answer = {0};
    bench_open(&bench, request->outstanding, turn_of_push_back);
    timer_open(bench.field.loop, &bench.timer, last_fire, &bench);
    timer_start(bench.field.loop, &bench.timer, 5000000);
    answer.operations = bench_run(&bench, request->operations / 10, request, &answer.span);
    timer_stop(bench.field.loop, &bench.timer);
    timer_start(bench.field.loop, &bench.timer, 1000);
    loop_run(bench.field.loop);
    answer.fired = bench.fired;
    answer.left = bench_close(&bench, request->outstanding, 0);
    return answer;
}

// A thread that starts and stops timers of another thread's loop.
struct stranger {
    pthread_t thread;
    pthread_barrier_t *gate;
    loop *loop;
    uint32_t number;
    uint32_t each;
    uint64_t stopped;
    uint64_t fired;
};

static void pairs_of(struct stranger *own, timer *timer, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 1) {
        timer_start(own->loop, timer, far_us(i));
        own->stopped += timer_stands(timer) ? 1 : 0;
        timer_stop(own->loop, timer);
    }
}

// Warms up before the gate opens.
static void *start_and_stop(void *argument)
{
    struct stranger *own = argument;
    timer timer;
    timer_open(own->loop, &timer, count_fire, &own->fired);
    (void)take_core(own->number);
    pairs_of(own, &timer, own->each / 10);
    own->stopped = 0;
    (void)pthread_barrier_wait(own->gate);
    pairs_of(own, &timer, own->each);
    return NULL;
}

static void leave(knock *knock) { loop_leave(knock->loop); }

static void *run_loop(void *loop)
{
    loop_run(loop);
    return NULL;
}

// One operation: as in pairs, by threads that are not the loop's.
struct answer threads(const struct request *request)
{
    struct answer answer = {0};
    struct field field;
    knock last;
    pthread_t home;
    pthread_barrier_t gate;
    struct stranger *strangers = memory(request->producers, sizeof *strangers);
    loop *loop = loop_open(shared);
    field_open(&field, loop, 1000);
    knock_open(loop, &last, leave, NULL);
    (void)pthread_barrier_init(&gate, NULL, request->producers + 1);
    (void)pthread_create(&home, NULL, run_loop, loop);
    for (uint32_t i = 0; i < request->producers; i += 1) {
        strangers[i] = (struct stranger){.gate = &gate, .loop = loop, .number = i,
                                         .each = request->each};
        (void)pthread_create(&strangers[i].thread, NULL, start_and_stop, &strangers[i]);
    }
    span_begin(&answer.span);
    (void)pthread_barrier_wait(&gate);
    for (uint32_t i = 0; i < request->producers; i += 1) {
        (void)pthread_join(strangers[i].thread, NULL);
        answer.operations += strangers[i].stopped;
        answer.fired += strangers[i].fired;
    }
    span_end(&answer.span, now_ns());
    knock_send(&last);
    (void)pthread_join(home, NULL);
    (void)pthread_barrier_destroy(&gate);
    free(strangers);
    knock_close(&last);
    answer.left = field_close(&field, 1000, 0);
    loop_close(loop);
    return answer;
}
