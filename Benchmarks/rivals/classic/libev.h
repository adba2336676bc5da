// SPDX-License-Identifier: Apache-2.0
// libev behind the names that the work uses.
#ifndef CLASSIC_LIBRARY_H
#define CLASSIC_LIBRARY_H

#include <ev.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ev_loop loop;

/// The use that a loop is made for. Here it makes no difference.
enum use { alone, precise, shared };

// A timer as C programmers write one: the caller's memory, a function and its data.
typedef struct timer {
    ev_timer watcher;
    void (*fire)(struct timer *timer);
    void *data;
} timer;

// A knock at the loop's door, from the loop's own thread or from another one.
typedef struct knock {
    ev_async watcher;
    loop *loop;
    void (*answer)(struct knock *knock);
    void *data;
} knock;

/// libev has no lock: the functions for timers are for the loop's own thread.
enum { takes_threads = false };

static inline loop *loop_open(enum use use)
{
    (void)use;
    return ev_loop_new(EVFLAG_AUTO);
}

static inline void loop_close(loop *loop) { ev_loop_destroy(loop); }

/// Runs until `loop_leave` is called, or nothing is left that could happen.
static inline void loop_run(loop *loop) { (void)ev_run(loop, 0); }
static inline void loop_leave(loop *loop) { ev_break(loop, EVBREAK_ONE); }

/// One turn that does not wait.
static inline void loop_turn(loop *loop) { (void)ev_run(loop, EVRUN_NOWAIT); }

/// Delays count from the loop's own time, which a long computation leaves behind.
static inline void loop_note_time(loop *loop) { ev_now_update(loop); }

static inline void timer_due(loop *loop, ev_timer *watcher, int events)
{
    (void)loop;
    (void)events;
    timer *due = (timer *)((char *)watcher - offsetof(timer, watcher));
    due->fire(due);
}

static inline void timer_open(loop *loop, timer *timer, void (*fire)(struct timer *), void *data)
{
    (void)loop;
    ev_init(&timer->watcher, timer_due);
    timer->fire = fire;
    timer->data = data;
}

static inline void timer_start(loop *loop, timer *timer, uint64_t delay_us)
{
    ev_timer_set(&timer->watcher, (double)delay_us * 1e-6, 0.);
    ev_timer_start(loop, &timer->watcher);
}

static inline void timer_stop(loop *loop, timer *timer) { ev_timer_stop(loop, &timer->watcher); }

/// Moves a timer that stands by, or starts it. It repeats until it is started again.
static inline void timer_move(loop *loop, timer *timer, uint64_t delay_us)
{
    timer->watcher.repeat = (double)delay_us * 1e-6;
    ev_timer_again(loop, &timer->watcher);
}

/// Whether it stands by. A timer that has fired does not.
static inline bool timer_stands(timer *timer) { return ev_is_active(&timer->watcher); }

static inline void knocked(loop *loop, ev_async *watcher, int events)
{
    (void)loop;
    (void)events;
    knock *heard = (knock *)((char *)watcher - offsetof(knock, watcher));
    heard->answer(heard);
}

static inline void knock_open(loop *loop, knock *knock, void (*answer)(struct knock *), void *data)
{
    ev_async_init(&knock->watcher, knocked);
    ev_async_start(loop, &knock->watcher);
    knock->loop = loop;
    knock->answer = answer;
    knock->data = data;
}

static inline void knock_send(knock *knock) { ev_async_send(knock->loop, &knock->watcher); }

/// The answer is given in the loop's next turn. On its own thread alone.
static inline void knock_next(knock *knock)
{
    ev_feed_event(knock->loop, &knock->watcher, EV_CUSTOM);
}

static inline void knock_close(knock *knock) { ev_async_stop(knock->loop, &knock->watcher); }

#endif
