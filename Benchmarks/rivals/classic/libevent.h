// SPDX-License-Identifier: Apache-2.0
// libevent behind the names that the work uses.
#ifndef CLASSIC_LIBRARY_H
#define CLASSIC_LIBRARY_H

#include <event2/event.h>
// For struct event itself: a timer is the caller's memory here, as with libev.
#include <event2/event_struct.h>
#include <event2/thread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct event_base loop;

/// The use that a loop is made for: by one thread, without locks and with the kernel's coarse clock;
/// by one thread, with a clock and a timerfd that know less than milliseconds; by several threads.
enum use { alone, precise, shared };

// A timer as C programmers write one: the caller's memory, a function and its data.
typedef struct timer {
    struct event event;
    void (*fire)(struct timer *timer);
    void *data;
} timer;

// A knock at the loop's door, from the loop's own thread or from another one.
typedef struct knock {
    struct event event;
    loop *loop;
    void (*answer)(struct knock *knock);
    void *data;
} knock;

/// With its locks, other threads may add and delete events.
enum { takes_threads = true };

static inline loop *loop_open(enum use use)
{
    struct event_config *config = event_config_new();
    if (config == NULL || evthread_use_pthreads() != 0) {
        abort();
    }
    if (use != shared) {
        (void)event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    }
    if (use == precise) {
        (void)event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
    }
    loop *loop = event_base_new_with_config(config);
    event_config_free(config);
    return loop;
}

static inline void loop_close(loop *loop) { event_base_free(loop); }

/// Runs until `loop_leave` is called, whether or not an event is left.
static inline void loop_run(loop *loop) { (void)event_base_loop(loop, EVLOOP_NO_EXIT_ON_EMPTY); }
static inline void loop_leave(loop *loop) { (void)event_base_loopbreak(loop); }

/// One turn that does not wait.
static inline void loop_turn(loop *loop) { (void)event_base_loop(loop, EVLOOP_NONBLOCK); }

/// Delays count from the loop's own time, which a long computation leaves behind.
static inline void loop_note_time(loop *loop) { (void)event_base_update_cache_time(loop); }

static inline void timer_due(evutil_socket_t none, short events, void *data)
{
    (void)none;
    (void)events;
    timer *due = data;
    due->fire(due);
}

static inline void timer_open(loop *loop, timer *timer, void (*fire)(struct timer *), void *data)
{
    (void)event_assign(&timer->event, loop, -1, 0, timer_due, timer);
    timer->fire = fire;
    timer->data = data;
}

static inline void timer_start(loop *loop, timer *timer, uint64_t delay_us)
{
    (void)loop;
    struct timeval delay = {(time_t)(delay_us / 1000000), (suseconds_t)(delay_us % 1000000)};
    (void)event_add(&timer->event, &delay);
}

static inline void timer_stop(loop *loop, timer *timer)
{
    (void)loop;
    (void)event_del(&timer->event);
}

/// Moves a timer that stands by, or starts it.
static inline void timer_move(loop *loop, timer *timer, uint64_t delay_us)
{
    timer_start(loop, timer, delay_us);
}

/// Whether it stands by. A timer that has fired does not.
static inline bool timer_stands(timer *timer)
{
    return event_pending(&timer->event, EV_TIMEOUT, NULL) != 0;
}

static inline void knocked(evutil_socket_t none, short events, void *data)
{
    (void)none;
    (void)events;
    knock *heard = data;
    heard->answer(heard);
}

static inline void knock_open(loop *loop, knock *knock, void (*answer)(struct knock *), void *data)
{
    (void)event_assign(&knock->event, loop, -1, EV_PERSIST, knocked, knock);
    knock->loop = loop;
    knock->answer = answer;
    knock->data = data;
}

static inline void knock_send(knock *knock) { event_active(&knock->event, EV_READ, 0); }

/// The answer is given in the loop's next turn.
static inline void knock_next(knock *knock) { knock_send(knock); }

static inline void knock_close(knock *knock) { (void)event_del(&knock->event); }

#endif
