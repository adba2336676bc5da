// SPDX-License-Identifier: Apache-2.0
#include "cells.h"
#include "include/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define DESCRIPTORS 256
#define MS UINT64_C(1000000)

/// Whether the descriptor is an anonymous one of this kind.
static bool is_a(int descriptor, const char *kind)
{
    char path[64], target[64] = {0};
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return readlink(path, target, sizeof target - 1) > 0 && strstr(target, kind) != NULL;
}

/// A loop's own among those that were not open before. The bell is made first, before libuv's
/// eventfd.
static int find(const bool *before, swivel_lost lost)
{
    static const char *const kinds[] = {"eventfd", "timerfd", "eventpoll"};
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
        if (!before[descriptor] && is_a(descriptor, kinds[lost])) {
            return descriptor;
        }
    }
    abort();
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

static void lose(int descriptor, swivel_found found, const char *file)
{
    int other = open_instead(found, file);
    if (other < 0) {
        close(descriptor);
    } else {
        dup2(other, descriptor);
        close(other);
    }
}

void swivel_lose_descriptor(swivel_lost lost, swivel_found found, bool has_thread, const char *file)
{
    bool before[DESCRIPTORS];
    for (int descriptor = 0; descriptor < DESCRIPTORS; descriptor++) {
        before[descriptor] = fcntl(descriptor, F_GETFD) >= 0;
    }
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
    lose(find(before, lost), found, file);
    // The second finds the loop asleep again, for a time that the timerfd is to end.
    swivel_cell cells[2] = {0};
    for (int i = 0; i < 2; i++) {
        swivel_schedule(loop, swivel_now_ns() + 2 * MS, 0, swivel_cell_work(&cells[i]));
        for (int looks = 0; swivel_cell_ran(&cells[i]) == 0 && looks < 200; looks++) {
            if (!has_thread) {
                swivel_loop_run_once(loop, true, NULL);
            }
            poll(NULL, 0, 1);
        }
    }
    swivel_loop_release(loop);
}
