// SPDX-License-Identifier: Apache-2.0
// A timer on its loop's thread, and what other threads leave for it: shared by the files of `timer/`.
#ifndef SWIVEL_INTERNAL_TIMER_H
#define SWIVEL_INTERNAL_TIMER_H

#include "../queue/post.h"
#include "order.h"
#include "state.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// timer.c
/// Frees the node of a timer that nothing else will touch, and takes it out of the wheel. The end has
/// been counted.
void swivel__reclaim(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Cancels a timer that has not started, and counts it in the report. (A node whose arm message was
/// refused still belongs to the thread that tried.) **Thread:** the loop's.
void swivel__cancel_node(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Moves a timer of this generation that the loop has adopted; `fire_at_ns` has no leeway in it,
/// and 0 is now. A deadline that another thread has left is dropped. False: it is over, or its only run
/// has begun.
bool swivel__apply_rearm(swivel_loop *loop, uint32_t index, uint32_t generation,
                         uint64_t fire_at_ns);
/// Obeys other threads' moves of a timer: files it anew, or takes a disarmed one out. `announced` is
/// `SWIVEL_ANNOUNCED` if a message brought the loop here, else 0.
void swivel__follow(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t announced);
/// For a timer whose instant has come and whose claim has failed. False: it was cancelled, or was
/// filed anew for a later deadline.
bool swivel__stays_due(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Takes the deadline that was left last, once `SWIVEL_MOVED` is cleared, and the number of its call.
/// 0: now, with its due message. False: it was taken before.
bool swivel__take_wanted(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t *fire_at_ns,
                         uint64_t *number);
/// Files a timer, filed or not, under an instant and a call's number; 0: it waits for a due message.
void swivel__refile(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t fire_at_ns,
                    uint64_t number);
/// Files a timer that its own closure has moved, once that has returned.
void swivel__file_again(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Shows other threads by when the loop will check the node, which is filed.
void swivel__show_filed(swivel_loop *loop, uint32_t index, swivel_node *node);

// magazine.c
/// A node of the loop's slab for the calling thread; nil without memory. **Thread:** any, while the
/// loop is retained.
uint32_t swivel__magazine_take(swivel_loop *loop);
/// Puts an unused node back. **Thread:** its taker, while the loop is retained.
void swivel__magazine_put(swivel_loop *loop, uint32_t index);
/// The calling thread's nodes of the loop, if it has armed timers there and has room for one more; else
/// `NULL`. **Thread:** any but the loop's.
struct swivel_magazine *SWIVEL_NULLABLE swivel__magazine_with_room(const swivel_loop *loop);
/// Keeps a node whose timer the calling thread has recalled, for its next one.
void swivel__magazine_keep(struct swivel_magazine *magazine, uint32_t index);

// messages.c
/// The thread that armed a timer, in the message that says so.
enum {
    SWIVEL_ARMED_HERE, ///< The loop's own thread.
    SWIVEL_ARMED_ELSEWHERE,
};
/// Why a node is over, in the message that says so.
enum {
    SWIVEL_WAS_ARMED, ///< Cancelled: the only one that is counted.
    SWIVEL_WAS_REUSABLE,
    SWIVEL_WAS_OUTSTANDING, ///< All is done but to free the node.
};
/// Adopts a timer before the message of the thread that armed it has come. False: it was
/// cancelled on the way.
bool swivel__adopt_early(swivel_loop *loop, uint32_t index, swivel_node *node, uint32_t generation);
/// Meets such a message: adopts the timer, if that is still to be done. False: it was cancelled
/// on the way.
bool swivel__adopt_timer(swivel_loop *loop, swivel_entry message);
/// Acts on a message about a node. Returns true if that is a timer to be fired at once, by the
/// caller.
bool swivel__obey(swivel_loop *loop, swivel_entry entry);
/// Sends a message that must arrive: without memory another thread waits for the loop to drain, and
/// the loop's own thread acts on it at once. Returns `SWIVEL_OK`, or why the loop accepts nothing.
int swivel__send_message(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns);
/// Requests that the loop reclaims a node with which another thread has finished.
void swivel__send_reclaim(swivel_loop *loop, uint32_t index, uint32_t generation, uint64_t why);

// remote_rearm.c
/// Leaves a deadline for the loop; 0 is now. False: the timer is over, or the loop refuses.
/// **Thread:** any but the loop's in a turn.
bool swivel__leave_deadline(swivel_timer timer, uint64_t deadline_ns);
/// Sends the loop a node in whose state the caller has set `SWIVEL_ANNOUNCED`.
int swivel__announce(swivel_timer timer, uint64_t instant_ns);

// rearm.c
/// Moves the timer to `deadline_ns`, 0 being now, in order with posts: at once on the loop's thread;
/// elsewhere the deadline is left for the loop, which takes it before it fires the timer. False: it
/// is over, or the loop refuses.
bool swivel__rearm_at(swivel_timer timer, uint64_t deadline_ns);
/// Moves a pending one-shot and gives it a new handle: the old ones are stale from here on. Its
/// work stays. `loop` is `NULL` if the timer is over, if another thread has a hand in it, and on
/// any thread but the loop's: nothing has changed then.
swivel_timer swivel__own_renew(swivel_timer timer, uint64_t deadline_ns, uint64_t leeway_ns);

// repeat.c
/// Begins a tick: computes its instant, and moves the grid to the next one.
swivel_tick swivel__repeat_begin(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Arms the next tick after the closure has returned, or ends the repeat if it was cancelled.
void swivel__repeat_end(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Computes `fire_at_ns` of the tick that the settings describe.
uint64_t swivel__repeat_fire_at(swivel_loop *loop, swivel_node *node);

/// The instant at which a reusable timer is filed that this turn has moved: one that had passed before
/// goes behind what is due, so that a timer which is moved again and again does not hold others up. 0
/// stays: it is a post. (A move that the loop takes up late keeps its instant.)
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

/// Counts timers that the loop's own thread has armed, or ended if `change` is negative.
static inline void swivel__count_pending(swivel_loop *loop, int change)
{
    SWIVEL_COUNT(&loop->pending, (uint64_t)(int64_t)change);
}

/// Counts a reusable timer whose state the loop's own thread has changed.
static inline void swivel__count_reusable(swivel_loop *loop, uint64_t before, uint64_t after)
{
    swivel__count_pending(loop, swivel__reusable_is_armed(after) - swivel__reusable_is_armed(before));
}

/// Counts a repeat that the calling thread has stopped while its closure runs; `before` is
/// its state before, or 0 if there is none.
static inline void swivel__count_stop(swivel_loop *loop, uint64_t before)
{
    if (before != 0) {
        swivel__counter_add(&loop->counter, SWIVEL_COUNTED_CANCELS);
    }
}

/// Counts what happens to a timer whose closure runs on another context: `SWIVEL_COUNTED_RUNS`, or one
/// of those after it. **Thread:** any, while the loop is retained.
static inline void swivel__count_dispatched(swivel_loop *loop, swivel_counted what,
                                            uint64_t number)
{
    SWIVEL_COUNT_SHARED(&swivel__counter_stripe(&loop->counter)->sent[what], number);
}

/// Timers that will fire (again). **Thread:** any.
static inline uint64_t swivel__pending_timers(const swivel_loop *loop)
{
    return swivel__counter_pending(&loop->counter, SWIVEL_LOAD(&loop->pending, relaxed));
}

/// The state of the handle's timer; 0, a free node's, if the handle is stale.
static inline uint64_t swivel__state_of(swivel_timer timer)
{
    swivel_node *node =
        timer.loop == NULL ? NULL : swivel__slab_find(&timer.loop->wheel.slab, timer.index);
    uint64_t state = node == NULL ? 0 : SWIVEL_LOAD(&node->state, acquire);
    return swivel__generation(state) == timer.generation ? state : 0;
}

/// The generation of the timer that a message is about.
static inline uint32_t swivel__message_generation(swivel_entry message)
{
    return (uint32_t)(message.first >> 32) & SWIVEL_GENERATION_MAX;
}

/// Whether a message is for the life that the node has now. One that is stale was overtaken by a
/// cancel on the loop's own thread, or the timer was recalled. A node that was left to its last
/// re-arm waits for that one only.
static inline bool swivel__is_meant(uint64_t state, swivel_entry message)
{
    return swivel__generation(state) == swivel__message_generation(message) &&
           (!(state & SWIVEL_OUTSTANDING) || message.second == SWIVEL_WAS_OUTSTANDING);
}

SWIVEL_ASSUME_NONNULL_END

#endif
