// SPDX-License-Identifier: Apache-2.0
// The paths that are measured in nanoseconds, inline for the Swift layer: schedule, cancel and arm
// on the loop's own thread. Everything else is a call into `src/timer/`.
#ifndef SWIVEL_INTERNAL_HOT_H
#define SWIVEL_INTERNAL_HOT_H

#include "loop.h"
#include "queue/post.h"
#include "timer/timer.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Whether the calling thread may touch the loop's wheel: it is in one of its turns, and the loop
/// accepts work.
static inline bool swivel__is_own(swivel_loop *loop)
{
    return SWIVEL_LIKELY(swivel__thread.loops.own == loop);
}

/// Nanoseconds of a Swift `Duration`, rounded up and saturated; 0 for a negative one.
static inline uint64_t swivel__attoseconds_to_ns(int64_t high, uint64_t low)
{
    if (SWIVEL_UNLIKELY(high < 0)) {
        return 0;
    }
    // 10^9 = 2^9 * 5^9. From 2^94 as on the result does not fit; just below the division tells.
    if (SWIVEL_UNLIKELY((uint64_t)high >= UINT64_C(1) << 30)) {
        return SWIVEL_NEVER_NS;
    }
    unsigned __int128 rounded =
        (((unsigned __int128)(uint64_t)high << 64) | low) + UINT64_C(999999999);
    unsigned __int128 dividend = rounded >> 9;
    // Below 2.6 hours one division by 5^9 does, which is a multiplication.
    if (SWIVEL_LIKELY(dividend >> 64 == 0)) {
        return (uint64_t)dividend / 1953125;
    }
    // Long division in two steps of 32 bits: a 128-bit division is a call.
    uint64_t upper = (uint64_t)(dividend >> 32);
    uint64_t quotient = upper / 1953125;
    uint64_t rest = (upper % 1953125) << 32 | (uint32_t)dividend;
    return SWIVEL_UNLIKELY(quotient >> 32) ? SWIVEL_NEVER_NS : (quotient << 32) + rest / 1953125;
}

/// Gives the node its flags and its phase, and returns its handle.
static inline swivel_timer swivel__arm_node(swivel_loop *loop, uint32_t index, swivel_node *node,
                                            uint64_t flags)
{
    uint64_t state = SWIVEL_LOAD(&node->state, relaxed);
    SWIVEL_STORE(&node->state, state | flags, release);
    swivel_timer timer = {loop, index, swivel__generation(state)};
    return timer;
}

// These return structures, and take no address of the caller's: Swift guards the stack of a function
// that gives one away, which takes up to a tenth of the time of these paths.

/// A timer, and where its work goes: `NULL` without memory, and then the timer is none.
typedef struct swivel_armed {
    swivel_timer timer;
    swivel_work *SWIVEL_NULLABLE work;
} swivel_armed;

/// Arms a one-shot on the loop's own thread. The caller stores the work before it does anything else.
///
/// Always inline: left alone, the compiler makes a function of it, 29 instructions longer.
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
    swivel__wheel_file(&loop->wheel, index, node);
    return armed;
}

/// The instant `delay_ns` from now, on the loop's own thread.
static inline uint64_t swivel__own_deadline(swivel_loop *loop, uint64_t delay_ns)
{
    return swivel__saturating_add(swivel__clock_ahead(&loop->clock), delay_ns);
}

/// The time at which the latest turn began; 0 before the first, and on any thread but the loop's own.
static inline uint64_t swivel__own_turn_time(swivel_loop *loop)
{
    if (SWIVEL_UNLIKELY(!swivel__is_own(loop))) {
        return 0;
    }
    return SWIVEL_LOAD(&loop->turn_ns, relaxed);
}

/// As `swivel__cancel`, for every timer and on any thread.
swivel_cancel_result swivel__cancel_any(swivel_timer timer, swivel_work *work);

/// A cancel that may have been decided.
typedef struct swivel_own_cancelled {
    swivel_work work; ///< If it has won: the caller's to release.
    bool has_won;     ///< Else `swivel__cancel_any` decides.
} swivel_own_cancelled;

/// Cancels a one-shot of the calling thread's own loop that no other thread has touched: its state is
/// its generation and its phase, and nothing else.
__attribute__((always_inline)) static inline swivel_own_cancelled
swivel__own_cancel(swivel_timer timer)
{
    swivel_own_cancelled cancelled = {{0, 0}, false};
    swivel_loop *loop = timer.loop;
    if (SWIVEL_UNLIKELY(loop == NULL || !swivel__is_own(loop))) {
        return cancelled;
    }
    swivel_node *node = swivel__slab_find(&loop->wheel.slab, timer.index);
    if (SWIVEL_UNLIKELY(node == NULL)) {
        return cancelled;
    }
    uint64_t state = (uint64_t)timer.generation << SWIVEL_GENERATION_SHIFT | SWIVEL_ARMED;
    uint32_t next_generation = timer.generation + 1;
    cancelled.work = swivel__node_peek(node);
    // Fetches the closure's context while the claim, which no later read overtakes, waits for its
    // turn. With what the C library has before it, it lies in two lines half of the time.
    __builtin_prefetch((void *)(cancelled.work.context - 8), 1);
    __builtin_prefetch((void *)(cancelled.work.context + 24), 1);
    // As in `swivel__node_cancel`. The claim ends the node's life at once: it is this thread's from
    // here on, and no other one is moving it.
    uint64_t freed = (uint64_t)next_generation << SWIVEL_GENERATION_SHIFT;
    if (SWIVEL_UNLIKELY(!SWIVEL_CAS(&node->state, &state, freed, acq_rel, acquire))) {
        return cancelled;
    }
    SWIVEL_COUNT(&loop->cancelled, 1);
    swivel__wheel_leave(&loop->wheel, timer.index, node, next_generation);
    swivel__count_pending(loop, -1);
    cancelled.has_won = true;
    return cancelled;
}

/// Cancels; after `SWIVEL_CANCELLED` the work is in `*work` and is the caller's to release.
static inline swivel_cancel_result swivel__cancel(swivel_timer timer, swivel_work *work)
{
    swivel_own_cancelled own = swivel__own_cancel(timer);
    *work = own.work;
    return own.has_won ? SWIVEL_CANCELLED : swivel__cancel_any(timer, work);
}

/// Moves a pending one-shot and gives it a new handle: the old ones are stale from here on. Its
/// work stays. `loop` is `NULL` if the timer is over, if another thread has a hand in it, and on
/// any thread but the loop's: nothing has changed then.
swivel_timer swivel__own_renew(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns);

/// A kept timer's node: its owner keeps the address, which never changes.
static inline void *SWIVEL_NULLABLE swivel__kept_node(swivel_timer timer)
{
    return timer.loop == NULL ? NULL : swivel__slab_node(&timer.loop->wheel.slab, timer.index);
}

/// Of these, a kept timer that no other thread has a hand in has `SWIVEL_KEPT` alone.
#define SWIVEL_KEPT_MARKS                                                                          \
    (SWIVEL_QUEUED | SWIVEL_KEPT | SWIVEL_MOVED | SWIVEL_FILED | SWIVEL_MOVERS_MASK)

/// Arms a kept timer on the loop's own thread. False: it is ended.
static inline bool swivel__own_kept_arm(swivel_loop *loop, uint32_t index, void *kept,
                                        uint64_t fire_at_ns)
{
    swivel_node *node = kept;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (SWIVEL_UNLIKELY((state & SWIVEL_KEPT_MARKS) != SWIVEL_KEPT)) {
        return swivel__own_kept_arm_slow(loop, index, fire_at_ns);
    }
    if (swivel__phase(state) == SWIVEL_IDLE) {
        uint64_t armed = swivel__with_phase(state, SWIVEL_ARMED);
        if (SWIVEL_UNLIKELY(!SWIVEL_CAS(&node->state, &state, armed, acq_rel, acquire))) {
            return swivel__own_kept_arm_slow(loop, index, fire_at_ns);
        }
        swivel__count_pending(loop, 1);
    } else if (SWIVEL_UNLIKELY(swivel__phase(state) != SWIVEL_ARMED)) {
        return swivel__own_kept_arm_slow(loop, index, fire_at_ns);
    }
    swivel__wheel_refile(&loop->wheel, index, node, swivel__behind_due(loop, fire_at_ns));
    return true;
}

/// Disarms a kept timer on the loop's own thread.
static inline swivel_cancel_result swivel__own_kept_disarm(swivel_loop *loop, void *kept)
{
    swivel_node *node = kept;
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    bool is_plain = (state & (SWIVEL_KEPT_MARKS | SWIVEL_PHASE)) == (SWIVEL_KEPT | SWIVEL_ARMED);
    uint64_t idle = swivel__with_phase(state, SWIVEL_IDLE);
    if (SWIVEL_UNLIKELY(!is_plain || !SWIVEL_CAS(&node->state, &state, idle, acq_rel, acquire))) {
        return swivel__own_kept_disarm_slow(loop, node);
    }
    swivel__count_pending(loop, -1);
    if (SWIVEL_LIKELY(swivel__wheel_awaits(node))) {
        swivel__wheel_void(&loop->wheel, node);
    }
    return SWIVEL_CANCELLED;
}

/// Posts on the loop's own thread. False without memory.
static inline bool swivel__own_post(swivel_loop *loop, swivel_work work)
{
    swivel_entry entry = {work.function, work.context};
    return swivel__ring_push(&loop->local, entry);
}

/// Posts a callback on the loop's own thread. False on any other thread, and without memory.
static inline bool swivel__own_callback(swivel_loop *loop, swivel_work work)
{
    if (!swivel__is_own(loop) || !swivel__own_post(loop, work)) {
        return false;
    }
    if (SWIVEL_UNLIKELY(loop->counts_posts)) {
        SWIVEL_FETCH_ADD(&loop->waiting_posts, 1, relaxed);
    }
    return true;
}

/// Posts a job, which `hooks.run` gets as work: `swivel__job_word(kind)` and `job`. A job runs even
/// if the loop closes first. **Thread:** any.
///
/// Returns `SWIVEL_OK`; `SWIVEL_ESHUTDOWN` or `SWIVEL_EFORKED`, where the job is still the
/// caller's; or `-ENOMEM`, on the loop's own thread only.
static inline int swivel__post_job(swivel_loop *loop, uint32_t kind, uint64_t job)
{
    swivel_entry entry = {swivel__job_word(kind), job};
    if (swivel__is_own(loop)) {
        return swivel__ring_push(&loop->local, entry) ? SWIVEL_OK : -12; // ENOMEM
    }
    return swivel__send_job(loop, entry.first, entry.second);
}

/// The number of the record's loop: the record's next loop has another one. **Thread:** any.
static inline uint32_t swivel__loop_epoch(const swivel_loop *loop)
{
    return SWIVEL_SETTING(&loop->epoch);
}

/// Whether the loop's thread is in a job. **Thread:** the loop's.
static inline bool swivel__runs_job(const swivel_loop *loop)
{
    return loop->jobs > 0;
}

SWIVEL_ASSUME_NONNULL_END

#endif
