// SPDX-License-Identifier: Apache-2.0
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

static const char *failing;
static int failure, seen, at;
static bool lasting, has_failed;

void faults_begin(const char *function, int error, int nth, bool lasts)
{
    failure = error;
    seen = 0;
    at = nth;
    lasting = lasts;
    has_failed = false;
    failing = function;
}

bool faults_end(void)
{
    failing = NULL;
    return has_failed;
}

/// The threads that matter here are one at a time: creations come before the threads that they
/// start.
static bool fails(const char *function)
{
    if (failing == NULL || strcmp(failing, function) != 0) {
        return false;
    }
    seen += 1;
    bool now = lasting ? seen >= at : seen == at;
    has_failed |= now;
    if (now) {
        errno = failure;
    }
    return now;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define FAULT(type, name, parameters, arguments, result)                                           \
    type name parameters                                                                           \
    {                                                                                              \
        return fails(#name) ? (type)(result) : REAL(name) arguments;                               \
    }

FAULT(int, epoll_create1, (int flags), (flags), -1)
FAULT(int, eventfd, (unsigned count, int flags), (count, flags), -1)
FAULT(int, timerfd_create, (clockid_t clock, int flags), (clock, flags), -1)
FAULT(int, pipe2, (int ends[2], int flags), (ends, flags), -1)
FAULT(int, pthread_create,
      (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
      (thread, attributes, run, argument), failure)
FAULT(void *, mmap, (void *at, size_t size, int access, int flags, int file, off_t offset),
      (at, size, access, flags, file, offset), MAP_FAILED)
FAULT(int, posix_memalign, (void **memory, size_t alignment, size_t size),
      (memory, alignment, size), failure)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);

void *malloc(size_t size)
{
    return fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails("calloc") ? NULL : __libc_calloc(count, size);
}

/// As the kernel does it: a descriptor that is watched already is reported first, and nothing but a new
/// one takes memory, and counts against the limit of /proc/sys/fs/epoll.
int epoll_ctl(int poller, int operation, int descriptor, struct epoll_event *event)
{
    int status = REAL(epoll_ctl)(poller, operation, descriptor, event);
    if (operation == EPOLL_CTL_ADD && status == 0 && fails("epoll_ctl")) {
        REAL(epoll_ctl)(poller, EPOLL_CTL_DEL, descriptor, event);
        errno = failure;
        return -1;
    }
    return status;
}
