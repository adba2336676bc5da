// SPDX-License-Identifier: Apache-2.0
#include "include/foreign.h"
#include "cells.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct handed {
    struct handed *next;
    swivel_timer timer;
    swivel_tick tick;
    bool repeats;
} handed;

struct swivel_foreign {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    handed *first, *last;
    uint32_t waiting;
    bool ends, threaded;
    pthread_t thread;
    _Atomic uint64_t contexts, released;
    // The server's.
    handed *under_way;
    swivel_work work;
};

/// The timer's content: 40 bytes, the rest of them a pattern that must come through unharmed.
typedef struct context {
    swivel_foreign *queue;
    uint32_t pattern[8];
} context;

_Static_assert(sizeof(context) == 40, "as swivel_schedule_foreign says");

/// A word that the core uses for the place of a node in its near heap, and another.
static const uint32_t pattern[8] = {514, 513, 514, 0, 514, UINT32_MAX, 514, 1};

static void check(const context *context)
{
    for (int i = 0; i < 8; i++) {
        if (context->pattern[i] != pattern[i]) {
            abort();
        }
    }
}

static handed *pop(swivel_foreign *queue)
{
    pthread_mutex_lock(&queue->lock);
    handed *first = queue->first;
    if (first != NULL) {
        queue->first = first->next;
        queue->last = queue->first == NULL ? NULL : queue->last;
        queue->waiting -= 1;
    }
    pthread_mutex_unlock(&queue->lock);
    return first;
}

bool swivel_foreign_begin(swivel_foreign *queue)
{
    handed *first = pop(queue);
    if (first == NULL) {
        return false;
    }
    if (!swivel_handed_begin(first->timer, &queue->work)) {
        free(first);
        return false;
    }
    queue->under_way = first;
    return true;
}

void swivel_foreign_end(swivel_foreign *queue)
{
    handed *first = queue->under_way;
    if (first->repeats) {
        swivel_cell_tick(&queue->work, &first->tick);
    } else {
        swivel_cell_run(&queue->work);
    }
    swivel_handed_end(first->timer, &queue->work, first->repeats);
    free(first);
}

bool swivel_foreign_serve(swivel_foreign *queue)
{
    bool begun = swivel_foreign_begin(queue);
    if (begun) {
        swivel_foreign_end(queue);
    }
    return begun;
}

bool swivel_foreign_drop(swivel_foreign *queue)
{
    handed *first = pop(queue);
    swivel_work work;
    bool mine = first != NULL && swivel_handed_drop(first->timer, &work);
    if (mine) {
        swivel_cell_release(&work);
    }
    free(first);
    return mine;
}

static void *serve_all(void *argument)
{
    swivel_foreign *queue = argument;
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        while (queue->first == NULL && !queue->ends) {
            pthread_cond_wait(&queue->changed, &queue->lock);
        }
        bool over = queue->first == NULL;
        pthread_mutex_unlock(&queue->lock);
        if (over) {
            return NULL;
        }
        swivel_foreign_serve(queue);
    }
}

swivel_foreign *swivel_foreign_make(bool threaded)
{
    swivel_foreign *queue = calloc(1, sizeof *queue);
    if (queue == NULL) {
        abort();
    }
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue->threaded = threaded;
    if (threaded && pthread_create(&queue->thread, NULL, serve_all, queue) != 0) {
        abort();
    }
    return queue;
}

void swivel_foreign_free(swivel_foreign *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->ends = true;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    if (queue->threaded) {
        pthread_join(queue->thread, NULL);
    }
    while (queue->first != NULL) {
        swivel_foreign_drop(queue);
    }
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->changed);
    free(queue);
}

swivel_timer swivel_foreign_schedule(swivel_foreign *queue, swivel_loop *loop, uint64_t deadline_ns,
                                     uint64_t leeway_ns, const swivel_grid *grid, swivel_work work)
{
    context moved = {queue, {0}};
    for (int i = 0; i < 8; i++) {
        moved.pattern[i] = pattern[i];
    }
    swivel_timer timer = swivel_schedule_foreign(loop, deadline_ns, leeway_ns, grid, &moved, work);
    if (timer.loop != NULL) {
        atomic_fetch_add(&queue->contexts, 1);
    }
    return timer;
}

void swivel_foreign_hand_over(void *moved, swivel_timer timer, const swivel_tick *tick)
{
    const context *context = moved;
    check(context);
    swivel_foreign *queue = context->queue;
    handed *last = calloc(1, sizeof *last);
    if (last == NULL) {
        abort();
    }
    last->timer = timer;
    last->repeats = tick != NULL;
    if (tick != NULL) {
        last->tick = *tick;
    }
    pthread_mutex_lock(&queue->lock);
    if (queue->last == NULL) {
        queue->first = last;
    } else {
        queue->last->next = last;
    }
    queue->last = last;
    queue->waiting += 1;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void swivel_foreign_release(void *moved)
{
    const context *context = moved;
    check(context);
    atomic_fetch_add(&context->queue->released, 1);
}

uint32_t swivel_foreign_waiting(swivel_foreign *queue)
{
    pthread_mutex_lock(&queue->lock);
    uint32_t waiting = queue->waiting;
    pthread_mutex_unlock(&queue->lock);
    return waiting;
}

uint64_t swivel_foreign_contexts(const swivel_foreign *queue)
{
    return atomic_load(&queue->contexts);
}

uint64_t swivel_foreign_released(const swivel_foreign *queue)
{
    return atomic_load(&queue->released);
}
