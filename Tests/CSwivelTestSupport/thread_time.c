// SPDX-License-Identifier: Apache-2.0
// The time that a thread reads: it continues from loop to loop, and begins anew in a forked child.
#include "include/process.h"

#include "internal/timer/hot.h"

#include <sys/wait.h>
#include <unistd.h>

#define HOUR_NS (UINT64_C(3600) * 1000 * 1000 * 1000)

typedef struct visit {
    swivel_loop *loop;
    uint64_t hold_ns; ///< No later reading of the loop is earlier.
    struct visit *inner;
    uint64_t began_ns, ended_ns;
} visit;

static void drive(visit *visit);

static void run(void *argument)
{
    visit *visit = argument;
    visit->began_ns = swivel_loop_now(visit->loop);
    if (visit->hold_ns != 0) {
        swivel__clock_hold(&visit->loop->clock, visit->hold_ns);
    }
    if (visit->inner != NULL) {
        drive(visit->inner);
    }
    visit->ended_ns = swivel_loop_now(visit->loop);
}

/// Makes a loop that this thread drives, for one closure.
static void drive(visit *visit)
{
    swivel_config config = {.name = "time", .drive = SWIVEL_CALLER};
    if (swivel_loop_create(&config, &visit->loop) == SWIVEL_OK) {
        swivel_post(visit->loop, swivel_call(run, visit));
        swivel_loop_run_once(visit->loop, false, NULL);
        swivel_loop_shutdown(visit->loop, SWIVEL_CANCEL_PENDING, 0, NULL);
        swivel_loop_release(visit->loop);
    }
}

const char *swivel_thread_time_goes_on(void)
{
    uint64_t far = swivel_now_ns() + HOUR_NS;
    visit inner = {.hold_ns = far + 2 * HOUR_NS};
    visit first = {.hold_ns = far}, second = {.hold_ns = far + HOUR_NS, .inner = &inner};
    drive(&first);
    uint64_t between = swivel_loop_now(NULL);
    drive(&second);
    uint64_t after = swivel_loop_now(NULL);
    swivel__thread.loops.read_ns = 0;
    return first.ended_ns < far                  ? "a loop forgets what it has read"
           : between < far                       ? "lost on the way out of a loop"
           : second.began_ns < far               ? "lost on the way into another loop"
           : inner.began_ns < far + HOUR_NS      ? "lost on the way from loop to loop"
           : second.ended_ns < far + 2 * HOUR_NS ? "lost on the way back"
           : after < far + 2 * HOUR_NS           ? "lost at the end"
                                                 : NULL;
}

const char *swivel_thread_time_ends_in_a_child(void)
{
    swivel_config config = {.name = "time", .drive = SWIVEL_CALLER};
    swivel_loop *loop; // The first one makes the process ready for forks.
    if (swivel_loop_create(&config, &loop) != SWIVEL_OK) {
        return "no loop";
    }
    uint64_t far = swivel_now_ns() + HOUR_NS;
    swivel__thread.loops.read_ns = far;
    pid_t child = fork();
    if (child == 0) {
        _exit(swivel_loop_now(NULL) < far ? 0 : 1);
    }
    int status = 1;
    bool ended = waitpid(child, &status, 0) == child;
    bool goes_on = swivel_loop_now(NULL) >= far;
    swivel__thread.loops.read_ns = 0;
    swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, NULL);
    swivel_loop_release(loop);
    return !ended || status != 0 ? "the child keeps its parent's time"
           : !goes_on            ? "the parent has lost its time"
                                 : NULL;
}
