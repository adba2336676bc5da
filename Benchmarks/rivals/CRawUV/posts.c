// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "bed.h"

// A closure as a C programmer hands one over: a function, its data, a link, on the heap.
struct post {
    struct post *next;
    void (*run)(struct post *post, uint64_t *ran);
    uint64_t number;
};

struct mailbox {
    uv_loop_t loop;
    uv_async_t wake;
    uv_mutex_t lock;
    struct post *first; // protected by lock
    struct post **last; // protected by lock
    uv_sem_t gate;      // opens once for each producer when the measurement begins
    uint64_t ran;       // loop thread only
    uint64_t expected;
    uint32_t each;
};

static void run_capturing(struct post *post, uint64_t *ran)
{
    *ran += post->number;
    free(post);
}

struct producer {
    struct mailbox *box;
    void (*start)(uint32_t number);
    uint32_t number;
};

static void drain(uv_async_t *wake)
{
    struct mailbox *box = wake->data;
    uv_mutex_lock(&box->lock);
    struct post *post = box->first;
    box->first = NULL;
    box->last = &box->first;
    uv_mutex_unlock(&box->lock);
    while (post != NULL) {
        struct post *next = post->next;
        post->run(post, &box->ran);
        post = next;
    }
    if (box->ran == box->expected) {
        uv_close((uv_handle_t *)wake, NULL);
    }
}

static void hand_over(struct mailbox *box, struct post *post)
{
    post->next = NULL;
    uv_mutex_lock(&box->lock);
    *box->last = post;
    box->last = &post->next;
    uv_mutex_unlock(&box->lock);
    (void)uv_async_send(&box->wake);
}

static void produce(void *argument)
{
    struct producer *producer = argument;
    struct mailbox *box = producer->box;
    producer->start(producer->number);
    uv_sem_wait(&box->gate);
    for (uint32_t i = 0; i < box->each; i += 1) {
        struct post *post = malloc(sizeof *post);
        if (post == NULL) {
            abort();
        }
        post->run = run_capturing;
        post->number = 1;
        hand_over(box, post);
    }
}

static void run_loop(void *argument)
{
    (void)uv_run(argument, UV_RUN_DEFAULT);
}

int raw_uv_post(uint32_t producers, uint32_t each, void (*start)(uint32_t number),
                struct raw_uv_span *span)
{
    struct mailbox box = {.each = each};
    int status = uv_loop_init(&box.loop);
    if (status != 0) {
        return status;
    }
    box.last = &box.first;
    box.expected = (uint64_t)producers * each;
    (void)uv_async_init(&box.loop, &box.wake, drain);
    box.wake.data = &box;
    (void)uv_mutex_init(&box.lock);
    (void)uv_sem_init(&box.gate, 0);
    uv_thread_t consumer;
    uv_thread_t threads[16];
    struct producer arguments[16];
    producers = producers < 16 ? producers : 16;
    (void)uv_thread_create(&consumer, run_loop, &box.loop);
    for (uint32_t i = 0; i < producers; i += 1) {
        arguments[i] = (struct producer){&box, start, i};
        (void)uv_thread_create(&threads[i], produce, &arguments[i]);
    }
    struct timespec settle = {0, 5000000};
    (void)nanosleep(&settle, NULL);
    raw_uv_span_begin(span);
    for (uint32_t i = 0; i < producers; i += 1) {
        uv_sem_post(&box.gate);
    }
    (void)uv_thread_join(&consumer);
    raw_uv_span_end(span);
    for (uint32_t i = 0; i < producers; i += 1) {
        (void)uv_thread_join(&threads[i]);
    }
    span->done = box.expected;
    span->fired = box.ran;
    uv_sem_destroy(&box.gate);
    uv_mutex_destroy(&box.lock);
    return uv_loop_close(&box.loop);
}
