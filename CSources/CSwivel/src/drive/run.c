// SPDX-License-Identifier: Apache-2.0
// A loop's own thread: from its start to its join.
#include "../../include/internal/drive/drive.h"

static void *run_thread(void *argument)
{
    swivel_loop *loop = argument;
    swivel__thread_end_expect();
    swivel__thread_configure(loop->name, loop->config.timer_slack_ns);
    swivel__loop_drive(loop);
    if (SWIVEL_LOAD(&loop->refusal, acquire) != SWIVEL_EFORKED) {
        swivel__close(loop);
    }
    return NULL;
}

int swivel__thread_start(swivel_loop *loop)
{
    int status = swivel__thread_begin(&loop->thread, run_thread, loop);
    swivel__lock(&loop->lock);
    loop->has_thread = status == SWIVEL_OK;
    swivel__unlock(&loop->lock);
    bool pins = status == SWIVEL_OK && loop->config.cpu > 0;
    loop->pin_status = pins ? swivel__thread_pin(loop->thread, loop->config.cpu - 1) : SWIVEL_OK;
    return status;
}

void swivel__thread_wait(swivel_loop *loop)
{
    swivel__latch_sleep(&loop->closed, SWIVEL_MONO_NEVER);
    swivel__lock(&loop->lock);
    // The first caller joins the thread, unless it is the thread itself in its last call.
    bool join = loop->has_thread && !loop->joined;
    loop->joined |= join;
    swivel__unlock(&loop->lock);
    if (join && pthread_equal(loop->thread, pthread_self())) {
        pthread_detach(loop->thread);
    } else if (join) {
        pthread_join(loop->thread, NULL);
    }
}
