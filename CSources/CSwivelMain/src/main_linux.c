// SPDX-License-Identifier: Apache-2.0
// The main queue through the two entry points of libdispatch that Foundation's run loop uses: an
// eventfd that is written when blocks came, and the function that runs them. They are looked up
// weakly: a libdispatch without them leaves the main queue to the code that drives it otherwise.
//
// A wait sleeps in a poller with that eventfd and one of its own, which the opener of a latch writes.
// It is edge-triggered, so the wait has nothing to read, and the main queue's eventfd stays readable
// for the run loop and for a loop that hosts the main queue.
#include "main_queue.h"

#include "internal/thread/atomics.h"
#include "internal/thread/fatal.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

extern int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));
extern void _dispatch_main_queue_callback_4CF(void *) __attribute__((weak));

#define SWIVEL_NS_PER_MS UINT64_C(1000000)
/// A wait first sleeps without the run loop: another thread mostly replies within microseconds, and
/// one pass of the run loop takes about twenty. A timeout that ends before the kernel's next tick
/// makes a short wait longer by a third. Later passes are at least as far apart.
#define SWIVEL_MAIN_PASS_NS (10 * SWIVEL_NS_PER_MS)
#define SWIVEL_MAIN_PASS_MAX_NS (1000 * SWIVEL_NS_PER_MS)

/// Wakes a wait: an eventfd, plus 1; 0 before the first wait.
static SWIVEL_ATOMIC(int) wake_fd;
/// The main queue's eventfd. A duplicate, because `dispatch_main` closes the original. The first
/// thread's, as the rest.
static int handle = -1;
/// The poller with both.
static int edges = -1;
/// The poller has reported the main queue, which has not been drained since.
static bool is_written;

bool swivel__main_exists(void)
{
    return _dispatch_get_main_queue_handle_4CF != 0 && _dispatch_main_queue_callback_4CF != 0;
}

static bool watch(int set, int descriptor)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = descriptor};
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

static bool open_handle(void)
{
    // libdispatch stops the program without a message if it cannot open its own.
    int trial = eventfd(0, EFD_CLOEXEC);
    if (trial < 0) {
        return false;
    }
    close(trial);
    int own = fcntl(_dispatch_get_main_queue_handle_4CF(), F_DUPFD_CLOEXEC, 0);
    if (own >= 0 && !watch(edges, own)) {
        close(own);
        own = -1;
    }
    handle = own;
    return handle >= 0;
}

int swivel__main_open(void)
{
    if (SWIVEL_LOAD(&wake_fd, relaxed) != 0) {
        return SWIVEL_OK;
    }
    // Of a failed call something may stay open, for the next one.
    edges = edges < 0 ? epoll_create1(EPOLL_CLOEXEC) : edges;
    int descriptor = edges < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0 || !watch(edges, descriptor) || (handle < 0 && !open_handle())) {
        int error = errno;
        if (descriptor >= 0) {
            close(descriptor);
        }
        return -error;
    }
    SWIVEL_STORE(&wake_fd, descriptor + 1, release);
    return SWIVEL_OK;
}

int swivel__main_descriptor(void)
{
    return handle;
}

void swivel__main_drain(bool always)
{
    if (always) {
        // Read first: what comes later makes it readable again. So does the end of a drain that is
        // under way further up the stack, during which this one runs nothing.
        uint64_t times;
        while (read(handle, &times, sizeof times) < 0 && errno == EINTR) {
        }
    }
    if (always || is_written) {
        is_written = false;
        _dispatch_main_queue_callback_4CF(0);
    }
}

bool swivel__main_poll(int timeout_ms)
{
    struct epoll_event event;
    int count = epoll_wait(edges, &event, 1, timeout_ms);
    if (count < 0 && errno != EINTR) {
        swivel__fatal("a wait on the main thread cannot poll its eventfds: %s.",
                      strerror(errno));
    }
    is_written |= count > 0 && event.data.fd == handle;
    return count > 0;
}

/// Sleeps for `limit_ns` at most: if that is less than epoll's unit, by polling the poller.
static void sleep_for(uint64_t limit_ns)
{
    if (limit_ns < SWIVEL_NS_PER_MS) {
        struct pollfd watched = {.fd = edges, .events = POLLIN};
        struct timespec limit = {.tv_nsec = (long)limit_ns};
        ppoll(&watched, 1, &limit, 0);
    }
    swivel__main_poll((int)(limit_ns / SWIVEL_NS_PER_MS));
}

void swivel__main_sleep(swivel_mono began, swivel_mono until)
{
    swivel_mono now = swivel__mono_now();
    uint64_t lasts_ns = swivel__mono_since(began, now), left_ns = swivel__mono_since(now, until);
    // A block that another thread adds with `RunLoop.perform` does not wake the run loop. So a wait
    // makes a pass now and then, after an eighth of the time that it has lasted.
    uint64_t limit_ns = lasts_ns / 8;
    limit_ns = limit_ns > SWIVEL_MAIN_PASS_NS ? limit_ns : SWIVEL_MAIN_PASS_NS;
    limit_ns = limit_ns < SWIVEL_MAIN_PASS_MAX_NS ? limit_ns : SWIVEL_MAIN_PASS_MAX_NS;
    limit_ns = limit_ns < left_ns ? limit_ns : left_ns;
    if (lasts_ns < SWIVEL_NS_PER_MS || !swivel__run_loop_sleep(limit_ns)) {
        sleep_for(limit_ns);
    }
}

void swivel__main_notify(void)
{
    uint64_t one = 1;
    int descriptor = SWIVEL_LOAD(&wake_fd, acquire) - 1;
    if (descriptor < 0) {
        return; // No wait has begun.
    }
    // EAGAIN: it is as readable as it can be. No signal interrupts a write that does not block.
    if (write(descriptor, &one, sizeof one) < 0 && errno != EAGAIN) {
        swivel__fatal("cannot wake a wait on the main thread: %s.", strerror(errno));
    }
    swivel__run_loop_notify();
}

#endif
