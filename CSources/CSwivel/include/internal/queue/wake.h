// SPDX-License-Identifier: Apache-2.0
// How producers and a loop about to park decide who acts: no wake is lost, a sleep is ended once.
//
//     producer                                 loop
//     publish the entry                        parked = next deadline
//     lower `urgent` to the entry's instant    read the inbox and `urgent`
//     read `parked`:                           nothing that cannot wait: sleep
//       my instant is earlier: parked = 0,     else: parked = 0, return
//       notify
//
// Both write first and read second, all sequentially consistent, so at least one of them sees the
// other (Dekker). docs/design/wake-up.md has the instants of entries.
#ifndef SWIVEL_INTERNAL_WAKE_H
#define SWIVEL_INTERNAL_WAKE_H

#include "inbox.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// Values of `parked`. Any other is the instant until which the loop sleeps.
#define SWIVEL_AWAKE UINT64_C(0)
#define SWIVEL_PARKED_FOR_ANY UINT64_MAX ///< Every entry notifies, as one is not published yet.

// Instants of entries.
#define SWIVEL_INSTANT_NOW UINT64_C(0)
#define SWIVEL_INSTANT_LAZY (UINT64_MAX - 1) ///< It need never wake a loop.

/// From this number of waiting entries on, each one wakes the loop.
#ifndef SWIVEL_WAITING_MAX
#define SWIVEL_WAITING_MAX 1024
#endif

typedef struct swivel_wake {
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) urgent; ///< Earliest instant of an entry not yet drained.
    SWIVEL_ATOMIC(uint64_t) parked;
    SWIVEL_ATOMIC(uint32_t) notifying; ///< Threads that claim a wake, or have.
} swivel_wake;

/// Ends a sleep of the loop.
typedef void swivel_notify_function(void *park);

/// Claims the wake of a loop that sleeps past `instant`, and notifies it.
static inline void swivel__wake_notify(swivel_wake *wake, uint64_t instant,
                                       swivel_notify_function *notify, void *park)
{
    // First: after a last unpark, the loop closes the wake-up fd once this reads 0.
    SWIVEL_FETCH_ADD(&wake->notifying, 1, seq_cst);
    uint64_t parked = SWIVEL_LOAD(&wake->parked, seq_cst);
    bool claims = false;
    while (!claims && instant < parked) {
        claims = SWIVEL_CAS(&wake->parked, &parked, SWIVEL_AWAKE, seq_cst, seq_cst);
    }
    if (claims) {
        notify(park);
    }
    SWIVEL_FETCH_SUB(&wake->notifying, 1, release);
}

/// After a push: makes sure that the loop takes the entry by `instant`. **Thread:** any.
static inline void swivel__wake_for(swivel_wake *wake, uint64_t instant, uint64_t waiting,
                                    swivel_notify_function *notify, void *park)
{
    if (SWIVEL_UNLIKELY(waiting >= SWIVEL_WAITING_MAX)) {
        instant = SWIVEL_INSTANT_NOW;
    }
    uint64_t urgent = SWIVEL_LOAD(&wake->urgent, seq_cst);
    while (instant < urgent &&
           !SWIVEL_CAS(&wake->urgent, &urgent, instant, seq_cst, seq_cst)) {
    }
    if (SWIVEL_UNLIKELY(instant < SWIVEL_LOAD(&wake->parked, seq_cst))) {
        swivel__wake_notify(wake, instant, notify, park);
    }
}

/// Makes sure that the loop takes another turn, for a word that the caller has stored: a stop, the
/// end of a wait. The exchange is always made: the loop's drain, which takes the urgency, has to
/// read from this thread, or it could miss the word and sleep. **Thread:** any.
static inline void swivel__wake_now(swivel_wake *wake, swivel_notify_function *notify, void *park)
{
    SWIVEL_EXCHANGE(&wake->urgent, SWIVEL_INSTANT_NOW, seq_cst);
    if (SWIVEL_LOAD(&wake->parked, seq_cst) != SWIVEL_AWAKE) {
        swivel__wake_notify(wake, SWIVEL_INSTANT_NOW, notify, park);
    }
}

/// Before a drain: entries published from here on raise the urgency again. **Thread:** the loop's.
static inline void swivel__wake_begin_drain(swivel_wake *wake)
{
    if (SWIVEL_LOAD(&wake->urgent, seq_cst) != UINT64_MAX) {
        SWIVEL_EXCHANGE(&wake->urgent, UINT64_MAX, seq_cst);
    }
}

/// Declares that the loop is about to sleep until `next`; `swivel__wake_unpark` ends that. False:
/// there is something to do, and the loop is awake. **Thread:** the loop's.
static inline bool swivel__wake_park(swivel_wake *wake, swivel_inbox *inbox, uint64_t next)
{
    bool held_up = swivel__inbox_is_held_up(inbox);
    uint64_t until = next > SWIVEL_INSTANT_LAZY ? SWIVEL_INSTANT_LAZY : next;
    until = held_up ? SWIVEL_PARKED_FOR_ANY : (until == SWIVEL_AWAKE ? 1 : until);
    SWIVEL_STORE(&wake->parked, until, seq_cst);
    // The urgency counts either way: a wake without an entry raises nothing else.
    bool work = SWIVEL_LOAD(&wake->urgent, seq_cst) < until ||
                (held_up && swivel__inbox_ready(inbox));
    if (work) {
        SWIVEL_STORE(&wake->parked, SWIVEL_AWAKE, seq_cst);
    }
    return !work;
}

/// The loop has woken, for any reason. **Thread:** the loop's.
static inline void swivel__wake_unpark(swivel_wake *wake)
{
    SWIVEL_STORE(&wake->parked, SWIVEL_AWAKE, seq_cst);
}

/// Whether something arrived that cannot wait until `next`. **Thread:** the loop's.
static inline bool swivel__wake_is_due(swivel_wake *wake, uint64_t next)
{
    return SWIVEL_LOAD(&wake->urgent, relaxed) < next;
}

SWIVEL_ASSUME_NONNULL_END

#endif
