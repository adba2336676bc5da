// SPDX-License-Identifier: Apache-2.0
// A remote re-arm: a timer is moved by another thread than its loop's. The thread begins, stores
// the deadline next to the node, and ends; docs/design/moving-timers.md has the protocol. A thread
// that finds at its end that a deadline was resolved since it began checks its own deadline. If
// the loop has taken it, the thread is done, even if the timer has run by then: it ran at this
// deadline. If another thread has replaced it, that deadline alone may have been resolved: the
// thread stores its own again.
#include "../../include/internal/timer/timer.h"

#include <sched.h>

/// A re-arm by another thread that is in progress.
typedef struct rearm {
    swivel_timer timer;
    swivel_node *node;
    swivel_move *move;
    uint64_t wanted_ns;
    uint64_t state; ///< As last read.
} rearm;

/// Keeps the node in this life until `end`. False: it is over.
static bool begin(rearm *rearm)
{
    rearm->state = SWIVEL_LOAD(&rearm->node->state, acquire);
    while (swivel__is_movable(rearm->state, rearm->timer.generation)) {
        uint64_t next = rearm->state + SWIVEL_REARM;
        if ((rearm->state & SWIVEL_REARMS_MASK) == SWIVEL_REARMS_MASK) {
            sched_yield(); // Hundreds of threads are inside, for a few instructions each.
            rearm->state = SWIVEL_LOAD(&rearm->node->state, acquire);
        } else if (SWIVEL_CAS(&rearm->node->state, &rearm->state, next, acq_rel, acquire)) {
            rearm->state = next;
            return true;
        }
    }
    return false;
}

/// Stores the deadline, and the call's number before it.
static void want(const rearm *rearm, bool is_now)
{
    uint64_t number = swivel__order_next(rearm->timer.loop);
    SWIVEL_ATOMIC(uint64_t) *orders[] = {&rearm->move->order, &rearm->move->due_order};
    for (int i = 0; i <= is_now; i++) {
        uint64_t known = SWIVEL_LOAD(orders[i], relaxed);
        // Acquires and releases for `post_due`.
        while (known < number && !SWIVEL_CAS(orders[i], &known, number, acq_rel, relaxed)) {
        }
    }
    // Sequentially consistent: a thread between `SWIVEL_ANNOUNCED` and its message sees it
    // afterwards, or this thread wakes a loop that has the message.
    SWIVEL_STORE(&rearm->move->wanted_ns, rearm->wanted_ns, seq_cst);
}

/// Whether the loop has to be notified of a move that finds the node in this state: the end of a
/// running closure checks, and an arm message or that of a move to now brings the loop there.
static bool is_unannounced(const rearm *rearm, uint64_t state)
{
    uint32_t phase = swivel__phase(state);
    return rearm->wanted_ns != SWIVEL_DUE_NS && (phase == SWIVEL_ARMED || phase == SWIVEL_IDLE) &&
           !(state & (SWIVEL_FILED | SWIVEL_ANNOUNCED | SWIVEL_QUEUED));
}

/// How a re-arm ends.
typedef enum outcome {
    LEFT,  ///< The loop has to take the deadline.
    TAKEN, ///< The loop has acted on the deadline.
    LATE,  ///< The timer was over before.
} outcome;

/// After a resolution: whether the loop has taken the deadline that this re-arm stored. If another
/// re-arm has replaced it, it is stored again; or, of a timer that is over (`is_over`), the result
/// is whether the timer was filed at this deadline.
static bool was_taken(const rearm *rearm, bool is_over)
{
    uint64_t left = SWIVEL_LOAD(&rearm->move->wanted_ns, acquire);
    if (left == SWIVEL_NOTHING_NS || left == rearm->wanted_ns) {
        return left == SWIVEL_NOTHING_NS;
    }
    if (!is_over) {
        SWIVEL_STORE(&rearm->move->wanted_ns, rearm->wanted_ns, seq_cst);
        return false;
    }
    // A deadline of now is noted as its number, far from all instants.
    uint64_t aligned = rearm->wanted_ns == SWIVEL_DUE_NS
                           ? ~SWIVEL_LOAD(&rearm->move->due_order, relaxed)
                           : swivel__aligned_deadline(rearm->wanted_ns, rearm->node->leeway_ns);
    return SWIVEL_LOAD(&rearm->move->filed_ns, relaxed) == aligned;
}

/// Announces the stored deadline, if the loop has not taken it. `rearm->state` is the one before.
static outcome end(rearm *rearm)
{
    uint64_t resolutions = rearm->state & SWIVEL_RESOLUTIONS_MASK, next;
    outcome outcome = LEFT;
    do {
        uint64_t state = rearm->state;
        next = state - SWIVEL_REARM;
        if (outcome == TAKEN) {
            // Whatever becomes of the timer.
        } else if (!swivel__is_movable(state, rearm->timer.generation)) {
            outcome = was_taken(rearm, true) ? TAKEN : LATE;
        } else if ((state & SWIVEL_RESOLUTIONS_MASK) != resolutions) {
            resolutions = state & SWIVEL_RESOLUTIONS_MASK;
            outcome = was_taken(rearm, false) ? TAKEN : LEFT;
        }
        if (outcome == LEFT) {
            next |= SWIVEL_MOVED | (is_unannounced(rearm, state) ? SWIVEL_ANNOUNCED : 0);
        }
    } while (!SWIVEL_CAS(&rearm->node->state, &rearm->state, next, acq_rel, acquire));
    swivel__count_reusable(rearm->timer.loop, rearm->state, next);
    return outcome;
}

int swivel__announce(swivel_timer timer, uint64_t instant_ns)
{
    swivel_loop *loop = timer.loop;
    swivel_entry check = {swivel__message(SWIVEL_CHECK, timer.index, timer.generation), 0};
    int status = swivel__send_surely(loop, check, instant_ns);
    if (status == SWIVEL_OK) {
        // A re-arm that found the loop notified may have woken it before the message was there.
        swivel_move *move = swivel__slab_move(&loop->wheel.slab, timer.index);
        uint64_t wanted = SWIVEL_LOAD(&move->wanted_ns, seq_cst);
        if (wanted != SWIVEL_NOTHING_NS && wanted < instant_ns) {
            swivel__wake_for(&loop->wake, wanted, 0, loop->notify, &loop->park);
        }
    }
    return status;
}

/// Sends the message of a move to now.
static int post_due(const rearm *rearm)
{
    // An exchange with those that raise it: who comes later sends its own number after this one has
    // left its deadline.
    uint64_t number = SWIVEL_FETCH_ADD(&rearm->move->due_order, 0, acq_rel);
    swivel_timer timer = rearm->timer;
    swivel_entry due = {swivel__message(SWIVEL_DUE, timer.index, timer.generation), number};
    return swivel__send_surely(timer.loop, due, SWIVEL_INSTANT_NOW);
}

/// Notifies the loop. Returns whether it will check: a closed loop checks no idle timers.
static bool announce(const rearm *rearm)
{
    bool is_now = rearm->wanted_ns == SWIVEL_DUE_NS;
    int status = is_now ? post_due(rearm) : swivel__announce(rearm->timer, rearm->wanted_ns);
    if (status == SWIVEL_OK) {
        return true;
    }
    uint64_t state = SWIVEL_LOAD(&rearm->node->state, acquire), next;
    do {
        if (swivel__phase(state) != SWIVEL_IDLE ||
            swivel__generation(state) != rearm->timer.generation) {
            return swivel__is_movable(state, rearm->timer.generation);
        }
        next = state & ~(uint64_t)SWIVEL_MOVED;
    } while (!SWIVEL_CAS(&rearm->node->state, &state, next, acq_rel, acquire));
    swivel__count_reusable(rearm->timer.loop, state, next);
    return false;
}

/// Makes sure that the loop checks in time a node that it has.
static bool wake_in_time(const rearm *rearm)
{
    uint64_t state = rearm->state;
    if (state & SWIVEL_FILED) {
        // Acquired with the flag. A later one is of a loop that has taken this move.
        if (rearm->wanted_ns >= SWIVEL_LOAD(&rearm->move->filed_ns, relaxed)) {
            return true;
        }
        state = SWIVEL_LOAD(&rearm->node->state, acquire);
        while (swivel__generation(state) == rearm->timer.generation &&
               (state & (SWIVEL_MOVED | SWIVEL_ANNOUNCED)) == SWIVEL_MOVED) {
            uint64_t next = state | SWIVEL_ANNOUNCED;
            if (SWIVEL_CAS(&rearm->node->state, &state, next, acq_rel, acquire)) {
                return announce(rearm);
            }
        }
    }
    if (state & (SWIVEL_QUEUED | SWIVEL_ANNOUNCED)) {
        swivel_loop *loop = rearm->timer.loop; // A message is there, or about to be.
        swivel__wake_for(&loop->wake, rearm->wanted_ns, 0, loop->notify, &loop->park);
    }
    return true;
}

bool swivel__leave_deadline(swivel_timer timer, uint64_t deadline_ns)
{
    swivel_slab *slab = &timer.loop->wheel.slab;
    bool is_now = deadline_ns == 0;
    uint64_t wanted = deadline_ns > SWIVEL_DUE_NS ? deadline_ns : SWIVEL_DUE_NS + 1;
    rearm rearm = {timer, swivel__slab_node(slab, timer.index),
                   swivel__slab_move(slab, timer.index), is_now ? SWIVEL_DUE_NS : wanted, 0};
    if (SWIVEL_LOAD(&timer.loop->refusal, acquire) != SWIVEL_OK || !begin(&rearm)) {
        return false;
    }
    want(&rearm, is_now);
    outcome outcome = end(&rearm);
    uint64_t last = SWIVEL_OUTSTANDING | SWIVEL_REARM;
    if ((rearm.state & (SWIVEL_OUTSTANDING | SWIVEL_REARMS_MASK)) == last) {
        swivel__send_reclaim(timer, SWIVEL_WAS_OUTSTANDING);
    }
    if (outcome == TAKEN) {
        // The loop that has taken a move to now waits for its message.
        return !is_now || announce(&rearm);
    }
    bool notifies = is_now || is_unannounced(&rearm, rearm.state);
    return outcome == LEFT && (notifies ? announce(&rearm) : wake_in_time(&rearm));
}
