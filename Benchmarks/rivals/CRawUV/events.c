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

// Socket pairs whose first ends are watched. Once each of them has been read, all second ends are
// written again.

int raw_sockets_open(uint32_t count, int *descriptors)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    for (uint32_t i = 0; i < count; i += 1) {
        int *pair = &descriptors[2 * i];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
            raw_sockets_close(i, descriptors);
            return UV_EMFILE;
        }
        (void)fcntl(pair[0], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

void raw_sockets_close(uint32_t count, const int *descriptors)
{
    for (uint32_t i = 0; i < 2 * count; i += 1) {
        (void)close(descriptors[i]);
    }
}

void raw_sockets_write(uint32_t count, const int *descriptors)
{
    for (uint32_t i = 0; i < count; i += 1) {
        (void)!write(descriptors[2 * i + 1], "a", 1);
    }
}

bool raw_socket_read(int descriptor)
{
    char byte;
    return read(descriptor, &byte, 1) == 1;
}

int raw_socket_copy(int descriptor)
{
    return dup(descriptor);
}

#if defined(__linux__)

int raw_epoll_events(uint32_t count, uint32_t rounds, struct raw_uv_span *span)
{
    int *pairs = calloc(count, 2 * sizeof *pairs);
    int set = epoll_create1(0), status = raw_sockets_open(count, pairs);
    for (uint32_t i = 0; i < count && status == 0; i += 1) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = pairs[2 * i]};
        status = epoll_ctl(set, EPOLL_CTL_ADD, pairs[2 * i], &event) == 0 ? 0 : -errno;
    }
    raw_uv_span_begin(span);
    for (uint32_t round = 0; round < rounds && status == 0; round += 1) {
        raw_sockets_write(count, pairs);
        for (uint32_t left = count; left > 0;) {
            struct epoll_event events[256];
            int ready = epoll_wait(set, events, 256, -1);
            for (int i = 0; i < ready; i += 1) {
                if (raw_socket_read(events[i].data.fd)) {
                    left -= 1;
                    span->done += 1;
                }
            }
        }
    }
    raw_uv_span_end(span);
    raw_sockets_close(count, pairs);
    (void)close(set);
    free(pairs);
    return status;
}

#endif

struct crowd {
    int *pairs;
    uint32_t count, left, rounds;
    struct raw_uv_span *span;
};

static void on_readable(uv_poll_t *poll, int status, int events)
{
    struct crowd *crowd = poll->data;
    (void)events;
    int descriptor;
    (void)uv_fileno((uv_handle_t *)poll, &descriptor);
    if (status != 0 || !raw_socket_read(descriptor)) {
        return;
    }
    crowd->span->done += 1;
    crowd->left -= 1;
    if (crowd->left == 0 && crowd->rounds > 1) {
        crowd->rounds -= 1;
        crowd->left = crowd->count;
        raw_sockets_write(crowd->count, crowd->pairs);
    } else if (crowd->left == 0) {
        uv_stop(poll->loop);
    }
}

int raw_uv_events(uint32_t count, uint32_t rounds, struct raw_uv_span *span)
{
    uv_loop_t loop;
    struct crowd crowd = {calloc(count, 2 * sizeof(int)), count, count, rounds, span};
    uv_poll_t *polls = calloc(count, sizeof *polls);
    (void)uv_loop_init(&loop);
    int status = raw_sockets_open(count, crowd.pairs);
    for (uint32_t i = 0; i < count && status == 0; i += 1) {
        status = uv_poll_init(&loop, &polls[i], crowd.pairs[2 * i]);
        polls[i].data = &crowd;
        (void)uv_poll_start(&polls[i], UV_READABLE, on_readable);
    }
    if (status == 0) {
        (void)uv_run(&loop, UV_RUN_NOWAIT);
        raw_uv_span_begin(span);
        raw_sockets_write(count, crowd.pairs);
        (void)uv_run(&loop, UV_RUN_DEFAULT);
        raw_uv_span_end(span);
        for (uint32_t i = 0; i < count; i += 1) {
            uv_close((uv_handle_t *)&polls[i], NULL);
        }
        (void)uv_run(&loop, UV_RUN_DEFAULT);
        raw_sockets_close(count, crowd.pairs);
    }
    (void)uv_loop_close(&loop);
    free(polls);
    free(crowd.pairs);
    return status;
}
