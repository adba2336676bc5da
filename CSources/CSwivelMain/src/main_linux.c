// SPDX-License-Identifier: Apache-2.0
// The main queue through the two entry points of libdispatch that Foundation's run loop uses: an
// eventfd that is readable when blocks came, and the function that runs them. They are looked up
// weakly: a libdispatch without them leaves the main queue to whoever drives it otherwise.
#if defined(__linux__)

#include "main_queue.h"

#include "internal/thread/atomics.h"
#include "internal/thread/fatal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *) __attribute__((weak));

/// The eventfd, plus 1; 0 before it was asked for. A duplicate, because `dispatch_main` closes the
/// original while another thread may be about to ring.
static SWIVEL_ATOMIC(int) handle;
/// Knows the file behind that number: see park_linux.c. Negative: the system refused it. Written
/// before `handle`.
static int witness = -1;

bool swivel__main_open(void)
{
    if (_dispatch_get_main_queue_handle_4CF == 0 || _dispatch_main_queue_callback_4CF == 0) {
        return false;
    }
    if (SWIVEL_LOAD(&handle, relaxed) == 0) {
        int original = _dispatch_get_main_queue_handle_4CF();
        int own = fcntl(original, F_DUPFD_CLOEXEC, 0);
        struct epoll_event event = {0};
        witness = own < 0 ? -1 : epoll_create1(EPOLL_CLOEXEC);
        if (witness >= 0 && epoll_ctl(witness, EPOLL_CTL_ADD, own, &event) < 0) {
            close(witness);
            witness = -1;
        }
        SWIVEL_STORE(&handle, (own < 0 ? original : own) + 1, release);
    }
    return true;
}

int swivel__main_descriptor(void)
{
    return SWIVEL_LOAD(&handle, acquire) - 1;
}

/// Stops the program if the number stands for something else by now, which is nobody's to read or
/// write here.
static void check(int descriptor)
{
    struct epoll_event event = {0};
    if (witness >= 0 &&
        !(epoll_ctl(witness, EPOLL_CTL_ADD, descriptor, &event) < 0 && errno == EEXIST)) {
        swivel__fatal("the main queue's eventfd, descriptor %d, was closed under Swivel. Some code "
                      "of this program closes a descriptor that it has not opened, or closes one "
                      "twice.",
                      descriptor);
    }
}

void swivel__main_drain(void)
{
    // Read first: what comes later makes it readable again. So does the end of a drain that is
    // under way further up the stack, if this one, which then runs nothing, has read its share.
    uint64_t times;
    check(swivel__main_descriptor());
    while (read(swivel__main_descriptor(), &times, sizeof times) < 0 && errno == EINTR) {
    }
    _dispatch_main_queue_callback_4CF(0);
}

void swivel__main_sleep(swivel_real until)
{
    struct pollfd watched = {.fd = swivel__main_descriptor(), .events = POLLIN};
    struct timespec left;
    uint64_t left_ns = swivel__real_since(swivel__real_now(), until);
    left.tv_sec = (time_t)(left_ns / UINT64_C(1000000000));
    left.tv_nsec = (long)(left_ns % UINT64_C(1000000000));
    ppoll(&watched, 1, until.ns == SWIVEL_NEVER_NS ? 0 : &left, 0);
}

void swivel__main_ring(void)
{
    uint64_t one = 1;
    int descriptor = swivel__main_descriptor();
    if (descriptor >= 0) {
        check(descriptor);
    }
    while (descriptor >= 0 && write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

#else
typedef int swivel__main_linux_is_not_used;
#endif
