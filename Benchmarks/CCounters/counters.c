// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "counters.h"

#include <stdbool.h>
#include <stdlib.h>

#if defined(__linux__)

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A thread's counter is a descriptor, which sums up those of the threads that it starts.
struct counters {
    int *threads;
    size_t count;
};

/// Opens a counter that does not count yet. Returns its descriptor, or -1.
static int open_counter(counted_event event, int thread)
{
    bool is_software = event == COUNTED_PAGE_FAULTS;
    struct perf_event_attr wanted = {
        .size = sizeof wanted,
        .type = is_software ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE,
        .config = is_software ? PERF_COUNT_SW_PAGE_FAULTS : PERF_COUNT_HW_INSTRUCTIONS,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = 1,
        .inherit = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/// Threads, by their numbers.
typedef struct thread_list {
    int *threads;
    size_t count;
} thread_list;

static bool append(thread_list *list, int thread)
{
    int *threads = realloc(list->threads, (list->count + 1) * sizeof *threads);
    if (threads == NULL) {
        return false;
    }
    list->threads = threads;
    threads[list->count++] = thread;
    return true;
}

/// Lists every thread of the process, the caller as the last, which counts the fewest of the calls
/// that are made here. All come before the first counter: a thread that begins afterwards is in the
/// count of the one that starts it, and would be counted twice.
static bool list_threads(thread_list *list)
{
    DIR *folder = opendir("/proc/self/task");
    if (folder == NULL) {
        return false;
    }
    int caller = (int)syscall(SYS_gettid);
    bool has_memory = true;
    for (struct dirent *entry; has_memory && (entry = readdir(folder)) != NULL;) {
        int thread = atoi(entry->d_name);
        has_memory = thread <= 0 || thread == caller || append(list, thread);
    }
    closedir(folder);
    return has_memory && append(list, caller);
}

/// Opens a counter for each. False if one has none, but for a thread that has ended.
static bool open_all(counters *all, counted_event event, const thread_list *list)
{
    all->threads = calloc(list->count, sizeof *all->threads);
    for (size_t i = 0; all->threads != NULL && i < list->count; i += 1) {
        int counter = open_counter(event, list->threads[i]);
        if (counter >= 0) {
            all->threads[all->count++] = counter;
        } else if (errno != ESRCH) {
            return false;
        }
    }
    return all->threads != NULL;
}

static uint64_t count_of(int counter)
{
    struct {
        uint64_t count, wanted_ns, had_ns;
    } told;
    if (read(counter, &told, sizeof told) != (ssize_t)sizeof told || told.had_ns == 0) {
        return 0;
    }
    return told.had_ns == told.wanted_ns
               ? told.count
               : (uint64_t)((double)told.count * (double)told.wanted_ns / (double)told.had_ns);
}

counters *counters_begin(counted_event event)
{
    counters *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    thread_list list = {NULL, 0};
    bool is_open = list_threads(&list) && open_all(all, event, &list);
    free(list.threads);
    if (!is_open) {
        (void)counters_end(all);
        return NULL;
    }
    for (size_t i = 0; i < all->count; i += 1) {
        (void)ioctl(all->threads[i], PERF_EVENT_IOC_ENABLE, 0);
    }
    return all;
}

uint64_t counters_end(counters *counting)
{
    uint64_t sum = 0;
    for (size_t i = counting->count; i-- > 0;) {
        (void)ioctl(counting->threads[i], PERF_EVENT_IOC_DISABLE, 0);
    }
    for (size_t i = 0; i < counting->count; i += 1) {
        sum += count_of(counting->threads[i]);
        (void)close(counting->threads[i]);
    }
    free(counting->threads);
    free(counting);
    return sum;
}

#elif defined(__APPLE__)

#include <libproc.h>
#include <sys/resource.h>
#include <unistd.h>

struct counters {
    uint64_t before;
};

static uint64_t instructions(void)
{
    struct rusage_info_v4 usage = {0};
    int refusal = proc_pid_rusage(getpid(), RUSAGE_INFO_V4, (rusage_info_t *)&usage);
    return refusal == 0 ? usage.ri_instructions : 0;
}

counters *counters_begin(counted_event event)
{
    counters *all = event == COUNTED_INSTRUCTIONS ? calloc(1, sizeof *all) : NULL;
    if (all != NULL) {
        all->before = instructions();
    }
    return all;
}

uint64_t counters_end(counters *counting)
{
    uint64_t after = instructions(), before = counting->before;
    free(counting);
    return after > before ? after - before : 0;
}

#else

struct counters {
    uint64_t none;
};

counters *counters_begin(counted_event event)
{
    (void)event;
    return NULL;
}

uint64_t counters_end(counters *counting)
{
    return counting->none;
}

#endif
