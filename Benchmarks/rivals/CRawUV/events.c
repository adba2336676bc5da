// SPDX-License-Identifier: Apache-2.0
#include "bed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#endif

int raw_crowd_open(struct raw_crowd *crowd, uint32_t count, uint32_t rounds)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    *crowd = (struct raw_crowd){.left = count, .rounds = rounds};
    crowd->pairs = calloc(count, 2 * sizeof *crowd->pairs);
    for (; crowd->count < count; crowd->count += 1) {
        int *pair = &crowd->pairs[2 * crowd->count];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
            raw_crowd_close(crowd);
            return UV_EMFILE;
        }
        (void)fcntl(pair[0], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

void raw_crowd_close(struct raw_crowd *crowd)
{
    for (uint32_t i = 0; i < 2 * crowd->count; i += 1) {
        (void)close(crowd->pairs[i]);
    }
    free(crowd->pairs);
    crowd->pairs = NULL;
    crowd->count = 0;
}

void raw_crowd_write(const struct raw_crowd *crowd)
{
    for (uint32_t i = 0; i < crowd->count; i += 1) {
        (void)!write(crowd->pairs[2 * i + 1], "a", 1);
    }
}

bool raw_crowd_count(struct raw_crowd *crowd)
{
    crowd->read += 1;
    crowd->left -= 1;
    if (crowd->left > 0) {
        return false;
    }
    crowd->left = crowd->count;
    crowd->rounds -= 1;
    if (crowd->rounds > 0) {
        raw_crowd_write(crowd);
    }
    return crowd->rounds == 0;
}

bool raw_crowd_read(struct raw_crowd *crowd, int descriptor)
{
    char byte;
    return read(descriptor, &byte, 1) == 1 && raw_crowd_count(crowd);
}

#if defined(__linux__)

/// Takes the events of the set until the last byte is read.
static void take_events(struct raw_crowd *crowd, int set)
{
    for (;;) {
        struct epoll_event events[256];
        int ready = epoll_wait(set, events, 256, -1);
        for (int i = 0; i < ready; i += 1) {
            if (raw_crowd_read(crowd, events[i].data.fd)) {
                return;
            }
        }
    }
}

int raw_epoll_events(uint32_t count, uint32_t rounds, struct raw_uv_span *span)
{
    struct raw_crowd crowd;
    int status = raw_crowd_open(&crowd, count, rounds);
    if (status != 0) {
        return status;
    }
    int set = epoll_create1(0);
    for (uint32_t i = 0; i < count && status == 0; i += 1) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = crowd.pairs[2 * i]};
        status = epoll_ctl(set, EPOLL_CTL_ADD, crowd.pairs[2 * i], &event) == 0 ? 0 : -errno;
    }
    if (status == 0) {
        raw_uv_span_begin(span);
        raw_crowd_write(&crowd);
        take_events(&crowd, set);
        raw_uv_span_end(span);
        span->done = crowd.read;
    }
    raw_crowd_close(&crowd);
    (void)close(set);
    return status;
}

#endif

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)events;
    int descriptor;
    (void)uv_fileno((uv_handle_t *)poll, &descriptor);
    if (status == 0 && raw_crowd_read(poll->data, descriptor)) {
        uv_stop(poll->loop);
    }
}

int raw_uv_events(uint32_t count, uint32_t rounds, struct raw_uv_span *span)
{
    struct raw_crowd crowd;
    int status = raw_crowd_open(&crowd, count, rounds);
    if (status != 0) {
        return status;
    }
    uv_loop_t loop;
    uv_poll_t *polls = calloc(count, sizeof *polls);
    (void)uv_loop_init(&loop);
    for (uint32_t i = 0; i < count && status == 0; i += 1) {
        status = uv_poll_init(&loop, &polls[i], crowd.pairs[2 * i]);
        polls[i].data = &crowd;
        (void)uv_poll_start(&polls[i], UV_READABLE, on_readable);
    }
    if (status == 0) {
        (void)uv_run(&loop, UV_RUN_NOWAIT);
        raw_uv_span_begin(span);
        raw_crowd_write(&crowd);
        (void)uv_run(&loop, UV_RUN_DEFAULT);
        raw_uv_span_end(span);
        span->done = crowd.read;
        for (uint32_t i = 0; i < count; i += 1) {
            uv_close((uv_handle_t *)&polls[i], NULL);
        }
        (void)uv_run(&loop, UV_RUN_DEFAULT);
    }
    (void)uv_loop_close(&loop);
    raw_crowd_close(&crowd);
    free(polls);
    return status;
}
