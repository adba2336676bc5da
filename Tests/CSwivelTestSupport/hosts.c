// SPDX-License-Identifier: Apache-2.0
#include "include/hosts.h"
#include "../../CSources/CLibUV/shim.h"

#include <pthread.h>
#include <stdlib.h>

struct swivel_host_uv {
    uv_loop_t loop;
    pthread_t thread;
    void (*adopt)(void *argument, void *loop);
    void *argument;
    int status;
};

static void *run(void *argument)
{
    swivel_host_uv *host = argument;
    uv_loop_init(&host->loop);
    host->adopt(host->argument, &host->loop);
    uv_run(&host->loop, UV_RUN_DEFAULT);
    host->status = uv_loop_close(&host->loop);
    return NULL;
}

swivel_host_uv *swivel_host_uv_start(void (*adopt)(void *argument, void *loop), void *argument)
{
    swivel_host_uv *host = calloc(1, sizeof *host);
    host->adopt = adopt;
    host->argument = argument;
    pthread_create(&host->thread, NULL, run, host);
    return host;
}

static void close_any(uv_handle_t *handle, void *argument)
{
    (void)argument;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

void swivel_host_uv_sweep(void *loop)
{
    uv_walk(loop, close_any, NULL);
}

int swivel_host_uv_join(swivel_host_uv *host)
{
    pthread_join(host->thread, NULL);
    int status = host->status;
    free(host);
    return status;
}

struct swivel_host_signal {
    uv_loop_t loop;
    uv_signal_t handle;
    int heard;
};

static void on_signal(uv_signal_t *handle, int number)
{
    swivel_host_signal *host = handle->data;
    (void)number;
    host->heard += 1;
}

swivel_host_signal *swivel_host_signal_begin(int number)
{
    swivel_host_signal *host = calloc(1, sizeof *host);
    uv_loop_init(&host->loop);
    uv_signal_init(&host->loop, &host->handle);
    host->handle.data = host;
    uv_signal_start(&host->handle, on_signal, number);
    return host;
}

int swivel_host_signal_heard(swivel_host_signal *host)
{
    uv_run(&host->loop, UV_RUN_NOWAIT);
    return host->heard;
}

void swivel_host_signal_end(swivel_host_signal *host)
{
    uv_close((uv_handle_t *)&host->handle, NULL);
    uv_run(&host->loop, UV_RUN_DEFAULT);
    uv_loop_close(&host->loop);
    free(host);
}

#if defined(__linux__)
#include <sys/epoll.h>
#include <unistd.h>

int swivel_host_epoll(int descriptor)
{
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    return set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) < 0 ? -1 : set;
}

void swivel_host_epoll_wait(int set)
{
    struct epoll_event event;
    epoll_wait(set, &event, 1, -1);
}

void swivel_host_epoll_close(int set)
{
    if (set >= 0) {
        close(set);
    }
}
#else
int swivel_host_epoll(int descriptor)
{
    (void)descriptor;
    return -1;
}

void swivel_host_epoll_wait(int set)
{
    (void)set;
}

void swivel_host_epoll_close(int set)
{
    (void)set;
}
#endif
