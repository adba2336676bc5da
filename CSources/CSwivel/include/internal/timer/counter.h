// SPDX-License-Identifier: Apache-2.0
// Counts of other threads' acts on a loop's timers. Each act is counted by the thread that does it:
// the loop's thread counts its own in `loop->pending`, other threads count theirs here. The sum is
// exact at once, although the loop may sleep for hours before it takes a message.
//
// The loop counts a second time when it takes the message. Both counts continue through all lives of a
// record, so that a thread that counts late, in the record's next life, leaves no error there: its
// message was taken and counted in the last one.
//
// Each sender counts in a stripe of its own, of several, so that threads which send to one loop do
// not pass a cache line to and fro.
#ifndef SWIVEL_INTERNAL_COUNTER_H
#define SWIVEL_INTERNAL_COUNTER_H

#include "../../swivel_base.h"
#include "../thread/atomics.h"
#include "../thread/thread.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef enum swivel_counted {
    SWIVEL_COUNTED_ARMS,    ///< Timers armed.
    SWIVEL_COUNTED_CANCELS, ///< Timers cancelled.
    SWIVEL_COUNTED_PAIRED,  ///< The ones above are counted by both sides, those below by one.

    /// Reusable timers armed, less those disarmed. No late count: who does that retains the loop.
    SWIVEL_COUNTED_REUSABLE = SWIVEL_COUNTED_PAIRED,
    // Of uncounted timers, and of those whose closures run on other contexts:
    SWIVEL_COUNTED_RUNS,   ///< Closures that ran elsewhere.
    SWIVEL_COUNTED_DROPS,  ///< Timers cancelled.
    SWIVEL_COUNTED_MISSED, ///< Ticks missed.
    SWIVEL_COUNTED_KINDS,
} swivel_counted;

#define SWIVEL_COUNTED_STRIPES 8

/// The counts of the senders whose numbers leave the same rest.
typedef struct swivel_stripe {
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) sent[SWIVEL_COUNTED_KINDS];
} swivel_stripe;

typedef struct swivel_counter {
    // Senders and the loop write with each message, so their cache lines are not the same.
    swivel_stripe stripes[SWIVEL_COUNTED_STRIPES];
    /// By the loop's thread.
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) acknowledged[SWIVEL_COUNTED_PAIRED];
    /// The acts that were acknowledged, or sent unpaired, in the record's earlier lives.
    SWIVEL_ATOMIC(uint64_t) before[SWIVEL_COUNTED_KINDS];
} swivel_counter;

/// The calling thread's stripe. Threads without a number share one; those that arm timers get one.
static inline swivel_stripe *swivel__counter_stripe(swivel_counter *counter)
{
    return &counter->stripes[swivel__thread.number % SWIVEL_COUNTED_STRIPES];
}

/// **Thread:** any, before the message goes.
static inline void swivel__counter_add(swivel_counter *counter, swivel_counted what)
{
    SWIVEL_COUNT_SHARED(&swivel__counter_stripe(counter)->sent[what], 1);
}

/// Counts a reusable timer that another thread has armed, or disarmed.
static inline void swivel__counter_reusable(swivel_counter *counter, bool before, bool after)
{
    if (before != after) {
        swivel_stripe *stripe = swivel__counter_stripe(counter);
        SWIVEL_COUNT_SHARED(&stripe->sent[SWIVEL_COUNTED_REUSABLE], after ? 1 : (uint64_t)-1);
    }
}

/// The message was refused. **Thread:** its sender.
static inline void swivel__counter_take_back(swivel_counter *counter, swivel_counted what)
{
    SWIVEL_COUNT_SHARED(&swivel__counter_stripe(counter)->sent[what], (uint64_t)-1);
}

/// The sum of what was sent. **Thread:** any.
static inline uint64_t swivel__counter_sum(const swivel_counter *counter, swivel_counted what)
{
    uint64_t sum = 0;
    for (int stripe = 0; stripe < SWIVEL_COUNTED_STRIPES; stripe++) {
        sum += SWIVEL_LOAD(&counter->stripes[stripe].sent[what], relaxed);
    }
    return sum;
}

/// **Thread:** the loop's.
static inline void swivel__counter_acknowledge(swivel_counter *counter, swivel_counted what)
{
    SWIVEL_COUNT(&counter->acknowledged[what], 1);
}

/// The sum of what was sent in this life; 0 if late counts of an earlier one are still missing.
/// **Thread:** any.
static inline uint64_t swivel__counter_of(const swivel_counter *counter, swivel_counted what)
{
    uint64_t number = swivel__counter_sum(counter, what) - SWIVEL_SETTING(&counter->before[what]);
    return (int64_t)number < 0 ? 0 : number;
}

/// The record begins a new life. **Thread:** any, while no loop uses the record.
static inline void swivel__counter_begin(swivel_counter *counter)
{
    for (int what = 0; what < SWIVEL_COUNTED_KINDS; what++) {
        bool is_paired = what < SWIVEL_COUNTED_PAIRED;
        uint64_t number = is_paired ? SWIVEL_LOAD(&counter->acknowledged[what], relaxed)
                                    : swivel__counter_sum(counter, (swivel_counted)what);
        SWIVEL_STORE(&counter->before[what], number, relaxed);
    }
}

/// Pending timers of the counts in `counted`, which are those of this life and the earlier ones.
static inline uint64_t swivel__counter_balance(const swivel_counter *counter,
                                               const uint64_t *counted)
{
    uint64_t change[SWIVEL_COUNTED_REUSABLE + 1];
    for (int what = 0; what <= SWIVEL_COUNTED_REUSABLE; what++) {
        change[what] = counted[what] - SWIVEL_SETTING(&counter->before[what]);
    }
    return change[SWIVEL_COUNTED_ARMS] + change[SWIVEL_COUNTED_REUSABLE] -
           change[SWIVEL_COUNTED_CANCELS];
}

/// The timers that will fire (again), where the loop's thread has counted `own` of its own acts.
/// **Thread:** any.
static inline uint64_t swivel__counter_pending(const swivel_counter *counter, uint64_t own)
{
    uint64_t sent[SWIVEL_COUNTED_REUSABLE + 1];
    for (int what = 0; what <= SWIVEL_COUNTED_REUSABLE; what++) {
        sent[what] = swivel__counter_sum(counter, (swivel_counted)what);
    }
    uint64_t number = own + swivel__counter_balance(counter, sent);
    return (int64_t)number < 0 ? 0 : number;
}

/// The count of the loop thread's own acts if no timer is pending and no message is on its way.
/// **Thread:** the loop's.
static inline uint64_t swivel__counter_none(const swivel_counter *counter)
{
    uint64_t acknowledged[SWIVEL_COUNTED_REUSABLE + 1];
    for (int what = 0; what < SWIVEL_COUNTED_PAIRED; what++) {
        acknowledged[what] = SWIVEL_LOAD(&counter->acknowledged[what], relaxed);
    }
    acknowledged[SWIVEL_COUNTED_REUSABLE] = swivel__counter_sum(counter, SWIVEL_COUNTED_REUSABLE);
    return 0 - swivel__counter_balance(counter, acknowledged);
}

SWIVEL_ASSUME_NONNULL_END

#endif
