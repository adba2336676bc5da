// SPDX-License-Identifier: Apache-2.0
// Foundation's run loop on Linux, in which a wait on the first thread sleeps if it lasts: timers,
// sources and blocks of the default mode run during the wait. The C interface behind Foundation's
// `RunLoop` is looked up weakly, because its headers are not installed: without it a wait runs the
// main queue alone.
//
// During the sleep two things of Swivel's are in the mode: a source that ends the run when the wait
// is over, and a timer that ends it at the end of the time.
#include "main_queue.h"

#include "internal/thread/atomics.h"

#if defined(__linux__)

#include <fcntl.h>
#include <unistd.h>

// CoreFoundation's public interface, as far as it is used here.
typedef const void *CFRef;
typedef struct swivel_source_context {
    long version;
    void *info;
    void (*unused[7])(void); // Other callbacks of the run loop.
    void (*perform)(void *info);
} swivel_source_context;

#define SWIVEL_WEAK extern __attribute__((weak))
SWIVEL_WEAK const CFRef kCFRunLoopDefaultMode;
SWIVEL_WEAK CFRef CFRunLoopGetMain(void);
SWIVEL_WEAK int32_t CFRunLoopRunInMode(CFRef mode, double seconds, unsigned char returns_after_one);
SWIVEL_WEAK void CFRunLoopWakeUp(CFRef run_loop);
SWIVEL_WEAK CFRef CFRunLoopSourceCreate(CFRef allocator, long order, swivel_source_context *context);
SWIVEL_WEAK void CFRunLoopSourceSignal(CFRef source);
SWIVEL_WEAK void CFRunLoopAddSource(CFRef run_loop, CFRef source, CFRef mode);
SWIVEL_WEAK void CFRunLoopRemoveSource(CFRef run_loop, CFRef source, CFRef mode);
SWIVEL_WEAK CFRef CFRunLoopTimerCreate(CFRef allocator, double date, double interval,
                                       unsigned long flags, long order,
                                       void (*call)(CFRef timer, void *info), void *context);
SWIVEL_WEAK void CFRunLoopTimerSetNextFireDate(CFRef timer, double date);
SWIVEL_WEAK void CFRunLoopAddTimer(CFRef run_loop, CFRef timer, CFRef mode);
SWIVEL_WEAK void CFRunLoopRemoveTimer(CFRef run_loop, CFRef timer, CFRef mode);
SWIVEL_WEAK double CFAbsoluteTimeGetCurrent(void);

/// Longer than any wait, in seconds. The run loop makes no timer of its own for it.
#define SWIVEL_FOREVER_S 1e10
/// The descriptors that the main run loop opens at its first use.
#define SWIVEL_RUN_LOOP_DESCRIPTORS 4

static CFRef source;
static CFRef limit;
/// Sleeps in the run loop, each inside a callback of the one before it.
static SWIVEL_ATOMIC(uint32_t) sleeps;

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

/// Whether the run loop can open `count` descriptors: it stops the program if it cannot.
static bool has_descriptors(int count)
{
    int opened = fcntl(swivel__main_descriptor(), F_DUPFD_CLOEXEC, 0);
    bool has_all = opened >= 0 && (count == 1 || has_descriptors(count - 1));
    if (opened >= 0) {
        close(opened);
    }
    return has_all;
}

static bool open_run_loop(void)
{
    if (source == NULL && CFRunLoopGetMain != 0 && has_descriptors(SWIVEL_RUN_LOOP_DESCRIPTORS)) {
        swivel_source_context context = {.perform = do_nothing};
        limit = CFRunLoopTimerCreate(NULL, SWIVEL_FOREVER_S, SWIVEL_FOREVER_S, 0, 0, end_run, NULL);
        source = CFRunLoopSourceCreate(NULL, 0, &context);
    }
    return source != NULL;
}

bool swivel__run_loop_sleep(uint64_t limit_ns)
{
    if (!open_run_loop()) {
        return false;
    }
    CFRef run_loop = CFRunLoopGetMain();
    CFRunLoopTimerSetNextFireDate(limit, CFAbsoluteTimeGetCurrent() + (double)limit_ns / 1e9);
    // Both this and the notification's operation are read-modify-writes: either this sees that the
    // eventfd was written, or the notification sees the sleep.
    bool is_outermost = SWIVEL_FETCH_ADD(&sleeps, 1, seq_cst) == 0;
    if (is_outermost) {
        CFRunLoopAddSource(run_loop, source, kCFRunLoopDefaultMode);
        CFRunLoopAddTimer(run_loop, limit, kCFRunLoopDefaultMode);
    }
    if (!swivel__main_poll(0)) {
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

void swivel__run_loop_notify(void)
{
    if (SWIVEL_FETCH_ADD(&sleeps, 0, seq_cst) > 0) {
        CFRunLoopSourceSignal(source);
        CFRunLoopWakeUp(CFRunLoopGetMain());
    }
}

#endif
