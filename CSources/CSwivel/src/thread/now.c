// SPDX-License-Identifier: Apache-2.0
// The time that a thread reads: from one clock, on any loop. It never goes back.
#include "../../include/internal/loop.h"

/// Readings of the exact clock until it reaches the time that a thread has read: many times those
/// of a microsecond. A clock that stands still is not waited for.
#define SWIVEL_READINGS_MAX 1000

/// The real loop that the thread runs, directly or around its source's work, and its clock with it.
static swivel_loop *timekeeper(swivel_thread_loops loops)
{
    swivel_loop *loop = loops.current != NULL ? loops.current : loops.owner;
    return loop == NULL || swivel__clock_is_manual(&loop->clock) ? NULL : loop;
}

uint64_t swivel_loop_now(swivel_loop *loop)
{
    loop = loop != NULL ? loop : swivel__thread.loops.current;
    if (loop != NULL && swivel__clock_is_manual(&loop->clock)) {
        return swivel__clock_manual(&loop->clock);
    }
    swivel_loop *keeper = timekeeper(swivel__thread.loops);
    if (keeper != NULL) {
        return swivel__clock_ahead(&keeper->clock);
    }
    uint64_t now = swivel__mono_now().ns, read = swivel__thread.loops.read_ns;
    return now > read ? now : read;
}

uint64_t swivel__exact_now(swivel_loop *loop)
{
    // A real loop's clock belongs to the loop's thread.
    bool may_read = swivel__thread.loops.current == loop || swivel__clock_is_manual(&loop->clock);
    return may_read ? swivel__clock_exact(&loop->clock) : swivel__mono_now().ns;
}

bool swivel__has_come(swivel_loop *loop, uint64_t deadline_ns)
{
    if (deadline_ns > swivel_loop_now(loop)) {
        return false;
    }
    bool is_real = !swivel__clock_is_manual(&loop->clock);
    for (int readings = 0; is_real && swivel__mono_now().ns < deadline_ns; readings++) {
        if (readings == SWIVEL_READINGS_MAX) {
            return false;
        }
        SWIVEL_PAUSE();
    }
    return true;
}

void swivel__clock_enter(swivel_loop *loop)
{
    swivel_loop *keeper = timekeeper(swivel__thread.loops);
    if (keeper != NULL) {
        swivel__thread.loops.read_ns = swivel__clock_ahead(&keeper->clock);
    }
    swivel__clock_hold(&loop->clock, swivel__thread.loops.read_ns);
}

void swivel__thread_disown(void)
{
    swivel_loop *own = swivel__thread.loops.own;
    if (own != NULL && own->refuses_own) {
        swivel__thread.loops.own = NULL;
    }
}

void swivel__clock_leave(swivel_loop *loop, swivel_thread_loops before)
{
    bool manual = swivel__clock_is_manual(&loop->clock);
    before.read_ns = manual ? swivel__thread.loops.read_ns : swivel__clock_ahead(&loop->clock);
    swivel__thread.loops = before;
    swivel__thread_disown();
    swivel_loop *keeper = timekeeper(before);
    if (keeper != NULL) {
        swivel__clock_hold(&keeper->clock, before.read_ns);
    }
}
