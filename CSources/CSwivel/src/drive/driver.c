// SPDX-License-Identifier: Apache-2.0
// The one caller at a time that may drive a loop without a thread.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/hot.h"

int swivel__drive_enter(swivel_loop *loop)
{
    swivel__thread_end_expect();
    int status = swivel_loop_refusal(loop);
    if (status != SWIVEL_OK) {
        return status;
    }
    if (swivel__thread.wakes_host) {
        return SWIVEL_EDEADLOCK; // A closure would run inside the call that posted it.
    }
    swivel__lock(&loop->lock);
    if (loop->life != SWIVEL_OPEN) {
        status = swivel_loop_refusal(loop); // It was asked to close since the check above.
    } else if (loop->has_thread || loop->driven) {
        status = SWIVEL_EDEADLOCK;
    } else {
        loop->driven = true;
    }
    swivel__unlock(&loop->lock);
    return status;
}

void swivel__drive_leave(swivel_loop *loop)
{
    if (loop->dead) {
        return;
    }
    swivel__lock(&loop->lock);
    bool close = loop->life == SWIVEL_CLOSING;
    loop->driven = close;
    swivel__unlock(&loop->lock);
    if (close) {
        swivel__close(loop);
    }
}

void swivel__begin_closing(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns)
{
    loop->life = SWIVEL_CLOSING;
    loop->ran_before = loop->posts + loop->fired;
    loop->mode = mode;
    if (swivel__clock_is_manual(&loop->clock)) {
        loop->until_ns = swivel__saturating_add(swivel__exact_now(loop), within_ns);
    }
    loop->until = swivel__mono_after(swivel__mono_now(), within_ns);
    // The inbox comes first: a loop that sees the refusal closes, and takes what was accepted once.
    swivel__inbox_close(&loop->inbox);
    SWIVEL_STORE(&loop->refusal, SWIVEL_ESHUTDOWN, release);
}
