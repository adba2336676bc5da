// SPDX-License-Identifier: Apache-2.0
// Stubs for models of a pool's queue: a worker checks the queue once as it spins, has stack left, and takes
// no time.
#ifndef SWIVEL_MODEL_STUB_SPIN_H
#define SWIVEL_MODEL_STUB_SPIN_H

#include "internal/thread/parker.h"

swivel_mono swivel__mono_now(void)
{
    return SWIVEL_MONO_PAST;
}

uint32_t swivel__spin_before_sleep(swivel_spin *spin, uint64_t left_ns)
{
    (void)spin;
    (void)left_ns;
    return 1;
}

bool swivel__spin_for(swivel_spin *spin, uint32_t window_ns, bool (*found)(void *), void *argument,
                      swivel_mono *ended)
{
    (void)spin;
    (void)window_ns;
    *ended = SWIVEL_MONO_PAST;
    return found(argument);
}

bool swivel__stack_is_low(void)
{
    return false;
}

#endif
