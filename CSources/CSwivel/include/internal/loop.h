// SPDX-License-Identifier: Apache-2.0
// The loop's record: everything that belongs to one loop, grouped by who may touch it.
#ifndef SWIVEL_INTERNAL_LOOP_H
#define SWIVEL_INTERNAL_LOOP_H

#include "../swivel.h"
#include "clock.h"
#include "guest.h"
#include "lock.h"
#include "ring.h"
#include "tally.h"
#include "wake.h"
#include "wheel.h"
#include <pthread.h>

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
    bool trims; ///< Closures of a large load were released, and their memory not given back.
    uint64_t armed;          ///< Timers that will fire (again).
    uint64_t handed;         ///< Timers that a foreign context has taken or is to take.
    uint32_t depth;          ///< Turns on the stack: 1 in a turn, more in pumps.
    uint32_t jobs;           ///< Jobs on the stack.
    uint32_t look_score;     ///< How often looks before parking have found work lately.
    uint32_t probes;         ///< Long looks in a row that found work, but late.
    bool expects_reply;      ///< Has posted to another loop since it last looked or parked.
    uint32_t probes_in_vain; ///< Halves the chance that a park is probed, each.
    uint32_t rush;           ///< Parks in a row that a timer has ended after a short sleep.
    uint64_t wake_late_ns;   ///< How late the kernel has woken the loop lately.
    uint64_t wake_lead_ns;   ///< How late it has woken the loop at least, lately.
    uint64_t chance;         ///< Decides which parks are looked before.
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
    bool asked; ///< To close, if nobody can reach it.
    bool named; ///< As one that nobody can reach.
    bool dead;           ///< Inherited through a fork.
    uintptr_t stack_low; ///< Lowest address that a pump may reach on the driving thread's stack.
};

/// What a thread knows about loops.
typedef struct swivel_thread {
    swivel_loop *SWIVEL_NULLABLE own;     ///< Work for this loop takes the direct path here.
    swivel_loop *SWIVEL_NULLABLE current; ///< The loop whose turn this thread is in.
    swivel_loop *SWIVEL_NULLABLE host;    ///< The loop whose guest's work this thread runs.
    uint64_t told_ns; ///< The latest real instant that a loop it has left told this thread.
} swivel_thread;

extern _Thread_local swivel_thread swivel__thread;

// loop.c
/// The record with this number, if there ever was one.
swivel_loop *SWIVEL_NULLABLE swivel__loop_record(uint32_t id);
/// Guards the reuse of records against threads that end and give nodes back.
extern swivel_lock swivel__records_lock;
/// Counts a refusal and returns its reason.
int swivel__refuse(swivel_loop *loop, int status);

// turn.c
/// Runs one turn at `now_ns`: drains, advances, fires, within the budget. Returns whether work that
/// is due is left. **Thread:** the loop's.
bool swivel__turn(swivel_loop *loop, uint64_t now_ns);
/// Ends a timer whose node nobody else will touch: takes it out of the wheel and frees it.
void swivel__reclaim(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Takes a timer over that another thread armed. False: it was cancelled on the way.
bool swivel__take_over(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Runs one entry of a queue: a post, or a message about a node.
void swivel__perform(swivel_loop *loop, swivel_entry entry, uint64_t now_ns);

// send.c
/// Sends a message that must arrive: without memory another thread waits for the loop to drain, and
/// the loop's own thread acts on it at once. Returns `SWIVEL_OK`, or why the loop accepts nothing.
int swivel__send_surely(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns);

// jobs.c
/// Posts a job from another thread than the loop's; see `swivel__post_job`.
int swivel__send_job(swivel_loop *loop, uint64_t first, uint64_t second);

/// Arms a kept timer again if its closure, or another thread meanwhile, asked for it.
void swivel__kept_end(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Acts on a message about a node. Returns true if that is a timer to be fired at once, by the
/// caller.
bool swivel__obey(swivel_loop *loop, swivel_entry entry);

// repeat.c
/// What counts of a repeat's leeway.
uint64_t swivel__repeat_leeway(const swivel_grid *grid, uint64_t leeway_ns);
/// Takes the tick up: computes which instant it is, and moves the grid to the next one.
swivel_tick swivel__repeat_begin(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Arms the next tick after the closure has returned, or ends the repeat if it was cancelled.
void swivel__repeat_end(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Computes `fire_at_ns` of the tick that the settings describe.
uint64_t swivel__repeat_fire_at(swivel_loop *loop, swivel_node *node);

// kept.c
/// Arms a kept timer whose node is at hand, on the loop's own thread.
bool swivel__own_kept_arm_slow(swivel_loop *loop, uint32_t index, uint64_t fire_at_ns);

// now.c
/// The real time as the calling thread is told it: by the loop that it runs, else by the system. It
/// never goes back, whomever the thread asks. **Thread:** any.
uint64_t swivel__thread_now(void);
/// The time of the loop whose closure the calling thread runs, else the real time.
uint64_t swivel__current_now(void);
/// Whether the loop's time has come to `deadline_ns`, so that what waits for it may start at once.
/// What users are told is ahead by up to a microsecond: that is waited out, or it would be early.
/// **Thread:** any.
bool swivel__has_come(swivel_loop *loop, uint64_t deadline_ns);
/// The calling thread begins to run the loop, whose clock goes on from what the thread was told.
void swivel__clock_enter(swivel_loop *loop);
/// The calling thread has run the loop, and is what it was `before`, but for what it was told.
void swivel__clock_leave(swivel_loop *loop, swivel_thread before);

// timer.c and rearm.c
/// A node for the calling thread, and back.
uint32_t swivel__node_take(swivel_loop *loop);
void swivel__node_put(swivel_loop *loop, uint32_t index);
/// Moves the timer to `deadline_ns`: at once on the loop's thread; elsewhere the deadline is left
/// for the loop, which takes it before it fires the timer. False: it is over, or the loop refuses.
bool swivel__rearm_at(swivel_timer timer, uint64_t deadline_ns);
/// Leaves a deadline for the loop. **Thread:** any but the loop's in a turn.
bool swivel__leave_deadline(swivel_timer timer, uint64_t deadline_ns);
/// Tells the loop to look at a node in whose state the caller has set `SWIVEL_TOLD`.
int swivel__tell(swivel_timer timer, uint64_t instant_ns);
/// Moves a timer of this generation that the loop has taken over; `fire_at_ns` has no leeway in it.
/// What other threads have left is void. False: it is over, or its only run is under way.
bool swivel__apply_rearm(swivel_loop *loop, uint32_t index, uint32_t generation,
                         uint64_t fire_at_ns);
/// Does what other threads ask of a timer by now: files it anew, or takes a disarmed one out. `told`
/// is `SWIVEL_TOLD` if a message brought the loop here, else 0.
void swivel__follow(swivel_loop *loop, uint32_t index, swivel_node *node, uint64_t told);
/// For a timer whose instant has come and whose claim has failed. False: it was cancelled, or was
/// filed anew for a later deadline.
bool swivel__stays_due(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Takes the deadline that was left last, once `SWIVEL_MOVED` is cleared, as the node's. False: it
/// was taken before.
bool swivel__take_wanted(swivel_loop *loop, uint32_t index, swivel_node *node,
                         uint64_t *fire_at_ns);
/// Tells other threads by when the loop will look at the node, which is filed.
void swivel__show_filed(swivel_loop *loop, uint32_t index, swivel_node *node);
/// Why a node is over, in the message that says so.
enum {
    SWIVEL_RAN,
    SWIVEL_WAS_STOPPED, ///< A repeat that was cancelled while it was under way.
    SWIVEL_WAS_ARMED,
    SWIVEL_WAS_HANDED,
    SWIVEL_WAS_KEPT,
    SWIVEL_WAS_LEFT, ///< All is done but to free the node.
};
/// What such a message counts as, if anything. (A kept timer is not counted while it changes.)
static inline bool swivel__is_tallied(uint64_t why, swivel_tallied *what)
{
    *what = why == SWIVEL_RAN ? SWIVEL_TALLY_ENDS : SWIVEL_TALLY_CANCELS;
    return why != SWIVEL_WAS_KEPT && why != SWIVEL_WAS_LEFT;
}
/// Tells the loop to reclaim a node that another thread has finished with.
void swivel__send_reclaim(swivel_loop *loop, uint32_t index, uint32_t generation, uint64_t why);

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

// loop_thread.c
/// Starts the loop's thread. Returns `SWIVEL_OK` or a negative errno.
int swivel__thread_start(swivel_loop *loop);
/// Waits until the loop has closed and its thread has ended.
void swivel__thread_wait(swivel_loop *loop);
/// Starts a detached thread. Returns `SWIVEL_OK` or a negative errno.
int swivel_thread_spawn(const char *name, void (*run)(void *SWIVEL_NULLABLE argument),
                        void *SWIVEL_NULLABLE argument);
/// Has the program stopped if the calling thread, or one that does the same, ends inside a closure.
void swivel__thread_watch_closures(void);
/// Starts a thread with the process's signals blocked. Returns `SWIVEL_OK` or a negative errno.
int swivel__thread_begin(pthread_t *thread, void *SWIVEL_NULLABLE (*SWIVEL_NONNULL run)(void *),
                         void *argument);
/// Gives the calling thread the name, the processor and the timer slack of the configuration, as far
/// as the system lets it have them.
void swivel__thread_configure(const swivel_config *config);
/// A word that a thread keeps for whoever started it.
void *SWIVEL_NULLABLE swivel_thread_tag(void);
void swivel_thread_set_tag(void *SWIVEL_NULLABLE tag);
/// The lowest address that a pump may reach on the calling thread's stack.
uintptr_t swivel__stack_low(void);

// loop.c
/// As `swivel_loop_pump`; asks `done` again after `look_ns` of real time even though nothing has
/// happened. 0: only when something has.
int swivel__loop_pump(swivel_loop *loop, bool (*done)(void *SWIVEL_NULLABLE argument),
                      void *SWIVEL_NULLABLE argument, uint64_t deadline_ns, uint64_t look_ns);
/// Runs turns and parks until the loop is stopped or asked to close.
void swivel__loop_drive(swivel_loop *loop);

// shutdown.c
/// Cancels a timer that has not started, and counts it in the report. (A node whose arm message was
/// refused still belongs to the thread that tried.) **Thread:** the loop's.
void swivel__cancel_node(swivel_loop *loop, uint32_t index, swivel_node *node);
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
    uint64_t seen = swivel__thread.own == loop ? swivel__tally_seen(&loop->tally, loop->armed)
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

/// The instant at which a kept timer is filed: one that has passed by this turn goes behind what is
/// due in it.
static inline uint64_t swivel__behind_due(const swivel_loop *loop, uint64_t fire_at_ns)
{
    uint64_t turn_ns = SWIVEL_SETTING(&loop->turn_ns);
    return fire_at_ns < turn_ns ? turn_ns : fire_at_ns;
}

/// The state of the handle's timer; 0, a free node's, if the handle is stale.
static inline uint64_t swivel__state_of(swivel_timer timer)
{
    swivel_node *node =
        timer.loop == NULL ? NULL : swivel__slab_find(&timer.loop->wheel.slab, timer.index);
    uint64_t state = node == NULL ? 0 : SWIVEL_LOAD(&node->state, acquire);
    return swivel__generation(state) == timer.generation ? state : 0;
}

/// Whether a message is for the life that the node has now. One that is stale was overtaken by a
/// cancel on the loop's own thread. A node that was left to its last mover waits for that one only.
static inline bool swivel__is_meant(uint64_t state, swivel_entry message)
{
    uint32_t generation = (uint32_t)(message.first >> 32) & SWIVEL_GENERATION_MAX;
    return swivel__generation(state) == generation &&
           (!(state & SWIVEL_LEFT) || message.second == SWIVEL_WAS_LEFT);
}

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
    if (instant_ns == SWIVEL_INSTANT_NOW && swivel__thread.current != NULL) {
        swivel__thread.current->expects_reply = true;
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

#endif
