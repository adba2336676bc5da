// SPDX-License-Identifier: Apache-2.0
// The threads that change the states of a loop's nodes. A compare-and-swap takes 8 to 20 ns: it
// waits for the cache misses before it and holds up those behind it. As long as no other thread has cancelled,
// moved or disarmed one of the loop's timers, the loop is private, and its own thread needs none:
//
//     the loop's thread                           another thread, once in the loop's life
//     set `inside`                                sharing: PRIVATE to ASKED
//     (no barrier: the other one's is for both)   a barrier on all threads of the process
//     sharing is still PRIVATE                    wait until `inside` is not set
//     load the state, compare, store              sharing: SHARED
//     clear `inside`                              from here on, both swap
//
// Either the loop's thread sees that it was asked, and swaps, or the other one sees it inside, and
// waits. Where the system has no such barrier, a loop is shared from its beginning.
#ifndef SWIVEL_INTERNAL_SHARE_H
#define SWIVEL_INTERNAL_SHARE_H

#include "../loop.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The threads that change the states of a loop's nodes. (Until a node is armed, it is the thread's
/// that arms it.)
typedef enum swivel_sharing {
    SWIVEL_PRIVATE, ///< Its own thread.
    SWIVEL_ASKED,   ///< Its own thread, which may not know yet that others want to.
    SWIVEL_SHARED,  ///< Any thread.
} swivel_sharing;

/// A loop's nodes are its own thread's, if the system can share them later. Before it begins.
void swivel__share_begin(swivel_loop *loop);
/// The loop is in a child, where its thread is not.
void swivel__share_in_child(swivel_loop *loop);
/// As `swivel__share`, the first time.
void swivel__share_now(swivel_loop *loop);

/// Before a thread that is not the loop's own changes a node's state.
static inline void swivel__share(swivel_loop *loop)
{
    // Acquire: what the loop's thread stored while the loop was private is seen from here on.
    if (SWIVEL_UNLIKELY(SWIVEL_LOAD(&loop->sharing, acquire) != SWIVEL_SHARED)) {
        swivel__share_now(loop);
    }
}

/// Changes a node's state on its loop's own thread, as a strong compare-and-swap that acquires and
/// releases.
static inline bool swivel__own_swap(swivel_loop *loop, swivel_node *node, uint64_t *expected,
                                    uint64_t next)
{
    if (SWIVEL_LIKELY(SWIVEL_SETTING(&loop->sharing) == SWIVEL_PRIVATE)) {
        SWIVEL_STORE(&loop->inside, 1, relaxed);
        // The compiler's half of the barrier; the processor's is the other thread's.
        SWIVEL_COMPILER_FENCE();
        bool is_private = SWIVEL_LOAD(&loop->sharing, relaxed) == SWIVEL_PRIVATE;
        uint64_t found = SWIVEL_LOAD(&node->state, acquire);
        bool swaps = SWIVEL_LIKELY(is_private) && found == *expected;
        if (SWIVEL_LIKELY(swaps)) {
            SWIVEL_STORE(&node->state, next, release);
        }
        SWIVEL_STORE(&loop->inside, 0, release);
        if (SWIVEL_LIKELY(is_private)) {
            *expected = found;
            return swaps;
        }
    }
    return SWIVEL_CAS(&node->state, expected, next, acq_rel, acquire);
}

/// Claims an armed node for its fire: `to` is `SWIVEL_BUSY` or `SWIVEL_HANDED`. Fails when it was
/// cancelled, and when it was moved: then the wanted deadline decides, not a thread that is about
/// to move it. **Thread:** the loop's own.
static inline bool swivel__node_claim(swivel_loop *loop, swivel_node *node, uint32_t to)
{
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    while (swivel__phase(state) == SWIVEL_ARMED && !(state & SWIVEL_MOVED)) {
        uint64_t next = swivel__settled(swivel__with_phase(state, to) & ~(uint64_t)SWIVEL_FILED);
        if (swivel__own_swap(loop, node, &state, next)) {
            return true;
        }
    }
    return false;
}

SWIVEL_ASSUME_NONNULL_END

#endif
