// SPDX-License-Identifier: Apache-2.0
// The main queue through the two entry points of libdispatch that Foundation's run loop uses: an
// eventfd that is written when blocks came, and the function that runs them. A wait sleeps in a
// poller with that eventfd and one of its own. The poller is edge-triggered, so the main queue's
// eventfd stays readable for others. A wait that lasts sleeps in Foundation's run loop. Both
// libraries are looked up weakly. See docs/design/main-queue.md.
#include "main_queue.h"

#include "internal/park/park.h"
#include "internal/thread/atomics.h"
#include "internal/thread/process.h"

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

// libdispatch's entry points, and CoreFoundation's public interface, as far as they are used here.
typedef const void *CFRef;
typedef struct swivel_source_context {
    long version;
    void *info;
    void (*unused[7])(void); // Other callbacks of the run loop.
    void (*perform)(void *info);
} swivel_source_context;

#define WEAK extern __attribute__((weak))
WEAK int _dispatch_get_main_queue_handle_4CF(void);
WEAK void _dispatch_main_queue_callback_4CF(void *);
WEAK const CFRef kCFRunLoopDefaultMode;
WEAK CFRef CFRunLoopGetMain(void);
WEAK int32_t CFRunLoopRunInMode(CFRef mode, double seconds, unsigned char returns_after_one);
WEAK void CFRunLoopWakeUp(CFRef run_loop);
WEAK CFRef CFRunLoopSourceCreate(CFRef allocator, long order, swivel_source_context *context);
WEAK void CFRunLoopSourceSignal(CFRef source);
WEAK void CFRunLoopAddSource(CFRef run_loop, CFRef source, CFRef mode);
WEAK void CFRunLoopRemoveSource(CFRef run_loop, CFRef source, CFRef mode);
WEAK CFRef CFRunLoopTimerCreate(CFRef allocator, double date, double interval, unsigned long flags,
                                long order, void (*call)(CFRef timer, void *info), void *context);
WEAK void CFRunLoopTimerSetNextFireDate(CFRef timer, double date);
WEAK void CFRunLoopAddTimer(CFRef run_loop, CFRef timer, CFRef mode);
WEAK void CFRunLoopRemoveTimer(CFRef run_loop, CFRef timer, CFRef mode);
WEAK double CFAbsoluteTimeGetCurrent(void);

#define SWIVEL_NS_PER_MS UINT64_C(1000000)
/// A wait first sleeps without the run loop, one pass of which takes 20 µs. (A timeout before the
/// kernel's next tick would make a short wait longer by a third.) Also the least between passes.
#define SWIVEL_MAIN_PASS_NS (10 * SWIVEL_NS_PER_MS)
#define SWIVEL_MAIN_PASS_MAX_NS (1000 * SWIVEL_NS_PER_MS)

/// Longer than any wait, in seconds: the run loop makes no timer of its own for it.
#define SWIVEL_FOREVER_S 1e10
/// Pairs of descriptors that the main run loop opens at its first use.
#define SWIVEL_RUN_LOOP_PAIRS 2

/// Wakes a wait: an eventfd, plus 1; 0 before the first wait.
static SWIVEL_ATOMIC(int) wake_fd;
/// The main queue's eventfd (a duplicate: `dispatch_main` closes the original), and the poller with
/// both. The first thread's, as the rest.
static int handle = -1, edges = -1;
/// The poller has reported the main queue, which has not been drained since.
static bool is_written;

/// In the mode during a sleep: a source that ends the run with the wait, and a timer for its limit.
static CFRef source, limit;
/// Sleeps in the run loop, each inside a callback of the one before it.
static SWIVEL_ATOMIC(uint32_t) sleeps;

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
    // Without one libdispatch would stop the program.
    int own = swivel__find_descriptors(1) == SWIVEL_OK
                  ? fcntl(_dispatch_get_main_queue_handle_4CF(), F_DUPFD_CLOEXEC, 0)
                  : -1;
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
        // First: what comes later makes it readable again. So does the end of a drain further up
        // the stack, during which this one runs nothing.
        uint64_t times;
        while (read(handle, &times, sizeof times) < 0 && errno == EINTR) {
        }
    }
    if (always || is_written) {
        is_written = false;
        _dispatch_main_queue_callback_4CF(0);
    }
}

/// Sleeps until blocks or notifications come. Returns whether some have.
static bool poll_edges(int timeout_ms)
{
    struct epoll_event event;
    int count = epoll_wait(edges, &event, 1, timeout_ms);
    if (count < 0 && errno != EINTR) {
        swivel__fatal("a wait on the main thread cannot poll its eventfds: %s.", strerror(errno));
    }
    is_written |= count > 0 && event.data.fd == handle;
    return count > 0;
}

static void do_nothing(void *info)
{
    (void)info; // That it ends the run is all it is for.
}

static void end_run(CFRef timer, void *info)
{
    (void)timer;
    (void)info;
    CFRunLoopSourceSignal(source); // A timer alone does not.
}

static bool open_run_loop(void)
{
    if (source == NULL && CFRunLoopGetMain != 0 &&
        swivel__find_descriptors(SWIVEL_RUN_LOOP_PAIRS) == SWIVEL_OK) {
        swivel_source_context context = {.perform = do_nothing};
        limit = CFRunLoopTimerCreate(NULL, SWIVEL_FOREVER_S, SWIVEL_FOREVER_S, 0, 0, end_run, NULL);
        source = CFRunLoopSourceCreate(NULL, 0, &context);
    }
    return source != NULL;
}

/// Runs the main run loop until it does something, or a notification, or for `limit_ns`; if it can.
static bool sleep_in_run_loop(uint64_t limit_ns)
{
    if (!open_run_loop()) {
        return false;
    }
    CFRef run_loop = CFRunLoopGetMain();
    CFRunLoopTimerSetNextFireDate(limit, CFAbsoluteTimeGetCurrent() + (double)limit_ns / 1e9);
    // A read-modify-write, as the notification's: either this sees that the eventfd was written, or
    // the notification sees the sleep.
    bool is_outermost = SWIVEL_FETCH_ADD(&sleeps, 1, seq_cst) == 0;
    if (is_outermost) {
        CFRunLoopAddSource(run_loop, source, kCFRunLoopDefaultMode);
        CFRunLoopAddTimer(run_loop, limit, kCFRunLoopDefaultMode);
    }
    if (!poll_edges(0)) {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, SWIVEL_FOREVER_S, true);
    }
    SWIVEL_FETCH_SUB(&sleeps, 1, seq_cst);
    if (is_outermost) {
        CFRunLoopRemoveTimer(run_loop, limit, kCFRunLoopDefaultMode);
        CFRunLoopRemoveSource(run_loop, source, kCFRunLoopDefaultMode);
    } else {
        CFRunLoopSourceSignal(source); // For the wait around this one.
    }
    return true;
}

/// Sleeps for `limit_ns` at most: if that is less than epoll's unit, by polling the poller.
static void sleep_for(uint64_t limit_ns)
{
    if (limit_ns < SWIVEL_NS_PER_MS) {
        struct pollfd watched = {.fd = edges, .events = POLLIN};
        struct timespec left = {.tv_nsec = (long)limit_ns};
        ppoll(&watched, 1, &left, 0);
    }
    poll_edges((int)(limit_ns / SWIVEL_NS_PER_MS));
}

void swivel__main_sleep(swivel_mono began, swivel_mono until)
{
    swivel_mono now = swivel__mono_now();
    uint64_t lasts_ns = swivel__mono_since(began, now), left_ns = swivel__mono_since(now, until);
    // `RunLoop.perform` on another thread does not wake the run loop: a wait makes a pass now and
    // then, after an eighth of the time that it has lasted.
    uint64_t limit_ns = lasts_ns / 8;
    limit_ns = limit_ns > SWIVEL_MAIN_PASS_NS ? limit_ns : SWIVEL_MAIN_PASS_NS;
    limit_ns = limit_ns < SWIVEL_MAIN_PASS_MAX_NS ? limit_ns : SWIVEL_MAIN_PASS_MAX_NS;
    limit_ns = limit_ns < left_ns ? limit_ns : left_ns;
    if (lasts_ns < SWIVEL_NS_PER_MS || !sleep_in_run_loop(limit_ns)) {
        sleep_for(limit_ns);
    }
}

void swivel__main_notify(void)
{
    uint64_t one = 1;
    int descriptor = SWIVEL_LOAD(&wake_fd, acquire) - 1;
    // Negative: no wait has begun. EAGAIN: it is as readable as it can be. No signal interrupts a
    // write that does not block.
    if (descriptor >= 0 && write(descriptor, &one, sizeof one) < 0 && errno != EAGAIN) {
        swivel__fatal("cannot wake a wait on the main thread: %s.", strerror(errno));
    }
    if (SWIVEL_FETCH_ADD(&sleeps, 0, seq_cst) > 0) {
        CFRunLoopSourceSignal(source);
        CFRunLoopWakeUp(CFRunLoopGetMain());
    }
}

#endif
