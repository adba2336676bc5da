// SPDX-License-Identifier: Apache-2.0
// Timers whose closure runs on a foreign context. The claim is made there, when the closure is
// about to start, so that a cancel is as absolute as on the loop.
#include "../include/internal/loop.h"

#include <errno.h>
#include <sched.h>

/// Moves a handed node on to `phase`, for whoever comes first.
static bool claim_handed(swivel_timer timer, uint32_t phase, swivel_work *work)
{
    swivel_node *node = swivel__slab_node(&timer.loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    // One that is being moved by another thread is not to start before the loop has moved it.
    while (swivel__generation(state) == timer.generation && swivel__phase(state) == SWIVEL_HANDED &&
           !(state & SWIVEL_REARMS_MASK)) {
        *work = swivel__node_peek(node);
        if (SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, phase), acq_rel, acquire)) {
            return true;
        }
    }
    return false;
}

bool swivel_handed_begin(swivel_timer timer, swivel_work *work)
{
    return claim_handed(timer, SWIVEL_BUSY, work);
}

bool swivel_handed_drop(swivel_timer timer, swivel_work *work)
{
    if (!claim_handed(timer, SWIVEL_OVER, work)) {
        return false;
    }
    swivel__send_reclaim(timer.loop, timer.index, timer.generation, SWIVEL_WAS_HANDED);
    return true;
}

/// Ends the node's life from here. False: the loop has closed meanwhile.
static bool finish(swivel_node *node, uint32_t generation, uint64_t *seen)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    while (swivel__generation(state) == generation && swivel__phase(state) == SWIVEL_BUSY) {
        if (SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, SWIVEL_OVER), acq_rel,
                       acquire)) {
            *seen = state;
            return true;
        }
    }
    return false;
}

void swivel_handed_end(swivel_timer timer, swivel_work *work, bool repeats)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, timer.index);
    if (repeats && !(SWIVEL_LOAD(&node->state, acquire) & SWIVEL_STOP)) {
        swivel_entry ended = {swivel__message(SWIVEL_ENDED, timer.index, timer.generation), 0};
        int status;
        while ((status = swivel__send(loop, ended, SWIVEL_INSTANT_NOW)) == -ENOMEM) {
            sched_yield(); // The loop's segments come back while it drains.
        }
        if (status == SWIVEL_OK) {
            return;
        }
    }
    // A one-shot, a cancelled repeat, or a repeat of a loop that has closed.
    uint64_t seen = 0;
    bool finished = finish(node, timer.generation, &seen);
    if (repeats) {
        loop->hooks.release(work);
    }
    if (finished) {
        swivel__send_reclaim(loop, timer.index, timer.generation, SWIVEL_RAN);
        if (seen & SWIVEL_WATCHED) {
            loop->hooks.ended(timer);
        }
    }
}
