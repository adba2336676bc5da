// SPDX-License-Identifier: Apache-2.0
// The paths that are measured in nanoseconds, inline for the Swift layer: arming, cancelling and
// re-arming a timer on its loop's own thread. `arm.c`, `cancel.c` and `reusable.c` have all other
// ways, and `post.h` the inline half of posts.
#ifndef SWIVEL_INTERNAL_HOT_H
#define SWIVEL_INTERNAL_HOT_H

#include "timer.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Gives the node its flags and its phase, and returns its handle.
static inline swivel_timer swivel__arm_node(swivel_loop *loop, uint32_t index, swivel_node *node,
                                            uint64_t flags)
{
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    SWIVEL_STORE(&node->state, state | flags, release);
    return (swivel_timer){loop, index, swivel__generation(state)};
}

/// A timer, and where its work goes: `NULL` without memory, and then the timer is none.
///
/// It is returned: Swift guards the stack of a function that gives an address of its own away,
/// which takes up to a tenth of the time of these paths.
typedef struct swivel_armed {
    swivel_timer timer;
    swivel_work *SWIVEL_NULLABLE work;
} swivel_armed;

/// Arms a one-shot on the loop's own thread. The caller stores the work before it does anything
/// else. Always inline: left alone, the compiler makes a function of it, 29 instructions longer.
__attribute__((always_inline)) static inline swivel_armed
swivel__own_schedule(swivel_loop *loop, uint64_t deadline_ns, uint64_t leeway_ns)
{
    uint32_t index;
    swivel_armed armed = {{NULL, 0, 0}, NULL};
    swivel_node *node = swivel__slab_alloc(&loop->wheel.slab, &index);
    if (SWIVEL_UNLIKELY(node == NULL)) {
        swivel__refuse(loop, SWIVEL_EFULL);
        return armed;
    }
    node->extra = SWIVEL_NIL;
    node->leeway_ns = leeway_ns;
    node->fire_at_ns = swivel__aligned_deadline(deadline_ns, leeway_ns);
    swivel__count_pending(loop, 1);
    armed.work = &node->work;
    armed.timer = swivel__arm_node(loop, index, node, SWIVEL_ARMED);
    node->sequence = loop->wheel.sequence++;
    swivel__wheel_stage(&loop->wheel, index, node);
    return armed;
}

/// The instant `delay_ns` from now, inline on the loop's own thread. **Thread:** any.
static inline uint64_t swivel__own_deadline(swivel_loop *loop, uint64_t delay_ns)
{
    return swivel__saturating_add(swivel__loop_now(loop), delay_ns);
}

/// Cancels a timer; after `SWIVEL_CANCELLED` the caller releases `*work`. **Thread:** any.
swivel_cancel_result swivel__cancel(swivel_timer timer, swivel_work *work);

typedef struct swivel_own_cancelled {
    swivel_work work; ///< If the cancel has won: the caller's to release.
    bool has_won;     ///< Else `swivel__cancel` decides.
} swivel_own_cancelled;

/// Cancels a one-shot of the calling thread's own loop that no other thread has touched.
__attribute__((always_inline)) static inline swivel_own_cancelled
swivel__own_cancel(swivel_timer timer)
{
    swivel_own_cancelled cancelled = {{0, 0}, false};
    swivel_loop *loop = timer.loop;
    swivel_node *node = swivel__node_of(timer);
    if (SWIVEL_UNLIKELY(node == NULL || !swivel__is_own(loop))) {
        return cancelled;
    }
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    uint32_t next_generation = timer.generation + 1;
    cancelled.work = swivel__node_peek(node);
    // No later read overtakes the claim. With what the C library has before it, the closure's
    // context lies in two lines half of the time.
    __builtin_prefetch((void *)(cancelled.work.context - 8), 1);
    __builtin_prefetch((void *)(cancelled.work.context + 24), 1);
    // As in `claim` of cancel.c, but it ends the node's life at once: no other thread is moving it.
    uint64_t freed = (uint64_t)next_generation << SWIVEL_GENERATION_SHIFT;
    if (SWIVEL_UNLIKELY(!SWIVEL_CAS(&node->state, &state, freed, acq_rel, acquire))) {
        return cancelled;
    }
    SWIVEL_COUNT(&loop->cancelled, 1);
    swivel__wheel_unfile(&loop->wheel, node);
    swivel__slab_take_back(&loop->wheel.slab, timer.index, node, next_generation);
    swivel__count_pending(loop, -1);
    cancelled.has_won = true;
    return cancelled;
}

/// Arms a reusable timer, or moves it; `fire_at_ns` has its leeway in it, and only 0 is a post.
/// **Thread:** any.
bool swivel__reusable_move(swivel_timer timer, uint64_t fire_at_ns);
/// As `swivel_reusable_create`, with more flags.
swivel_timer swivel__reusable_create(swivel_loop *loop, swivel_work work, uint64_t flags);
/// Arms a reusable timer again if its closure, or another thread during it, has requested that.
void swivel__reusable_end(swivel_loop *loop, uint32_t index, swivel_node *node);

/// A reusable timer's node: its owner keeps the address, which never changes.
static inline void *SWIVEL_NULLABLE swivel__reusable_node(swivel_timer timer)
{
    return timer.loop == NULL ? NULL : swivel__slab_node(&timer.loop->wheel.slab, timer.index);
}

/// Of these, a reusable timer that no other thread has a hand in has `SWIVEL_REUSABLE` alone.
#define SWIVEL_REUSABLE_MARKS                                                                      \
    (SWIVEL_QUEUED | SWIVEL_REUSABLE | SWIVEL_MOVED | SWIVEL_FILED | SWIVEL_REARMS_MASK)

/// Arms a reusable timer on the loop's own thread. False: it is ended.
static inline bool swivel__own_reusable_arm(swivel_timer timer, void *address, uint64_t fire_at_ns)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = address;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (SWIVEL_UNLIKELY((state & SWIVEL_REUSABLE_MARKS) != SWIVEL_REUSABLE)) {
        return swivel__reusable_move(timer, fire_at_ns);
    }
    if (swivel__phase(state) == SWIVEL_IDLE) {
        uint64_t armed = swivel__with_phase(state, SWIVEL_ARMED);
        if (SWIVEL_UNLIKELY(!SWIVEL_CAS(&node->state, &state, armed, acq_rel, acquire))) {
            return swivel__reusable_move(timer, fire_at_ns);
        }
        swivel__count_pending(loop, 1);
    } else if (SWIVEL_UNLIKELY(swivel__phase(state) != SWIVEL_ARMED)) {
        return swivel__reusable_move(timer, fire_at_ns);
    }
    swivel__wheel_refile(&loop->wheel, timer.index, node, swivel__behind_due(loop, fire_at_ns),
                         loop->wheel.sequence++);
    return true;
}

/// Disarms a reusable timer on the loop's own thread.
static inline swivel_cancel_result swivel__own_reusable_disarm(swivel_timer timer, void *address)
{
    swivel_loop *loop = timer.loop;
    swivel_node *node = address;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    uint64_t marks = state & (SWIVEL_REUSABLE_MARKS | SWIVEL_PHASE);
    bool is_plain = marks == (SWIVEL_REUSABLE | SWIVEL_ARMED);
    uint64_t idle = swivel__with_phase(state, SWIVEL_IDLE);
    if (SWIVEL_UNLIKELY(!is_plain || !SWIVEL_CAS(&node->state, &state, idle, acq_rel, acquire))) {
        return swivel_reusable_disarm(timer);
    }
    swivel__count_pending(loop, -1);
    if (SWIVEL_LIKELY(swivel__wheel_has_deadline(node))) {
        swivel__wheel_never_fires(&loop->wheel, node);
    }
    return SWIVEL_CANCELLED;
}

SWIVEL_ASSUME_NONNULL_END

#endif
