// SPDX-License-Identifier: Apache-2.0
// The functions that the files of `timer/` share, and the numbers and counts of calls.
#ifndef SWIVEL_INTERNAL_TIMER_H
#define SWIVEL_INTERNAL_TIMER_H

#include "../queue/post.h"
#include "state.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// timer.c: moves of a timer on its loop's thread.
/// Moves a timer that the loop has adopted to an instant without leeway; 0 is now. Drops a deadline
/// that another thread has left. False: the timer is over, or its only run has begun.
bool swivel__apply_rearm(swivel_loop *loop, uint32_t index, uint32_t generation,
                         uint64_t fire_at_ns);
/// Obeys other threads' moves of a timer: files it anew, or takes a disarmed one out. `announced`
/// is `SWIVEL_ANNOUNCED` if a message brought the loop here, else 0.
void swivel__follow(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t announced);
/// After the claim of a due timer has failed. False: it was cancelled, or was filed anew for later.
bool swivel__stays_due(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Takes the deadline that was left last, once `SWIVEL_MOVED` is cleared, and the number of its
/// call. 0: now, with its due message. False: it was taken before.
bool swivel__take_wanted(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t *fire_at_ns,
                         uint64_t *number);
/// Files a timer, filed or not, under an instant and a call's number; 0: it waits for a message.
void swivel__refile(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t fire_at_ns,
                    uint64_t number);
/// Files a timer that its own closure has moved, once that has returned.
void swivel__file_again(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Shows other threads by when the loop will check the node, which is filed.
void swivel__show_filed(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Takes a timer that is over and counted out of the wheel, and frees its nodes.
void swivel__reclaim(swivel_loop *loop, uint32_t index, swivel_node *node);

// messages.c
/// Adopts a timer before its arm message has come. False: it was cancelled on the way.
bool swivel__adopt_early(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation);
/// Takes an arm message: adopts the timer, if it was not adopted early. False: it was cancelled.
bool swivel__adopt_timer(swivel_loop *loop, swivel_entry message);
/// Acts on a message about a node. True: the caller fires the node's timer at once.
bool swivel__obey(swivel_loop *loop, swivel_entry entry);

// cancel.c
/// Cancels a timer that has not started, at the loop's end on its thread, and reports it.
void swivel__cancel_node(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Why a node is over, in the message that requests its reclaim.
enum {
    SWIVEL_WAS_ARMED, ///< Cancelled: the only one that is counted.
    SWIVEL_WAS_REUSABLE,
    SWIVEL_WAS_OUTSTANDING, ///< All is done but to free the node.
};
/// Requests that the loop reclaims a node that this thread has ended. **Thread:** not the loop's.
void swivel__send_reclaim(swivel_timer timer, uint64_t why);

// magazine.c. **Thread:** any, while the loop is retained.
/// A node of the loop's slab for the calling thread; nil without memory.
uint32_t swivel__magazine_take(swivel_loop *loop);
/// The calling thread's nodes of the loop, if it has armed timers there and has room for one more;
/// else `NULL`. The loop need not be retained.
struct swivel_magazine *SWIVEL_NULLABLE swivel__magazine_with_room(const swivel_loop *loop);
/// Keeps a node whose timer the calling thread has recalled, for its next one.
void swivel__magazine_keep(struct swivel_magazine *magazine, uint32_t index);

// remote_rearm.c
/// Leaves a deadline for the loop; 0 is now. False: the timer is over, or the loop refuses.
/// **Thread:** any but the loop's in a turn.
bool swivel__leave_deadline(swivel_timer timer, uint64_t deadline_ns);
/// Sends the loop a node in whose state the caller has set `SWIVEL_ANNOUNCED`.
int swivel__announce(swivel_timer timer, uint64_t instant_ns);

// arm.c
/// Moves the timer to `deadline_ns`; 0 is now, in order with posts. On other threads than the
/// loop's the deadline is left for it. False: the timer is over, or the loop refuses.
bool swivel__rearm_at(swivel_timer timer, uint64_t deadline_ns);
/// Moves a pending one-shot and gives it a new handle, so that the old ones are stale. `loop` is
/// `NULL`, and nothing has changed, if the timer is over, if another thread is changing it, and on
/// any thread but the loop's.
swivel_timer swivel__own_renew(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns);

// repeat.c
/// Begins a tick: computes its instant, and moves the grid to the next one.
swivel_tick swivel__repeat_begin(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Arms the next tick after the closure has returned, or ends the repeat if it was cancelled.
void swivel__repeat_end(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Computes `fire_at_ns` of the tick that the settings describe.
uint64_t swivel__repeat_fire_at(swivel_loop *loop, swivel_node *node);

// The arithmetic of repeats, pure: a grid is a value, and the present is an argument. Once a tick
// has been taken up, the grid begins with the next one. Sums saturate at `SWIVEL_NEVER_NS`.
/// The part of a leeway that counts: half an interval at most, or a tick would come when the next
/// is due, and cost it. All of it after a closure's end, where no tick can be missed.
uint64_t swivel__grid_leeway(const swivel_grid *grid, uint64_t leeway_ns);
/// When the next tick is due: its instant and its jitter. Each call draws a jitter of its own, so
/// the caller keeps the result for `swivel__grid_take`.
uint64_t swivel__grid_due(swivel_grid *grid);

/// Takes up, at `now_ns`, the tick that was due at `due_ns`, and moves the grid to the one after
/// it. The caller sets the result's `timer`.
///
/// With `SWIVEL_MISSED_SKIP` the tick is the latest one whose instant has come. Otherwise it is the
/// grid's next one, whatever its lateness. `SWIVEL_MISSED_DELAY` restarts the grid at `now_ns` if a
/// tick was missed. With `SWIVEL_AFTER_COMPLETION` the grid stays until `swivel__grid_end`.
swivel_tick swivel__grid_take(swivel_grid *grid, uint64_t due_ns, uint64_t now_ns);
/// The closure of the tick that was taken up returned at `now_ns`.
void swivel__grid_end(swivel_grid *grid, uint64_t now_ns);

static inline swivel_settings *swivel__settings(const swivel_loop *loop, const swivel_node *node)
{
    return (swivel_settings *)swivel__slab_node(&loop->wheel.slab, node->extra);
}

/// The instant at which a reusable timer is filed that this turn has moved: one that has passed
/// goes behind what is due, so that a timer that is moved again and again does not delay others.
static inline uint64_t swivel__behind_due(const swivel_loop *loop, uint64_t fire_at_ns)
{
    uint64_t turn_ns = SWIVEL_SETTING(&loop->turn_ns);
    return fire_at_ns != 0 && fire_at_ns < turn_ns ? turn_ns : fire_at_ns;
}

/// A deadline that has passed is a post: 0. **Thread:** any.
static inline uint64_t swivel__due_or_post(swivel_loop *loop, uint64_t deadline_ns)
{
    return swivel__has_come(loop, deadline_ns) ? 0 : deadline_ns;
}

/// The node that a handle names, in this life or another; `NULL` if there is none.
static inline swivel_node *SWIVEL_NULLABLE swivel__node_of(swivel_timer timer)
{
    uint32_t chunk = timer.index >> SWIVEL_CHUNK_SHIFT;
    if (timer.loop == NULL || SWIVEL_UNLIKELY(chunk >= SWIVEL_CHUNKS_MAX)) {
        return NULL;
    }
    swivel_node *nodes = timer.loop->wheel.slab.chunks[chunk].nodes;
    return SWIVEL_UNLIKELY(nodes == NULL) ? NULL : &nodes[timer.index & SWIVEL_CHUNK_MASK];
}

/// The state of the handle's timer; 0, a free node's, if the handle is stale.
static inline uint64_t swivel__state_of(swivel_timer timer)
{
    swivel_node *node = swivel__node_of(timer);
    uint64_t state = node == NULL ? 0 : SWIVEL_LOAD(&node->state, acquire);
    return swivel__generation(state) == timer.generation ? state : 0;
}

// The numbers of calls that arm and move timers: those with equal deadlines fire in this order.
// Other threads take a number from the loop's counter when they call. The loop's own takes a block
// for a turn, if others have taken any since its last one, and counts in it without atomics. So the
// numbers of one thread rise with its calls.

/// Numbers in a block: more than most turns use, and few enough for centuries of blocks.
#define SWIVEL_ORDER_BLOCK (UINT64_C(1) << 16)

/// Takes the next block for the loop's own thread, behind what it has used.
static inline void swivel__order_take(swivel_loop *loop)
{
    // A turn that used up its block has counted beyond it.
    uint64_t used = loop->wheel.sequence, next = SWIVEL_SETTING(&loop->inbox.order);
    while (next < used && !SWIVEL_CAS(&loop->inbox.order, &next, used, relaxed, relaxed)) {
    }
    loop->wheel.sequence = SWIVEL_FETCH_ADD(&loop->inbox.order, SWIVEL_ORDER_BLOCK, relaxed);
    loop->numbers_end = loop->wheel.sequence + SWIVEL_ORDER_BLOCK;
}

/// The number of a call. **Thread:** any but the loop's own.
static inline uint64_t swivel__order_next(swivel_loop *loop)
{
    // Relaxed: the push of an entry, or the store of a deadline, publishes it.
    return SWIVEL_FETCH_ADD(&loop->inbox.order, 1, relaxed);
}

/// After a drain's limit is known: own calls from here on come after those of all entries up to it.
static inline void swivel__order_begin(swivel_loop *loop)
{
    if (SWIVEL_UNLIKELY(SWIVEL_SETTING(&loop->inbox.order) != loop->numbers_end)) {
        swivel__order_take(loop);
    }
}

/// At a turn's end, before other threads may learn of its calls.
static inline void swivel__order_end(swivel_loop *loop)
{
    if (SWIVEL_UNLIKELY(loop->wheel.sequence > loop->numbers_end)) {
        swivel__order_take(loop);
    }
}

/// Counts timers that the loop's own thread has armed, or ended if `change` is negative.
static inline void swivel__count_pending(swivel_loop *loop, int change)
{
    SWIVEL_COUNT(&loop->pending, (uint64_t)(int64_t)change);
}

/// Counts a timer, if it is reusable, whose state the calling thread has changed. **Thread:** any.
static inline void swivel__count_reusable(swivel_loop *loop, uint64_t before, uint64_t after)
{
    int change = swivel__reusable_is_armed(after) - swivel__reusable_is_armed(before);
    if (change == 0 || !(before & SWIVEL_REUSABLE)) {
        return;
    }
    if (swivel__is_own(loop)) {
        swivel__count_pending(loop, change);
    } else {
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_REUSABLE, change);
    }
}

/// Counts what happens to a timer whose closure runs on another context: `SWIVEL_COUNTED_RUNS`, or
/// one of those after it. **Thread:** any, while the loop is retained.
static inline void swivel__count_dispatched(swivel_loop *loop, swivel_counted what, uint64_t number)
{
    swivel__counter_add(&loop->counter, what, (int64_t)number);
}

/// Timers that will fire (again); none once the loop has closed. **Thread:** any.
static inline uint64_t swivel__pending_timers(swivel_loop *loop)
{
    if (swivel__latch_is_open(&loop->closed)) {
        return 0;
    }
    const swivel_counter *counter = &loop->counter;
    int64_t number = (int64_t)SWIVEL_LOAD(&loop->pending, relaxed) +
                     swivel__counter_change(counter, SWIVEL_COUNTED_ARMS) -
                     swivel__counter_change(counter, SWIVEL_COUNTED_CANCELS) +
                     swivel__counter_change(counter, SWIVEL_COUNTED_REUSABLE);
    return number < 0 ? 0 : (uint64_t)number;
}

SWIVEL_ASSUME_NONNULL_END

#endif
