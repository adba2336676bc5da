// SPDX-License-Identifier: Apache-2.0
// The loop's record: everything that belongs to one loop, grouped by who may touch it.
#ifndef SWIVEL_INTERNAL_LOOP_H
#define SWIVEL_INTERNAL_LOOP_H

#include "../swivel.h"
#include "clock.h"
#include "guest.h"
#include "lock.h"
#include "pace.h"
#include "ring.h"
#include "tally.h"
#include "thread.h"
#include "wake.h"
#include "wheel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef SWIVEL_ATOMIC(uint64_t) swivel_count;

/// Where a loop is in its life. Guarded by `lock`.
typedef enum swivel_life {
    SWIVEL_OPEN,
    SWIVEL_CLOSING, ///< Shutdown was asked for.
    SWIVEL_CLOSED_DOWN,
} swivel_life;

struct swivel_park;

/// A loop that pumps until another one has closed; lies on its thread's stack.
struct swivel_waiter {
    swivel_loop *loop;
    struct swivel_waiter *SWIVEL_NULLABLE next;
};

struct swivel_loop {
    // The loop's thread only. (A loop has a thread while a turn runs or it is parked.)
    _Alignas(64) swivel_wheel wheel;
    swivel_clock clock;
    swivel_hooks hooks;
    swivel_ring local;
    swivel_surplus *SWIVEL_NULLABLE surplus; ///< Memory that an idle loop gives back.
    bool trims; ///< Closures of a large load were released: the C library has their memory.
    uint64_t armed;          ///< Timers that will fire (again).
    uint64_t handed;         ///< Timers that a foreign context has taken or is to take.
    uint32_t depth;          ///< Turns on the stack: 1 in a turn, more in pumps.
    uint32_t jobs;           ///< Jobs on the stack.
    swivel_pace pace;        ///< What it has learnt about its parks.
    uint64_t chance;         ///< Random words for the pace.
    struct swivel_park *SWIVEL_NULLABLE park;
    swivel_ring_function *ring; ///< Rings the park's bell; fixed for the record's life.
    const swivel_guest *SWIVEL_NULLABLE guest; ///< Whom the drive under way hosts.
    uint64_t gate;      ///< Own posts wait until the inbox has been drained to this number.
    uint64_t left_over; ///< Own posts before this number are of an earlier drive.
    swivel_real served; ///< When the poller was served last.
    swivel_real woke;   ///< When the last park ended.
    swivel_config config;
    char name[16]; ///< What the thread is called; the kernel's limit.

    // Written by the loop's thread, read by any: plain stores, relaxed.
    swivel_count turn_ns;
    swivel_count turns, posts, wakes, parks, fired, missed;
    swivel_count cancelled; ///< On the loop's own thread; the tally has the others.
    swivel_count pending; ///< See `swivel__tally_seen`; as of the last turn.
    swivel_count busy_ns, idle_ns;
    swivel_count lateness[SWIVEL_LATENESS_BUCKETS];

    // Any thread.
    swivel_inbox inbox;
    swivel_wake wake;
    _Alignas(64) swivel_count refused;
    swivel_count waiting_posts; ///< Kept where `max_pending_posts` is set.
    swivel_tally tally;
    SWIVEL_ATOMIC(int) refusal; ///< `SWIVEL_OK`, or why nothing is accepted.
    SWIVEL_ATOMIC(bool) stop;
    SWIVEL_ATOMIC(bool) closing;
    SWIVEL_ATOMIC(bool) woken; ///< By `swivel_loop_wake`, since a wait for work last began.
    SWIVEL_ATOMIC(bool) guest_is_ready; ///< The next turn serves the guest.
    /// The thread that drives or closes the loop: it must not wait for its end.
    SWIVEL_ATOMIC(const struct swivel_thread *) driver;
    /// Whose posts the gate is for: the thread that drove the loop last. `NULL` for a loop's own.
    SWIVEL_ATOMIC(const struct swivel_thread *) drove;
    swivel_count sent; ///< The number behind the last entry that this thread has sent.
    uint32_t id;       ///< Fixed for the record's life.
    uint32_t epoch; ///< The record's how-manieth loop; changes under the records' lock.

    swivel_lock lock; ///< Guards what follows.
    swivel_condition changed;
    swivel_life life;
    swivel_shutdown_mode mode;
    swivel_real until;   ///< The end of a drain.
    uint64_t ran_before; ///< Closures that had run when shutdown was asked for.
    swivel_report report;
    struct swivel_waiter *SWIVEL_NULLABLE waiters;
    pthread_t thread;
    bool draining; ///< The loop's thread only. Repeats are refused.
    bool has_thread, joined, driven;
    bool asked, named; ///< To close if nobody can reach it; in a report of such loops.
    bool dead;           ///< Inherited through a fork.
    uintptr_t stack_low; ///< Lowest address that a pump may reach on the driving thread's stack.
};

// registry.c
/// The record with this number, if there ever was one.
swivel_loop *SWIVEL_NULLABLE swivel__loop_record(uint32_t id);
/// Guards the reuse of records against threads that end and give nodes back.
extern swivel_lock swivel__records_lock;

// turn.c
/// Runs one turn at `now_ns`: drains, advances, fires, within the budget. Returns whether work that
/// is due is left. **Thread:** the loop's.
bool swivel__turn(swivel_loop *loop, uint64_t now_ns);
/// Runs one entry of a queue: a post, or a message about a node.
void swivel__perform(swivel_loop *loop, swivel_entry entry, uint64_t now_ns);

// post.c
/// Counts a refusal and returns its reason.
int swivel__refuse(swivel_loop *loop, int status);
/// Posts a job from another thread than the loop's; see `swivel__post_job`.
int swivel__send_job(swivel_loop *loop, uint64_t first, uint64_t second);

// trim.c
/// Has the C library give back what released closures took. **Thread:** any; another one does it.
void swivel__trim_closures(void);

// park.c
/// Serves the poller: waits until `until` or for work if `wait`, else takes what is ready.
void swivel__park(swivel_loop *loop, bool wait, swivel_real until);

// park_linux.c or park_portable.c. A descriptor that was closed under the loop stops the program
// where it would be used.
/// Creates the poller, its bell and its timer, of the loop with this name, which must last. Returns
/// `SWIVEL_OK` or libuv's code; then nothing is left behind.
int swivel__park_create(const char *name, struct swivel_park *SWIVEL_NULLABLE *SWIVEL_NONNULL park);
void swivel__park_destroy(struct swivel_park *park);
/// Serves the poller. `wait`: until something happens or `until`; else: what is ready.
void swivel__park_poll(struct swivel_park *park, bool wait, swivel_real until);
/// Arms what makes `swivel__park_fd` readable at `until`, without waiting.
void swivel__park_arm(struct swivel_park *park, swivel_real until);
/// Ends a wait under way or the next one. **Thread:** any.
void swivel__park_ring(void *park);
/// How often the bell was heard since the last call.
uint64_t swivel__park_heard(struct swivel_park *park);
int swivel__park_fd(struct swivel_park *park);
/// Has the poller set `*ready` whenever the descriptor is readable, in place of the one it watched
/// before; a negative one is none. False: the system refuses. **Thread:** the loop's, outside the
/// poller.
bool swivel__park_watch(struct swivel_park *park, int descriptor,
                        SWIVEL_ATOMIC(bool) *SWIVEL_NULLABLE ready);

// run.c
/// Starts the loop's thread. Returns `SWIVEL_OK` or a negative errno.
int swivel__thread_start(swivel_loop *loop);
/// Waits until the loop has closed and its thread has ended.
void swivel__thread_wait(swivel_loop *loop);
// drive.c
/// As `swivel_loop_pump`; asks `done` again after `look_ns` of real time even though nothing has
/// happened. 0: only when something has.
int swivel__loop_pump(swivel_loop *loop, bool (*done)(void *SWIVEL_NULLABLE argument),
                      void *SWIVEL_NULLABLE argument, uint64_t deadline_ns, uint64_t look_ns);
/// Runs turns and parks until the loop is stopped or asked to close.
void swivel__loop_drive(swivel_loop *loop);

// close.c and driver.c
/// Makes the calling thread the one that drives a loop without a thread. Returns `SWIVEL_OK`, or
/// why not; `swivel__drive_leave` ends it, and closes the loop if that was asked for meanwhile.
int swivel__drive_enter(swivel_loop *loop);
void swivel__drive_leave(swivel_loop *loop);
/// Refuses work from here on, and asks whoever drives the loop to close it. Under the lock.
void swivel__begin_closing(swivel_loop *loop, swivel_shutdown_mode mode, uint64_t within_ns);
/// Runs the shutdown that was asked for: empties the loop, gives its resources back, says so.
/// **Thread:** the one that drives the loop, outside a turn.
void swivel__close(swivel_loop *loop);

/// Timers that will fire (again). **Thread:** any.
static inline uint64_t swivel__pending_timers(const swivel_loop *loop)
{
    uint64_t seen = swivel__thread.loops.own == loop ? swivel__tally_seen(&loop->tally, loop->armed)
                                               : SWIVEL_LOAD(&loop->pending, relaxed);
    return swivel__tally_left(&loop->tally, seen);
}

/// Whether the loop refuses posts beyond a limit.
static inline bool swivel__limits_posts(const swivel_loop *loop)
{
    uint64_t limit = loop->config.max_pending_posts;
    return limit != 0 && limit != UINT64_MAX;
}

// unreachable.c
/// Has loops with a thread close that have nothing to run and that nobody can reach any more.
/// Returns how many have. **Thread:** any; waits for them.
uint32_t swivel__unreachable_close(void);
/// Calls `visit` with the name of each of those loops, once for each. **Thread:** any.
void swivel__unreachable_visit(void (*visit)(const char *name));
/// What a loop with a thread does that was stopped: closes, if it was asked to and is not needed.
/// False: the loop is to close. **Thread:** the loop's, outside a turn.
bool swivel__unreachable_answer(swivel_loop *loop);

/// Notes what the thread that drives the loop now and then sends in between: its own posts in the
/// next drive come after that.
static inline void swivel__note_sent(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->sent, SWIVEL_LOAD(&loop->inbox.tail, relaxed) & ~SWIVEL_CLOSED, relaxed);
}

/// Pushes an entry and wakes the loop by `instant_ns`. **Thread:** any; a loop that sends what
/// cannot wait may expect a reply.
static inline int swivel__send(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns)
{
    if (instant_ns == SWIVEL_INSTANT_NOW && swivel__thread.loops.current != NULL) {
        swivel__thread.loops.current->pace.expects_reply = true;
    }
    uint64_t waiting;
    int status = swivel__inbox_push(&loop->inbox, entry, &waiting);
    if (SWIVEL_LIKELY(status == SWIVEL_OK)) {
        if (SWIVEL_UNLIKELY(SWIVEL_SETTING(&loop->drove) == &swivel__thread)) {
            swivel__note_sent(loop);
        }
        // The bell belongs to the record while anyone can ring: see `ringing` in wake.h.
        swivel__wake_for(&loop->wake, instant_ns, waiting, loop->ring, &loop->park);
    }
    return status;
}

SWIVEL_ASSUME_NONNULL_END

#include "timer.h"

#endif
