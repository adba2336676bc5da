// SPDX-License-Identifier: Apache-2.0
// Counts of other threads' acts on a loop's timers. Each act is counted by the thread that does it:
// the loop's thread counts its own in `loop->pending`, other threads count theirs here. The sum is
// exact at once, although the loop may sleep for hours before it takes a message.
//
// The loop counts a second time when it takes the message. Both counts go on through all lives of a
// record, so that a thread that counts late, in the record's next life, leaves no error there: its
// message was taken and counted in the last one.
//
// Each sender counts in a stripe of its own, of several, so that threads which send to one loop do
// not pass a cache line to and fro.
#ifndef SWIVEL_INTERNAL_TALLY_H
#define SWIVEL_INTERNAL_TALLY_H

#include "../../swivel_base.h"
#include "../thread/atomics.h"
#include "../thread/thread.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef enum swivel_tallied {
    SWIVEL_TALLY_ARMS,    ///< Timers armed.
    SWIVEL_TALLY_CANCELS, ///< Timers cancelled.
    SWIVEL_TALLY_PAIRED,  ///< The ones above are counted by both sides, those below by one.

    /// Reusable timers armed, less those disarmed. No late count: who does that retains the loop.
    SWIVEL_TALLY_REUSABLE = SWIVEL_TALLY_PAIRED,
    // Of uncounted timers, and of those whose closures run on other contexts:
    SWIVEL_TALLY_RUNS,   ///< Closures that ran elsewhere.
    SWIVEL_TALLY_DROPS,  ///< Timers cancelled.
    SWIVEL_TALLY_MISSED, ///< Ticks missed.
    SWIVEL_TALLY_COUNT,
} swivel_tallied;

#define SWIVEL_TALLY_STRIPES 8

/// The counts of the senders whose numbers leave the same rest.
typedef struct swivel_stripe {
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) sent[SWIVEL_TALLY_COUNT];
} swivel_stripe;

typedef struct swivel_tally {
    // Senders and the loop write with each message, so their cache lines are not the same.
    swivel_stripe stripes[SWIVEL_TALLY_STRIPES];
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) met[SWIVEL_TALLY_PAIRED]; ///< By the loop's thread.
    /// The acts that were met, or sent unpaired, in the record's earlier lives.
    SWIVEL_ATOMIC(uint64_t) before[SWIVEL_TALLY_COUNT];
} swivel_tally;

/// The calling thread's stripe. Threads without a number share one; those that arm timers get one.
static inline swivel_stripe *swivel__tally_stripe(swivel_tally *tally)
{
    return &tally->stripes[swivel__thread.number % SWIVEL_TALLY_STRIPES];
}

/// **Thread:** any, before the message goes.
static inline void swivel__tally_sent(swivel_tally *tally, swivel_tallied what)
{
    SWIVEL_TALLY(&swivel__tally_stripe(tally)->sent[what], 1);
}

/// Counts a reusable timer that another thread has armed, or disarmed.
static inline void swivel__tally_reusable(swivel_tally *tally, bool before, bool after)
{
    if (before != after) {
        uint64_t change = after ? 1 : (uint64_t)-1;
        SWIVEL_TALLY(&swivel__tally_stripe(tally)->sent[SWIVEL_TALLY_REUSABLE], change);
    }
}

/// The message was refused. **Thread:** the one that sent it.
static inline void swivel__tally_unsent(swivel_tally *tally, swivel_tallied what)
{
    SWIVEL_TALLY(&swivel__tally_stripe(tally)->sent[what], (uint64_t)-1);
}

/// The sum of what was sent. **Thread:** any.
static inline uint64_t swivel__tally_sum(const swivel_tally *tally, swivel_tallied what)
{
    uint64_t sum = 0;
    for (int stripe = 0; stripe < SWIVEL_TALLY_STRIPES; stripe++) {
        sum += SWIVEL_LOAD(&tally->stripes[stripe].sent[what], relaxed);
    }
    return sum;
}

/// **Thread:** the loop's.
static inline void swivel__tally_met(swivel_tally *tally, swivel_tallied what)
{
    SWIVEL_COUNT(&tally->met[what], 1);
}

/// The sum of what was sent in this life; 0 if late counts of an earlier one are still missing.
/// **Thread:** any.
static inline uint64_t swivel__tally_of(const swivel_tally *tally, swivel_tallied what)
{
    uint64_t number = swivel__tally_sum(tally, what) - SWIVEL_SETTING(&tally->before[what]);
    return (int64_t)number < 0 ? 0 : number;
}

/// The record begins a new life. **Thread:** any, while nobody has the loop.
static inline void swivel__tally_begin(swivel_tally *tally)
{
    for (int what = 0; what < SWIVEL_TALLY_COUNT; what++) {
        bool is_paired = what < SWIVEL_TALLY_PAIRED;
        uint64_t number = is_paired ? SWIVEL_LOAD(&tally->met[what], relaxed)
                                    : swivel__tally_sum(tally, (swivel_tallied)what);
        SWIVEL_STORE(&tally->before[what], number, relaxed);
    }
}

/// Pending timers of the counts in `counted`, which are those of this life and the earlier ones.
static inline uint64_t swivel__tally_balance(const swivel_tally *tally, const uint64_t *counted)
{
    uint64_t change[SWIVEL_TALLY_REUSABLE + 1];
    for (int what = 0; what <= SWIVEL_TALLY_REUSABLE; what++) {
        change[what] = counted[what] - SWIVEL_SETTING(&tally->before[what]);
    }
    return change[SWIVEL_TALLY_ARMS] + change[SWIVEL_TALLY_REUSABLE] - change[SWIVEL_TALLY_CANCELS];
}

/// The timers that will fire (again), where the loop's thread has counted `own` of its own acts.
/// **Thread:** any.
static inline uint64_t swivel__tally_pending(const swivel_tally *tally, uint64_t own)
{
    uint64_t sent[SWIVEL_TALLY_REUSABLE + 1];
    for (int what = 0; what <= SWIVEL_TALLY_REUSABLE; what++) {
        sent[what] = swivel__tally_sum(tally, (swivel_tallied)what);
    }
    uint64_t number = own + swivel__tally_balance(tally, sent);
    return (int64_t)number < 0 ? 0 : number;
}

/// The count of the loop thread's own acts if no timer is pending and no message is on its way. **Thread:** the loop's.
static inline uint64_t swivel__tally_none(const swivel_tally *tally)
{
    uint64_t met[SWIVEL_TALLY_REUSABLE + 1];
    for (int what = 0; what < SWIVEL_TALLY_PAIRED; what++) {
        met[what] = SWIVEL_LOAD(&tally->met[what], relaxed);
    }
    met[SWIVEL_TALLY_REUSABLE] = swivel__tally_sum(tally, SWIVEL_TALLY_REUSABLE);
    return 0 - swivel__tally_balance(tally, met);
}

SWIVEL_ASSUME_NONNULL_END

#endif
