// SPDX-License-Identifier: Apache-2.0
// The loop's record: everything that belongs to one loop, grouped by who may touch it. Its parts
// come from all folders: a header that it includes never includes it.
#ifndef SWIVEL_INTERNAL_LOOP_H
#define SWIVEL_INTERNAL_LOOP_H

#include "../swivel.h"
#include "thread/clock.h"
#include "thread/lock.h"
#include "thread/thread.h"
#include "queue/ring.h"
#include "queue/wake.h"
#include "wheel/wheel.h"
#include "timer/counter.h"
#include "park/latch.h"
#include "park/source.h"
#include "park/pace.h"
#include "park/watcher.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef SWIVEL_ATOMIC(uint64_t) swivel_count;

struct swivel_park;

struct swivel_loop {
    // Read with each entry that a thread sends: on cache lines that are hardly ever written.
    _Alignas(64) swivel_hooks hooks;
    uint32_t id; ///< Fixed for the record's life.
    /// The number of the record's loop; changes under the records' lock.
    SWIVEL_ATOMIC(uint32_t) epoch;
    swivel_notify_function *notify; ///< Writes to the wake-up fd; fixed for the record's life.
    /// Whose posts the gate is for: the thread that drove the loop last. `NULL` for a loop's own.
    SWIVEL_ATOMIC(const struct swivel_thread *) drove;
    /// `SWIVEL_OK`, or why nothing is accepted: the loop ends then. Changes under the lock.
    SWIVEL_ATOMIC(int) refusal;
    bool counts_posts; ///< There is a limit or a mark, or posts are diverted. Fixed.
    bool is_listener;  ///< It is among those that the signal handler checks.
    swivel_loop *SWIVEL_NULLABLE next_listener; ///< Fixed from then on.
    bool is_free;   ///< No loop has the record. Guarded by the records' lock.
    int pin_status; ///< See `swivel__pin_status`; fixed before its creator returns.
    char name[16];  ///< The thread's; the kernel's limit.
    swivel_config config;

    // The loop's thread only. (A loop has a thread while a turn runs or it is parked.) From `local`
    // to `lateness`, a new loop of the record begins with zeroes.
    _Alignas(64) swivel_wheel wheel;
    swivel_clock clock;
    swivel_ring local;
    swivel_surplus *SWIVEL_NULLABLE surplus; ///< Memory that an idle loop gives back.
    /// Runs another thread's post, and returns whether it leaves memory to free; or `NULL`.
    bool (*SWIVEL_NULLABLE run_posted)(swivel_work *work);
    uint64_t numbers_end;   ///< The end of the numbers that its thread has taken; see timer.h.
    uint64_t adopted_early; ///< Timers that it adopted before their arm messages have come.
    uint32_t depth;         ///< Turns on the stack: 1 in a turn, more in pumps.
    uint32_t jobs;          ///< Jobs on the stack.
    swivel_pace pace;       ///< Its experience with parks.
    swivel_spin spin;       ///< The same with spinning before them.
    struct swivel_park *SWIVEL_NULLABLE park;
    const swivel_source *SWIVEL_NULLABLE source; ///< The source of the current drive.
    swivel_watchers watchers;
    uint64_t gate;      ///< Own posts wait until the inbox has been drained to this number.
    uint64_t left_over; ///< Own posts before this number come before the inbox beyond the gate.
    uint64_t settled;   ///< `sent` when gate and `left_over` were set.
    swivel_mono served; ///< When the poller was served last.
    swivel_mono woke;   ///< When the last park ended.
    bool draining;      ///< Repeats are refused.
    bool refuses_own;   ///< Posts of its own are refused at once.
    // Written by the loop's thread, read by any: plain stores, relaxed.
    swivel_count turn_ns;
    swivel_count running;  ///< The first word of the running work; 0: none. For a watchdog.
    swivel_count awake_ns; ///< When it was last seen awake between two turns, on the real clock.
    swivel_count turns, posts, wakes, parks, fired, missed;
    swivel_stopwatch life; ///< Runs from the first drive to the end.
    swivel_stopwatch busy; ///< Runs while it is driven and does not sleep.
    swivel_count cancelled; ///< On the loop's own thread; the counter has the others.
    swivel_count pending;   ///< Timers that will fire (again), but for what the counter has.
    swivel_count lateness[SWIVEL_LATENESS_BUCKETS];

    // Any thread.
    swivel_inbox inbox;
    swivel_wake wake;
    _Alignas(64) swivel_count refused;
    swivel_count waiting_posts; ///< Kept if `counts_posts`.
    swivel_count room_mark;     ///< `has_room` is called below this number of waiting posts.
    swivel_count sent;          ///< The number behind the last entry that this thread has sent.
    swivel_counter counter;
    SWIVEL_ATOMIC(bool) has_timeless; ///< A timer was made for which virtual time does not move.
    SWIVEL_ATOMIC(bool) is_high;      ///< `high_water` was called.
    /// It is not driven, and its host has to be woken. Written by the thread that drives, before it
    /// parks the loop: a thread that notifies it has seen that.
    SWIVEL_ATOMIC(bool) rests;
    SWIVEL_ATOMIC(bool) stop;
    SWIVEL_ATOMIC(bool) woken; ///< By `swivel_loop_wake`, since a wait for work last began.
    SWIVEL_ATOMIC(bool) has_signal;      ///< A signal has come since it last looked.
    SWIVEL_ATOMIC(bool) source_is_ready; ///< The next turn serves the source.
    SWIVEL_ATOMIC(uint32_t) signals;     ///< Its watchers of signals; the loop's thread writes it.
    /// The thread that drives or closes the loop: it must not wait for its end.
    SWIVEL_ATOMIC(const struct swivel_thread *) driver;

    swivel_latch closed; ///< The loop has closed. Opens under the lock.
    swivel_lock lock;    ///< Guards the fields below.
    swivel_shutdown_mode mode;
    swivel_mono until;   ///< The end of a drain.
    uint64_t until_ns;   ///< The same of a manual loop, in its time.
    uint64_t ran_before; ///< Closures that had run when shutdown was asked for.
    swivel_report report;
    pthread_t thread;
    bool has_thread, joined, driven;
    bool dead; ///< Inherited through a fork.
};

/// Whether own posts wait, or events of what it watches. **Thread:** the loop's.
static inline bool swivel__has_own_work(const swivel_loop *loop)
{
    return loop->local.head != loop->local.tail || loop->watchers.first_queued != NULL;
}

/// Whether the thread may touch the loop's wheel: in one of its turns, if it accepts work.
static inline bool swivel__is_own(swivel_loop *loop)
{
    return SWIVEL_LIKELY(swivel__thread.loops.own == loop);
}

/// As `swivel_loop_now`, inline inside of the loop's closures. **Thread:** any.
static inline uint64_t swivel__loop_now(swivel_loop *loop)
{
    bool is_current = swivel__thread.loops.current == loop;
    return SWIVEL_LIKELY(is_current) ? swivel__clock_ahead(&loop->clock) : swivel_loop_now(loop);
}

/// When the latest turn began, in the loop's time; 0: none. **Thread:** any; exact on the loop's.
static inline uint64_t swivel__turn_time(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->turn_ns, relaxed);
}

/// The turn's time on the loop's own thread, else 0.
static inline uint64_t swivel__own_turn_time(swivel_loop *loop)
{
    return SWIVEL_LIKELY(swivel__is_own(loop)) ? swivel__turn_time(loop) : 0;
}

/// The owner that was set last, at first that of the configuration. **Thread:** any.
static inline void *SWIVEL_NULLABLE swivel__owner(const swivel_loop *loop)
{
    return loop->config.owner;
}

/// Sets the owner, not retained. **Thread:** the creator's, before anything is posted; or the last.
static inline void swivel__set_owner(swivel_loop *loop, void *SWIVEL_NULLABLE owner)
{
    loop->config.owner = owner;
}

/// The name of the loop's thread. The text lives as long as the loop. **Thread:** any.
static inline const char *swivel__loop_name(const swivel_loop *loop)
{
    return loop->name;
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
