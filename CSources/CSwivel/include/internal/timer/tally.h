// SPDX-License-Identifier: Apache-2.0
// Counts of other threads' acts on a loop's timers that the loop has not seen yet: a loop may
// sleep for hours on lazy messages, and its counters stay exact meanwhile.
//
// The sender counts a message first; the loop counts it when it takes the message. Both counts go
// on through all lives of a record, so that a thread that counts late, in the record's next life,
// leaves no error there: its message was taken and counted in the last one.
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
    SWIVEL_TALLY_ENDS,    ///< Timers over because they have run, on a foreign context.
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
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) met[SWIVEL_TALLY_COUNT]; ///< By the loop's thread.
    SWIVEL_ATOMIC(uint64_t) cancels_before;          ///< Cancels met in the record's earlier lives.
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

/// Timers that other threads have cancelled in this life. **Thread:** any.
static inline uint64_t swivel__tally_cancelled(const swivel_tally *tally)
{
    uint64_t number = swivel__tally_sum(tally, SWIVEL_TALLY_CANCELS) -
                      SWIVEL_SETTING(&tally->cancels_before);
    return (int64_t)number < 0 ? 0 : number;
}

/// The record begins a new life. **Thread:** any, while nobody has the loop.
static inline void swivel__tally_begin(swivel_tally *tally)
{
    uint64_t cancels = SWIVEL_LOAD(&tally->met[SWIVEL_TALLY_CANCELS], relaxed);
    SWIVEL_STORE(&tally->cancels_before, cancels, relaxed);
}

/// The sum of `swivel__tally_left`, as the loop sees it. **Thread:** the loop's.
static inline uint64_t swivel__tally_seen(const swivel_tally *tally, uint64_t armed)
{
    return armed - SWIVEL_LOAD(&tally->met[SWIVEL_TALLY_ARMS], relaxed) +
           SWIVEL_LOAD(&tally->met[SWIVEL_TALLY_CANCELS], relaxed) +
           SWIVEL_LOAD(&tally->met[SWIVEL_TALLY_ENDS], relaxed);
}

/// The timers that will fire (again), from the loop's own count. **Thread:** any.
static inline uint64_t swivel__tally_left(const swivel_tally *tally, uint64_t seen)
{
    uint64_t left = seen + swivel__tally_sum(tally, SWIVEL_TALLY_ARMS) -
                    swivel__tally_sum(tally, SWIVEL_TALLY_CANCELS) -
                    swivel__tally_sum(tally, SWIVEL_TALLY_ENDS);
    return (int64_t)left < 0 ? 0 : left;
}

SWIVEL_ASSUME_NONNULL_END

#endif
