// SPDX-License-Identifier: Apache-2.0
// Timers whose closure runs on a foreign context. The claim is made there, when the closure is
// about to start, so that a cancel is as absolute as on the loop.
#include "../../include/internal/timer/timer.h"

/// Whether the deadline to which a handed timer was moved has come. Then it is taken: this run is
/// the one that the move asked for.
static bool takes_wanted(swivel_timer timer)
{
    swivel_move *move = swivel__slab_move(&timer.loop->wheel.slab, timer.index);
    uint64_t wanted = SWIVEL_LOAD(&move->wanted_ns, acquire);
    while (wanted != SWIVEL_NOTHING_NS) {
        if (wanted > swivel_loop_now(timer.loop)) {
            return false; // The loop has been told, and arms the timer again.
        }
        if (SWIVEL_CAS(&move->wanted_ns, &wanted, SWIVEL_NOTHING_NS, acq_rel, acquire)) {
            break;
        }
    }
    return true;
}

bool swivel_handed_begin(swivel_timer timer, swivel_work *work)
{
    swivel_node *node = swivel__slab_node(&timer.loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    while (swivel__generation(state) == timer.generation && swivel__phase(state) == SWIVEL_HANDED) {
        if ((state & SWIVEL_MOVED) && !takes_wanted(timer)) {
            return false;
        }
        *work = swivel__node_peek(node);
        uint64_t next = swivel__with_phase(state, SWIVEL_BUSY) & ~(uint64_t)SWIVEL_MOVED;
        if (SWIVEL_CAS(&node->state, &state, swivel__settled(next), acq_rel, acquire)) {
            if (!(state & SWIVEL_REPEAT)) {
                swivel__tally_sent(&timer.loop->tally, SWIVEL_TALLY_ENDS);
            }
            return true;
        }
    }
    return false;
}

bool swivel_handed_drop(swivel_timer timer, swivel_work *work)
{
    swivel_node *node = swivel__slab_node(&timer.loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    // One that was moved is not dropped: the loop has been told, and arms it again.
    while (swivel__generation(state) == timer.generation && swivel__phase(state) == SWIVEL_HANDED &&
           !(state & SWIVEL_MOVED)) {
        *work = swivel__node_peek(node);
        if (SWIVEL_CAS(&node->state, &state, swivel__with_phase(state, SWIVEL_OVER), acq_rel,
                       acquire)) {
            swivel__send_reclaim(timer.loop, timer.index, timer.generation, SWIVEL_WAS_HANDED);
            return true;
        }
    }
    return false;
}

/// Moves a node whose closure has returned to `phase`. False: it was cancelled, if `unless` says so,
/// or the loop has closed meanwhile.
static bool leave(swivel_timer timer, uint64_t unless, uint32_t phase, uint64_t *seen)
{
    swivel_node *node = swivel__slab_node(&timer.loop->wheel.slab, timer.index);
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    while (swivel__generation(state) == timer.generation &&
           swivel__phase(state) == SWIVEL_BUSY && !(state & unless)) {
        uint64_t next = swivel__with_phase(state, phase) & ~(uint64_t)SWIVEL_WATCHED;
        if (SWIVEL_CAS(&node->state, &state, next, acq_rel, acquire)) {
            *seen = state;
            return true;
        }
    }
    return false;
}

/// Tells the loop that a tick has run.
static void send_ended(swivel_timer timer, swivel_work *work)
{
    swivel_loop *loop = timer.loop;
    swivel_entry ended = {swivel__message(SWIVEL_ENDED, timer.index, timer.generation), 0};
    if (swivel__send_surely(loop, ended, SWIVEL_INSTANT_NOW) == SWIVEL_OK) {
        return;
    }
    // It has closed. The claim on its resting node, here or in its sweep, releases the work.
    uint64_t rest;
    swivel_node *node = swivel__slab_node(&loop->wheel.slab, timer.index);
    if (swivel__node_cancel(node, timer.generation, work, &rest) == SWIVEL_CANCELLED) {
        loop->hooks.release(work);
    }
}

void swivel_handed_end(swivel_timer timer, swivel_work *work, bool repeats)
{
    swivel_loop *loop = timer.loop;
    const swivel_hooks hooks = loop->hooks;
    uint64_t seen = 0;
    if (repeats && leave(timer, SWIVEL_STOP, SWIVEL_RESTING, &seen)) {
        send_ended(timer, work);
    } else {
        // The node still counts as running: a watch that comes now is told after the release.
        if (repeats) {
            hooks.release(work);
        }
        if (leave(timer, 0, SWIVEL_OVER, &seen)) {
            swivel__send_reclaim(loop, timer.index, timer.generation,
                                 repeats ? SWIVEL_WAS_STOPPED : SWIVEL_RAN);
        }
    }
    if (seen & SWIVEL_WATCHED) {
        hooks.ended(timer);
    }
}

void swivel__meet_end(swivel_loop *loop, uint64_t state)
{
    if (swivel__phase(state) != SWIVEL_BUSY) {
        return;
    }
    if (!(state & SWIVEL_REPEAT)) {
        swivel__tally_met(&loop->tally, SWIVEL_TALLY_ENDS);
    } else if (state & SWIVEL_STOP) {
        swivel__tally_met(&loop->tally, SWIVEL_TALLY_CANCELS);
    }
}
