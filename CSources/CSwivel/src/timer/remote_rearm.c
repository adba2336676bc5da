// SPDX-License-Identifier: Apache-2.0
// Moving a timer from another thread than its loop's. The deadline is left beside the node, and the
// loop takes it before it fires the timer:
//
//     mover                                    loop, when the timer's instant has come
//     come in: MOVERS + 1                      clear MOVED
//     store the deadline                       take the deadline
//     go out: MOVERS - 1, set MOVED            it lies ahead: file the node anew
//                                              else: claim, which fails if MOVED is set again
//
// Any number of pending moves are one. The loop clears first and takes second, so that a deadline
// stored in between is announced again.
//
// A mover that is inside keeps the node from its next life, not from its fire. A fire, a disarm or
// a move by the loop settles the deadline. A mover that was inside meanwhile sees this from the
// count of settlements, and looks for the deadline that it stored. If the loop has taken it, the
// mover is done, even if the timer has run by then: it ran at this deadline. If another mover has
// replaced it, that one may have been settled and this one not, so it is stored again. (If the
// count has come round meanwhile, the timer takes the other's deadline.)
//
// A move takes a number before it stores its deadline, see order.h: whichever of its moves the loop
// takes up, the timer comes behind all that were armed before the last one. A move to now always sends
// a message, which fires the timer in order with the mover's posts, unless a later move has replaced
// it. The message carries the number of the latest such move, whose own message is on its way.
//
// A loop that files a moved node announces the instant at which it will look at it. A move to a
// later deadline then sends nothing. For any other the loop gets one message, however many moves
// follow.
#include "../../include/internal/timer/timer.h"

#include <sched.h>

/// A thread that is moving a timer.
typedef struct mover {
    swivel_timer timer;
    swivel_node *node;
    swivel_move *move;
    uint64_t wanted_ns;
    uint64_t state; ///< As last seen.
} mover;

/// Keeps the node in this life until `go_out`. False: it is over.
static bool come_in(mover *mover)
{
    mover->state = SWIVEL_LOAD(&mover->node->state, acquire);
    while (swivel__is_movable(mover->state, mover->timer.generation)) {
        if ((mover->state & SWIVEL_MOVERS_MASK) == SWIVEL_MOVERS_MASK) {
            sched_yield(); // Hundreds of threads are inside, for a few instructions each.
            mover->state = SWIVEL_LOAD(&mover->node->state, acquire);
        } else if (SWIVEL_CAS(&mover->node->state, &mover->state, mover->state + SWIVEL_MOVER,
                              acq_rel, acquire)) {
            mover->state += SWIVEL_MOVER;
            return true;
        }
    }
    return false;
}

/// Stores the deadline, and the call's number before it.
static void want(const mover *mover, bool is_now)
{
    uint64_t number = swivel__order_next(mover->timer.loop);
    SWIVEL_ATOMIC(uint64_t) *orders[] = {&mover->move->order, &mover->move->due_order};
    for (int i = 0; i <= is_now; i++) {
        uint64_t known = SWIVEL_LOAD(orders[i], relaxed);
        // Acquires and releases for `post_due`.
        while (known < number && !SWIVEL_CAS(orders[i], &known, number, acq_rel, relaxed)) {
        }
    }
    // Sequentially consistent: a thread between `SWIVEL_TOLD` and its message sees it afterwards,
    // or this thread wakes a loop that has the message.
    SWIVEL_STORE(&mover->move->wanted_ns, mover->wanted_ns, seq_cst);
}

/// Whether the loop has to be told of a move that finds the node in this state. It will look at one
/// whose arm message waits. A move to now has a message of its own.
static bool is_news(const mover *mover, uint64_t state)
{
    uint64_t known = SWIVEL_FILED | SWIVEL_TOLD | SWIVEL_QUEUED;
    if (mover->wanted_ns == SWIVEL_DUE_NS) {
        return false;
    }
    switch (swivel__phase(state)) {
    case SWIVEL_ARMED:
    case SWIVEL_IDLE:
        return !(state & known);
    default:
        return false; // The end of its closure looks.
    }
}

/// How a mover leaves.
typedef enum outcome {
    NEWS,  ///< The loop has to be told.
    KNOWN, ///< The loop will look, but maybe not in time.
    HEARD, ///< The loop has acted on the deadline.
    LATE,  ///< The timer was over before.
} outcome;

/// After a settlement: whether the loop has taken the deadline that this mover stored. If another
/// mover has replaced it, it is stored again.
static bool was_taken(const mover *mover)
{
    uint64_t left = SWIVEL_LOAD(&mover->move->wanted_ns, acquire);
    if (left != mover->wanted_ns && left != SWIVEL_NOTHING_NS) {
        SWIVEL_STORE(&mover->move->wanted_ns, mover->wanted_ns, seq_cst);
    }
    return left == SWIVEL_NOTHING_NS;
}

/// Of a timer that is over: whether the loop took the deadline that this mover stored, or one that
/// replaced it, before it fired.
static bool was_last(const mover *mover)
{
    uint64_t left = SWIVEL_LOAD(&mover->move->wanted_ns, acquire);
    if (left == SWIVEL_NOTHING_NS || left == mover->wanted_ns) {
        return left == SWIVEL_NOTHING_NS;
    }
    // A deadline of now is noted as its number, far from all instants.
    uint64_t aligned = mover->wanted_ns == SWIVEL_DUE_NS
                           ? ~SWIVEL_LOAD(&mover->move->due_order, relaxed)
                           : swivel__aligned_deadline(mover->wanted_ns, mover->node->leeway_ns);
    return SWIVEL_LOAD(&mover->move->filed_ns, relaxed) == aligned;
}

/// Counts a reusable timer that this thread has armed, or disarmed again.
static void count(const mover *mover, uint64_t next)
{
    if (mover->state & SWIVEL_REUSABLE) {
        swivel__tally_reusable(&mover->timer.loop->tally, swivel__reusable_is_armed(mover->state),
                           swivel__reusable_is_armed(next));
    }
}

/// Announces the stored deadline, if the loop has not taken it. `mover->state` is the one before.
static outcome go_out(mover *mover)
{
    uint64_t settlements = mover->state & SWIVEL_SETTLEMENTS_MASK, next;
    outcome outcome = KNOWN;
    do {
        uint64_t state = mover->state;
        next = state - SWIVEL_MOVER;
        if (outcome == HEARD) {
            // Whatever becomes of the timer.
        } else if (!swivel__is_movable(state, mover->timer.generation)) {
            outcome = was_last(mover) ? HEARD : LATE;
        } else if ((state & SWIVEL_SETTLEMENTS_MASK) != settlements) {
            settlements = state & SWIVEL_SETTLEMENTS_MASK;
            outcome = was_taken(mover) ? HEARD : KNOWN;
        }
        if (outcome == NEWS || outcome == KNOWN) {
            outcome = is_news(mover, state) ? NEWS : KNOWN;
            next |= SWIVEL_MOVED | (outcome == NEWS ? SWIVEL_TOLD : 0);
        }
    } while (!SWIVEL_CAS(&mover->node->state, &mover->state, next, acq_rel, acquire));
    count(mover, next);
    return outcome;
}

/// Makes sure that the loop is awake by the instant.
static void wake_for(swivel_loop *loop, uint64_t instant_ns)
{
    swivel__wake_for(&loop->wake, instant_ns, 0, loop->notify, &loop->park);
}

int swivel__tell(swivel_timer timer, uint64_t instant_ns)
{
    swivel_entry look = {swivel__message(SWIVEL_LOOK, timer.index, timer.generation), 0};
    uint64_t instant = instant_ns < SWIVEL_INSTANT_LAZY ? instant_ns : SWIVEL_INSTANT_LAZY;
    int status = swivel__send_surely(timer.loop, look, instant);
    if (status == SWIVEL_OK) {
        // A mover that found the loop told may have woken it before the message was there.
        swivel_move *move = swivel__slab_move(&timer.loop->wheel.slab, timer.index);
        uint64_t wanted = SWIVEL_LOAD(&move->wanted_ns, seq_cst);
        if (wanted != SWIVEL_NOTHING_NS && wanted < instant) {
            wake_for(timer.loop, wanted);
        }
    }
    return status;
}

/// Sends the message of a move to now.
static int post_due(const mover *mover)
{
    // An exchange with those that raise it: who comes later sends its own number after this one has
    // left its deadline.
    uint64_t number = SWIVEL_FETCH_ADD(&mover->move->due_order, 0, acq_rel);
    swivel_timer timer = mover->timer;
    swivel_entry due = {swivel__message(SWIVEL_DUE, timer.index, timer.generation), number};
    return swivel__send_surely(timer.loop, due, SWIVEL_INSTANT_NOW);
}

/// Tells the loop. Returns whether it will look: a loop that has closed no longer looks at idle
/// timers.
static bool tell(mover *mover)
{
    bool is_now = mover->wanted_ns == SWIVEL_DUE_NS;
    int status = is_now ? post_due(mover) : swivel__tell(mover->timer, mover->wanted_ns);
    if (status == SWIVEL_OK) {
        return true;
    }
    uint64_t state = SWIVEL_LOAD(&mover->node->state, acquire), next;
    do {
        if (swivel__phase(state) != SWIVEL_IDLE ||
            swivel__generation(state) != mover->timer.generation) {
            return swivel__is_movable(state, mover->timer.generation);
        }
        next = state & ~(uint64_t)SWIVEL_MOVED;
    } while (!SWIVEL_CAS(&mover->node->state, &state, next, acq_rel, acquire));
    mover->state = state;
    count(mover, next);
    return false;
}

/// Makes sure that the loop looks in time at a node that it knows, in the state that the mover
/// left.
static bool see_to(mover *mover)
{
    uint64_t state = mover->state;
    if (state & SWIVEL_FILED) {
        // Acquired with the flag. A later one is of a loop that has taken this move.
        if (mover->wanted_ns >= SWIVEL_LOAD(&mover->move->filed_ns, relaxed)) {
            return true;
        }
        state = SWIVEL_LOAD(&mover->node->state, acquire);
        while (swivel__generation(state) == mover->timer.generation &&
               (state & (SWIVEL_MOVED | SWIVEL_TOLD)) == SWIVEL_MOVED) {
            if (SWIVEL_CAS(&mover->node->state, &state, state | SWIVEL_TOLD, acq_rel, acquire)) {
                return tell(mover);
            }
        }
    }
    if (state & (SWIVEL_QUEUED | SWIVEL_TOLD)) {
        wake_for(mover->timer.loop, mover->wanted_ns); // A message is there, or about to be.
    }
    return true;
}

bool swivel__leave_deadline(swivel_timer timer, uint64_t deadline_ns)
{
    swivel_slab *slab = &timer.loop->wheel.slab;
    bool is_now = deadline_ns == 0;
    uint64_t wanted = deadline_ns > SWIVEL_DUE_NS ? deadline_ns : SWIVEL_DUE_NS + 1;
    mover mover = {timer, swivel__slab_node(slab, timer.index),
                   swivel__slab_move(slab, timer.index), is_now ? SWIVEL_DUE_NS : wanted, 0};
    if (SWIVEL_LOAD(&timer.loop->refusal, acquire) != SWIVEL_OK) {
        return false;
    }
    if (!come_in(&mover)) {
        return false;
    }
    want(&mover, is_now);
    outcome outcome = go_out(&mover);
    if ((mover.state & (SWIVEL_LEFT | SWIVEL_MOVERS_MASK)) == (SWIVEL_LEFT | SWIVEL_MOVER)) {
        swivel__send_reclaim(timer.loop, timer.index, timer.generation, SWIVEL_WAS_LEFT);
    }
    switch (outcome) {
    case NEWS:
        return tell(&mover);
    case KNOWN:
        return is_now ? tell(&mover) : see_to(&mover);
    case HEARD:
        return !is_now || tell(&mover); // The loop has taken the deadline, and waits for the message.
    case LATE:
        return false;
    }
    return false;
}
