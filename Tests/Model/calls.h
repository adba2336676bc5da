// SPDX-License-Identifier: Apache-2.0
// Moves of one timer from several threads. Every call is noted with when it began and ended. A timer
// that runs must have been asked to, by a call that no later one has replaced, and at that call's
// instant: neither early, nor late, nor lost.
#ifndef SWIVEL_MODEL_CALLS_H
#define SWIVEL_MODEL_CALLS_H

#include "stub.h"

#include <string.h>

#define CALLS_MAX 8

/// The request of a call: an instant, or one of these.
enum { NOTHING = 0, DISARM = 1 };

typedef struct call {
    uint64_t wants;
    uint64_t due_ns;  ///< When the timer then runs: at once, if what it wants has come.
    int began, ended; ///< Order; `ended` is 0 while it is under way.
    bool moved;       ///< Its result: true also while it is under way.
} call;

static call calls[CALLS_MAX];
static int call_count, order;

static inline call *begin(uint64_t wants)
{
    call *call = &calls[call_count++];
    EXPLORER_CHECK(call_count <= CALLS_MAX);
    call->wants = wants;
    call->due_ns = wants < stub_now ? stub_now : wants;
    call->moved = true;
    call->ended = 0;
    call->began = ++order;
    return call;
}

static inline void end(call *call, bool moved)
{
    call->ended = ++order;
    call->moved = moved;
}

/// Whether a call that has ended began after this one had ended.
static inline bool is_replaced(const call *call)
{
    for (int i = 0; i < call_count; i++) {
        if (calls[i].moved && calls[i].ended != 0 && call->ended != 0 &&
            calls[i].began > call->ended) {
            return true;
        }
    }
    return false;
}

static stub_work work, second;
static swivel_timer timer, other;
static uint64_t armed_ns; ///< The instant that a one-shot is armed for.
static bool is_reusable, is_cancelled;

/// The timer runs now, on its own or because a call under way has just asked for it.
static inline void on_run(void)
{
    bool explained = false;
    for (int i = 0; i < call_count; i++) {
        explained |= calls[i].wants > DISARM && calls[i].wants <= stub_now && calls[i].moved &&
                     !is_replaced(&calls[i]);
    }
    EXPLORER_CHECK(explained);
}

/// All calls have ended and nothing is pending: the last one was heard.
static inline void check_last(void)
{
    bool may_run = false, may_not = false, in_time = false;
    for (int i = 0; i < call_count; i++) {
        if (calls[i].moved && !is_replaced(&calls[i])) {
            may_run |= calls[i].wants > DISARM;
            may_not |= calls[i].wants == DISARM;
            in_time |= calls[i].wants > DISARM && work.began_ns == calls[i].due_ns;
        }
    }
    EXPLORER_CHECK(may_not || is_cancelled || (may_run && in_time));
}

static inline void move(uint64_t instant_ns)
{
    call *call = begin(instant_ns);
    end(call, is_reusable ? swivel_reusable_arm(timer, instant_ns, 0) : swivel__rearm_at(timer, instant_ns));
    EXPLORER_CHECK(!is_reusable || call->moved);
}

static inline void disarm(void)
{
    call *call = begin(DISARM);
    // A closure that is under way has been asked for.
    swivel_reusable_disarm(timer);
    end(call, true);
}

static inline void cancel(void)
{
    swivel_work words;
    is_cancelled = swivel__cancel(timer, &words) == SWIVEL_CANCELLED;
    if (is_cancelled) {
        EXPLORER_CHECK(work.ran == 0);
        work.released += 1;
    }
}

/// A post in which the loop itself cancels, disarms or moves its timer.
static stub_work own;

static inline void post_own(void (*body)(void))
{
    memset(&own, 0, sizeof own);
    own.body = body;
    swivel_post(stub_loop, stub_words(&own));
}

static inline void move_in_closure(void)
{
    move(350);
}

static inline void disarm_and_move_in_closure(void)
{
    disarm();
    move(350);
}

static inline void arm(void)
{
    if (is_reusable) {
        timer = swivel_reusable_create(stub_loop, stub_words(&work));
        move(200);
    } else {
        end(begin(armed_ns), true);
        timer = swivel_schedule_at(stub_loop, armed_ns, 0, stub_words(&work));
    }
}

static inline void clear(void)
{
    memset(&work, 0, sizeof work);
    memset(&second, 0, sizeof second);
    work.body = on_run;
    other = (swivel_timer){NULL, 0, 0};
    is_cancelled = false;
    armed_ns = 200;
    call_count = order = 0;
    stub_open();
}

/// Its instant has come: the loop is about to fire.
static inline void reset_due(void)
{
    is_reusable = false;
    clear();
    stub_on_loop(arm);
    stub_now = 200;
}

static inline void reset_reusable_due(void)
{
    is_reusable = true;
    clear();
    stub_on_loop(arm);
    stub_now = 200;
}

static inline void reset_reusable_idle(void)
{
    reset_reusable_due();
    stub_on_loop(NULL);
}

static inline void reset_own_rearm(void)
{
    reset_reusable_idle();
    post_own(disarm_and_move_in_closure);
}

/// Filed, and its instant shown: a later one needs no message.
static inline void reset_filed(void)
{
    is_reusable = false;
    clear();
    stub_on_loop(arm);
    move(190);
    stub_on_loop(NULL);
    uint64_t state = atomic_load(&swivel__slab_node(&stub_loop->wheel.slab, timer.index)->state);
    EXPLORER_CHECK(state & SWIVEL_FILED);
}

/// The same, and its instant has come.
static inline void reset_filed_due(void)
{
    reset_filed();
    stub_now = 190;
}

/// Its arm message is still in the inbox.
static inline void reset_queued(void)
{
    is_reusable = false;
    clear();
    arm();
}

/// The loop may sleep for longer than what the timer is moved to.
static inline void reset_far(void)
{
    is_reusable = false;
    clear();
    armed_ns = 500;
    stub_on_loop(arm);
}

static inline void arm_other(void)
{
    other = swivel_schedule_at(stub_loop, 400, 0, stub_words(&second));
}

/// The loop may sleep until another timer, while the arm message is in the inbox.
static inline void reset_none(void)
{
    is_reusable = false;
    clear();
    armed_ns = 500;
    stub_on_loop(arm_other);
}

static inline void check(void)
{
    check_last();
    EXPLORER_CHECK(swivel__pending_timers(stub_loop) == 0);
    if (is_reusable) {
        EXPLORER_CHECK(work.ticks <= call_count);
        EXPLORER_CHECK(work.released == 0 && !swivel_reusable_is_armed(timer));
        swivel_reusable_free(timer);
        stub_on_loop(NULL);
    } else {
        EXPLORER_CHECK(work.ran + is_cancelled == 1);
    }
    EXPLORER_CHECK(work.released == 1);
    EXPLORER_CHECK(stub_loop->wheel.slab.live == 0);
    stub_close();
}

static inline void two_moves(int thread)
{
    if (thread == 0) {
        stub_drive();
    } else {
        move(thread == 1 ? 300 : 250);
    }
}

#endif
