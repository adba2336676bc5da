// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "alloc_count.h"

#include <stdatomic.h>

static _Atomic(uint64_t) calls;

uint64_t system_calls_count(void)
{
    return atomic_load_explicit(&calls, memory_order_relaxed);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SYSTEM_CALLS_SANITIZED 1
#endif
#endif

// The executable's own definitions come before libc's, as those of malloc do. Each adds one and makes
// the call that an event loop makes around an event; other system calls are not counted.
#if defined(__linux__) && defined(__GLIBC__) && !defined(SYSTEM_CALLS_SANITIZED)

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

bool system_calls_are_counted(void)
{
    return true;
}

static long counted(long result)
{
    (void)atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    return result;
}

ssize_t read(int descriptor, void *buffer, size_t size)
{
    return counted(syscall(SYS_read, descriptor, buffer, size));
}

ssize_t write(int descriptor, const void *buffer, size_t size)
{
    return counted(syscall(SYS_write, descriptor, buffer, size));
}

int epoll_ctl(int set, int operation, int descriptor, struct epoll_event *event)
{
    return (int)counted(syscall(SYS_epoll_ctl, set, operation, descriptor, event));
}

int epoll_pwait(int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
    return (int)counted(syscall(SYS_epoll_pwait, set, events, most, timeout, mask, 8L));
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout)
{
    return epoll_pwait(set, events, most, timeout, (const sigset_t *)0);
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *time,
                    struct itimerspec *old)
{
    return (int)counted(syscall(SYS_timerfd_settime, descriptor, flags, time, old));
}

#else

bool system_calls_are_counted(void)
{
    return false;
}

#endif
