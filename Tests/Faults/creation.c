// SPDX-License-Identifier: Apache-2.0
// S4, against every call of the system that the making of a loop takes: if one fails, and
// however, the answer is an error, nothing is left behind, and a later try succeeds.
#include "faults.h"
#include "swivel.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS_MAX 64

typedef struct fault {
    const char *function;
    int errors[4];
} fault;

/// (Not realloc: libuv aborts where its table of watchers cannot grow.)
static const fault faults[] = {
    {"epoll_create1", {EMFILE, ENFILE, ENOMEM}},
    {"epoll_ctl", {ENOSPC, ENOMEM}},
    {"eventfd", {EMFILE, ENFILE, ENODEV, ENOMEM}},
    {"timerfd_create", {EMFILE, ENFILE, ENODEV, ENOMEM}},
    {"pipe2", {EMFILE, ENFILE, ENOMEM}},
    {"pthread_create", {EAGAIN}},
    {"mmap", {ENOMEM}},
    {"malloc", {ENOMEM}},
    {"calloc", {ENOMEM}},
    {"posix_memalign", {ENOMEM}},
};

static int tries; ///< That have failed.

static int count(const char *folder)
{
    int entries = 0;
    DIR *directory = opendir(folder);
    while (directory != NULL && readdir(directory) != NULL) {
        entries += 1;
    }
    closedir(directory);
    return entries;
}

static int descriptors(void)
{
    return count("/proc/self/fd");
}

/// A joined thread is in the list for a moment longer.
static bool has_threads(int threads)
{
    for (int checks = 0; checks < 10000 && count("/proc/self/task") > threads; checks++) {
        usleep(100);
    }
    return count("/proc/self/task") <= threads;
}

static void ran(void *argument)
{
    atomic_store((_Atomic bool *)argument, true);
}

static int make(swivel_drive drive, swivel_loop **loop)
{
    swivel_config config = {.name = "faults", .drive = drive};
    return swivel_loop_create(&config, loop);
}

static void use(swivel_loop *loop, swivel_drive drive)
{
    _Atomic bool has_run = false;
    swivel_post(loop, swivel_call(ran, (void *)&has_run));
    while (!atomic_load(&has_run)) {
        if (drive != SWIVEL_OWN_THREAD) {
            swivel_loop_run_once(loop, true, NULL);
        }
        usleep(10);
    }
    swivel_loop_release(loop);
}

static void complain(const char *what, const fault *fault, int error, int nth, int number)
{
    fprintf(stderr, "creation: %s, with %s number %d of %s: %d\n", what, strerror(error), nth,
            fault->function, number);
    exit(1);
}

/// Makes loops while the call fails. Returns false once that call is not made so often.
static bool try(const fault *fault, int error, int nth, bool lasts, swivel_drive drive)
{
    swivel_loop *loop;
    int open = descriptors(), threads = count("/proc/self/task");
    faults_begin(fault->function, error, nth, lasts);
    int status = make(drive, &loop);
    bool failed = faults_end();
    if (status == SWIVEL_OK) {
        use(loop, drive);
    } else if (!failed || status < -4095 || swivel_status_text(status) == NULL) {
        complain("an error of no call", fault, error, nth, status);
    }
    tries += failed;
    if (!lasts && descriptors() != open) {
        complain("descriptors are left", fault, error, nth, descriptors() - open);
    }
    if (!has_threads(threads)) {
        complain("a thread is left", fault, error, nth, count("/proc/self/task") - threads);
    }
    if (make(drive, &loop) != SWIVEL_OK) {
        complain("a later try fails", fault, error, nth, 0);
    }
    use(loop, drive);
    return failed;
}

/// In a process that has no loop yet, with a call that fails until it is reset.
static void try_first(const fault *fault, int error, swivel_drive drive)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        try(fault, error, 1, true, drive);
        int open = descriptors();
        try(fault, error, 1, true, drive);
        if (descriptors() != open) {
            complain("descriptors are left", fault, error, 1, descriptors() - open);
        }
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (status != 0) {
        complain("the first loop ends the program", fault, error, 1, status);
    }
}

static void try_all(const fault *fault, int error, swivel_drive drive)
{
    try_first(fault, error, drive);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        // The process's signal pipe is libuv's affair, which aborts where it cannot make it: with
        // the first loop. The later ones are made in records that were used before, or in new ones.
        swivel_loop *held;
        do {
            if ((drive == SWIVEL_CALLER || tries == 0) && make(drive, &held) != SWIVEL_OK) {
                complain("no loop", fault, error, 0, 0);
            }
        } while (try(fault, error, tries + 1, false, drive) && tries < CALLS_MAX);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (status != 0) {
        complain("a loop ends the program", fault, error, 0, status);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        for (int e = 0; e < 4 && faults[i].errors[e] != 0; e++) {
            try_all(&faults[i], faults[i].errors[e], SWIVEL_OWN_THREAD);
            try_all(&faults[i], faults[i].errors[e], SWIVEL_CALLER);
        }
    }
    puts("creation: every call that fails is an error");
    return 0;
}
