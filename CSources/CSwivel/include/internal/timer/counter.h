// SPDX-License-Identifier: Apache-2.0
// Counts of other threads' acts on a loop's timers: each act is counted by the thread that does it,
// the loop's own in `loop->pending`, so the sum is exact although the loop may sleep for hours
// before it takes a message. It counts arms and cancels again when it takes the message. Both
// counts continue through all lives of a record: a thread that counts late, in the record's next
// life, leaves no error there, because its message was taken and counted in the last one.
#ifndef SWIVEL_INTERNAL_COUNTER_H
#define SWIVEL_INTERNAL_COUNTER_H

#include "../../swivel_config.h"
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

/// The counts of the threads whose numbers leave the same rest, so that most share no cache line.
typedef struct swivel_stripe {
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) sent[SWIVEL_COUNTED_KINDS];
} swivel_stripe;

typedef struct swivel_counter {
    swivel_stripe stripes[SWIVEL_COUNTED_STRIPES];
    /// By the loop's thread.
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) acknowledged[SWIVEL_COUNTED_PAIRED];
    /// The acts that were acknowledged, or sent unpaired, in the record's earlier lives.
    SWIVEL_ATOMIC(uint64_t) before[SWIVEL_COUNTED_KINDS];
} swivel_counter;

/// Counts acts of the calling thread before their message goes, or takes them back. **Thread:**
/// any; those without a number share a stripe, those that arm timers get one.
static inline void swivel__counter_add(swivel_counter *counter, swivel_counted what, int64_t number)
{
    swivel_stripe *stripe = &counter->stripes[swivel__thread.number % SWIVEL_COUNTED_STRIPES];
    SWIVEL_COUNT_SHARED(&stripe->sent[what], (uint64_t)number);
}

/// The sum of what was sent, in all lives. **Thread:** any.
static inline uint64_t swivel__counter_sum(const swivel_counter *counter, swivel_counted what)
{
    uint64_t sum = 0;
    for (int stripe = 0; stripe < SWIVEL_COUNTED_STRIPES; stripe++) {
        sum += SWIVEL_LOAD(&counter->stripes[stripe].sent[what], relaxed);
    }
    return sum;
}

/// The sum of what was sent in this life. **Thread:** any.
static inline int64_t swivel__counter_change(const swivel_counter *counter, swivel_counted what)
{
    return (int64_t)(swivel__counter_sum(counter, what) - SWIVEL_SETTING(&counter->before[what]));
}

/// The same of what only grows; 0 if late counts of an earlier life are still missing.
static inline uint64_t swivel__counter_of(const swivel_counter *counter, swivel_counted what)
{
    int64_t number = swivel__counter_change(counter, what);
    return number < 0 ? 0 : (uint64_t)number;
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

SWIVEL_ASSUME_NONNULL_END

#endif
