// SPDX-License-Identifier: Apache-2.0
#include "cells.h"
#include "include/descriptors.h"
#include "internal/park/park.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MS UINT64_C(1000000)

/// Whether the descriptor is an anonymous one of this kind.
static bool is_a(int descriptor, const char *kind)
{
    char path[64], target[64] = {0};
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return readlink(path, target, sizeof target - 1) > 0 && strstr(target, kind) != NULL;
}

/// A loop's own: its poller, or the first one of a kind that this watches. The bell was made before
/// libuv's eventfd. (What is new in the process may be Dispatch's.)
static int find(swivel_loop *loop, swivel_lost lost)
{
    int poller = swivel__park_fd(loop->park), found = -1;
    char line[128];
    snprintf(line, sizeof line, "/proc/self/fdinfo/%d", poller);
    FILE *watched = lost == SWIVEL_LOSE_POLLER ? NULL : fopen(line, "re");
    while (watched != NULL && fgets(line, sizeof line, watched) != NULL) {
        int number;
        if (sscanf(line, "tfd: %d", &number) == 1 && (found < 0 || number < found) &&
            is_a(number, lost == SWIVEL_LOSE_BELL ? "eventfd" : "timerfd")) {
            found = number;
        }
    }
    if (watched != NULL) {
        fclose(watched);
    }
    return lost == SWIVEL_LOSE_POLLER ? poller : found;
}

static int open_instead(swivel_found found, const char *file)
{
    switch (found) {
    case SWIVEL_FIND_NOTHING:
        return -1;
    case SWIVEL_FIND_FILE:
        return open(file, O_RDWR | O_CREAT, 0600);
    case SWIVEL_FIND_EVENTFD:
        return eventfd(0, EFD_NONBLOCK);
    case SWIVEL_FIND_TIMERFD:
        return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    case SWIVEL_FIND_POLLER:
        return epoll_create1(0);
    }
    return -1;
}

typedef struct loss {
    swivel_loop *loop;
    swivel_lost lost;
    swivel_found found;
    const char *file;
} loss;

static void lose(const loss *loss)
{
    int descriptor = find(loss->loop, loss->lost), other = open_instead(loss->found, loss->file);
    if (descriptor < 0) {
        abort();
    }
    if (other < 0) {
        close(descriptor);
    } else {
        dup2(other, descriptor);
        close(other);
    }
}

static void *lose_soon(void *argument)
{
    poll(NULL, 0, 100);
    lose(argument);
    return NULL;
}

/// Waits for a timer; long, where it is late by more than a second before its loop says why.
static void await_timer(swivel_loop *loop, bool has_thread, uint64_t delay_ns)
{
    swivel_cell cell = {0};
    swivel_schedule(loop, delay_ns, 0, swivel_cell_work(&cell));
    for (int looks = 0; swivel_cell_ran(&cell) == 0 && looks < 10000; looks++) {
        if (!has_thread) {
            swivel_loop_run_once(loop, true, NULL);
        }
        poll(NULL, 0, 1);
    }
}

static swivel_loop *make_loop(bool has_thread)
{
    swivel_config config = {.name = "test.loses",
                            .hooks = swivel_cell_hooks(),
                            .drive = has_thread ? SWIVEL_OWN_THREAD : SWIVEL_CALLER};
    swivel_loop *loop;
    if (swivel_loop_create(&config, &loop) != SWIVEL_OK) {
        abort();
    }
    swivel_counters counters = {0};
    while (has_thread && counters.parks == 0) {
        poll(NULL, 0, 1);
        swivel_loop_counters(loop, &counters);
    }
    poll(NULL, 0, 20); // Asleep by now; if not, the loss is noticed earlier.
    return loop;
}

void swivel_lose_descriptor(swivel_lost lost, swivel_found found, bool has_thread, const char *file)
{
    swivel_loop *loop = make_loop(has_thread);
    loss loss = {loop, lost, found, file};
    if (lost == SWIVEL_LOSE_TIME_ASLEEP) {
        pthread_t thread;
        pthread_create(&thread, NULL, lose_soon, &loss);
        await_timer(loop, has_thread, 300 * MS);
        pthread_join(thread, NULL);
    } else {
        lose(&loss);
    }
    // The second finds the loop asleep again, for a time that the timerfd is to end.
    await_timer(loop, has_thread, 2 * MS);
    await_timer(loop, has_thread, 2 * MS);
    swivel_loop_release(loop);
}
