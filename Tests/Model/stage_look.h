// SPDX-License-Identifier: Apache-2.0
// Stand-ins for a worker beside its queue, for models of the queue: it looks once, never steps aside,
// has stack left, and takes no time.
#ifndef SWIVEL_MODEL_STAGE_LOOK_H
#define SWIVEL_MODEL_STAGE_LOOK_H

#include "internal/thread/aside.h"
#include "internal/thread/parker.h"

swivel_real swivel__real_now(void)
{
    return SWIVEL_REAL_PAST;
}

bool swivel__is_to_step_aside(swivel_look *look)
{
    return look->stays > 0; // Never.
}

bool swivel__step_aside(void)
{
    return false;
}

uint64_t swivel__look_before(swivel_look *look, swivel_reply reply)
{
    (void)look;
    (void)reply;
    return 1;
}

bool swivel__look_for(swivel_look *look, uint64_t length_ns, bool (*found)(void *), void *argument)
{
    (void)look;
    (void)length_ns;
    return found(argument);
}

void swivel__look_slept(swivel_look *look, uint64_t took_ns)
{
    (void)look;
    (void)took_ns;
}

uintptr_t swivel__stack_low(void)
{
    return 0;
}

#endif
