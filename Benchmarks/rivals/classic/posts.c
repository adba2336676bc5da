// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

#include "classic.h"

// A closure as a C programmer hands one over: a function, its data, a link. With captures it is a
// record of its own on the heap; without, a slot of the producer's array.
struct post {
    struct post *next;
    void (*run)(struct post *post, uint64_t *ran);
    uint64_t number;
};

struct mailbox {
    loop *loop;
    knock wake;
    pthread_mutex_t lock;
    struct post *first; // protected by lock
    struct post **last; // protected by lock
    uint64_t ran;       // loop thread only
    uint64_t expected;
    uint64_t ended_ns;
};

static void run_plain(struct post *post, uint64_t *ran)
{
    (void)post;
    *ran += 1;
}

static void run_capturing(struct post *post, uint64_t *ran)
{
    *ran += post->number;
    free(post);
}

static void drain(knock *wake)
{
    struct mailbox *box = wake->data;
    (void)pthread_mutex_lock(&box->lock);
    struct post *post = box->first;
    box->first = NULL;
    box->last = &box->first;
    (void)pthread_mutex_unlock(&box->lock);
    while (post != NULL) {
        struct post *next = post->next;
        post->run(post, &box->ran);
        post = next;
    }
    if (box->ran == box->expected) {
        box->ended_ns = now_ns();
        loop_leave(box->loop);
    }
}

// The loop takes all that is there: whoever finds posts before its own need not wake it.
static void hand_over(struct mailbox *box, struct post *post)
{
    post->next = NULL;
    (void)pthread_mutex_lock(&box->lock);
    bool is_first = box->first == NULL;
    *box->last = post;
    box->last = &post->next;
    (void)pthread_mutex_unlock(&box->lock);
    if (is_first) {
        knock_send(&box->wake);
    }
}

struct producer {
    pthread_t thread;
    struct mailbox *box;
    pthread_barrier_t *gate;
    struct post *slots; // NULL if each post has a record of its own
    uint32_t number;
    uint32_t each;
};

static void *produce(void *argument)
{
    struct producer *own = argument;
    (void)take_core(own->number);
    (void)pthread_barrier_wait(own->gate);
    for (uint32_t i = 0; i < own->each; i += 1) {
        struct post *post = own->slots == NULL ? malloc(sizeof *post) : &own->slots[i];
        if (post == NULL) {
            abort();
        }
        post->run = own->slots == NULL ? run_capturing : run_plain;
        post->number = 1;
        hand_over(own->box, post);
    }
    return NULL;
}

struct home {
    loop *loop;
    uint32_t producers;
};

static void *run_beside(void *argument)
{
    struct home *home = argument;
    leave_free(home->producers);
    loop_run(home->loop);
    return NULL;
}

// One operation: a closure handed over to the loop's thread, through a list under a lock and a wake.
struct answer posts(const struct request *request)
{
    struct answer answer = {0};
    pthread_t consumer;
    pthread_barrier_t gate;
    struct producer *producers = memory(request->producers, sizeof *producers);
    struct mailbox box = {.loop = loop_open(shared)};
    struct home home = {box.loop, request->producers};
    box.last = &box.first;
    box.expected = (uint64_t)request->producers * request->each;
    (void)pthread_mutex_init(&box.lock, NULL);
    (void)pthread_barrier_init(&gate, NULL, request->producers + 1);
    knock_open(box.loop, &box.wake, drain, &box);
    (void)pthread_create(&consumer, NULL, run_beside, &home);
    for (uint32_t i = 0; i < request->producers; i += 1) {
        struct post *slots =
            request->capturing != 0 ? NULL : memory(request->each, sizeof *slots);
        producers[i] = (struct producer){.box = &box, .gate = &gate, .slots = slots, .number = i,
                                         .each = request->each};
        (void)pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
    }
    span_begin(&answer.span);
    (void)pthread_barrier_wait(&gate);
    for (uint32_t i = 0; i < request->producers; i += 1) {
        (void)pthread_join(producers[i].thread, NULL);
    }
    (void)pthread_join(consumer, NULL);
    span_end(&answer.span, box.ended_ns);
    for (uint32_t i = 0; i < request->producers; i += 1) {
        free(producers[i].slots);
    }
    free(producers);
    answer.operations = box.expected;
    answer.fired = box.ran;
    answer.left = box.first != NULL ? 1 : 0;
    knock_close(&box.wake);
    loop_close(box.loop);
    (void)pthread_barrier_destroy(&gate);
    (void)pthread_mutex_destroy(&box.lock);
    return answer;
}

// Two loops, each on its own thread, that answer each other. One message is under way at a time, so
// that the fields need no lock: a knock orders what is before it.
struct ends {
    loop *near_loop;
    loop *far_loop;
    knock near;
    knock far;
    uint32_t trips;
    uint32_t done;
    uint64_t sent_ns;
    int64_t *times_ns;
};

static void send_one(struct ends *ends)
{
    ends->sent_ns = now_ns();
    knock_send(&ends->far);
}

static void at_far_end(knock *knock)
{
    struct ends *ends = knock->data;
    if (ends->done == ends->trips) {
        loop_leave(ends->far_loop);
    } else {
        knock_send(&ends->near);
    }
}

static void back_home(knock *knock)
{
    struct ends *ends = knock->data;
    ends->times_ns[ends->done] = (int64_t)(now_ns() - ends->sent_ns);
    ends->done += 1;
    if (ends->done == ends->trips) {
        loop_leave(ends->near_loop);
        knock_send(&ends->far);
    } else {
        send_one(ends);
    }
}

static void *run_far(void *loop)
{
    loop_run(loop);
    return NULL;
}

// One operation: a knock at another loop on another thread, and its reply.
struct answer round_trips(const struct request *request)
{
    struct answer answer = {0};
    struct ends ends = {.near_loop = loop_open(shared), .far_loop = loop_open(shared),
                        .trips = request->trips};
    pthread_t far;
    ends.times_ns = memory(request->trips, sizeof *ends.times_ns);
    knock_open(ends.near_loop, &ends.near, back_home, &ends);
    knock_open(ends.far_loop, &ends.far, at_far_end, &ends);
    (void)pthread_create(&far, NULL, run_far, ends.far_loop);
    span_begin(&answer.span);
    send_one(&ends);
    loop_run(ends.near_loop);
    span_end(&answer.span, now_ns());
    (void)pthread_join(far, NULL);
    answer.operations = ends.done;
    answer.fired = ends.done;
    answer.times_ns = ends.times_ns;
    knock_close(&ends.near);
    knock_close(&ends.far);
    loop_close(ends.near_loop);
    loop_close(ends.far_loop);
    return answer;
}
