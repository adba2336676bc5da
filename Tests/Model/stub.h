// SPDX-License-Identifier: Apache-2.0
// The ground for a loop of the production sources in a model: a clock that moves when no thread can
// go on, a poller that waits in the explorer, locks that the explorer knows. All the rest is real.
#ifndef SWIVEL_MODEL_STUB_H
#define SWIVEL_MODEL_STUB_H

#include "explorer.h"
#include "internal/drive/drive.h"
#include "internal/timer/hot.h"
#include "internal/park/park.h"
#include "internal/turn/turn.h"

/// Work that counts what happens to it.
typedef struct stub_work {
    int ran, ticks, released;
    uint64_t began_ns; ///< When it last began.
    void (*body)(void);
} stub_work;

/// The loop of this execution, and the instant.
extern swivel_loop *stub_loop;
extern uint64_t stub_now;
/// Nothing will happen any more: the loop's thread ends.
extern bool stub_ending;
/// Called when the loop is parked and no thread can continue, before time moves: what must hold of a
/// loop that sleeps. May be `NULL`.
extern void (*stub_asleep)(uint64_t until_ns);
/// How often the loop was notified, and how often the loop declared that it sleeps.
extern int stub_rings, stub_sleeps;
/// Takes what a loop that watches anything has heard, before it parks and when its drive has ended.
/// Returns whether there was something. `NULL`: there never is.
extern bool (*stub_serve)(void);
/// Whether it was notified since the poller was served: the loop's driver is notified.
bool stub_has_rung(void);

/// Makes the loop. Thread 0 of the model is to drive it.
void stub_open(void);
/// Shuts it down, and checks that nothing is left behind.
void stub_close(void);

/// The loop takes no more than `limit` posts that wait; `has_room` and its argument are as in
/// `swivel_config`.
void stub_limit_posts(uint64_t limit, void (*has_room)(void *owner), void *owner);

/// Runs turns and parks until nothing will happen any more. For thread 0.
void stub_drive(void);
/// The model's `stuck`: time goes on, and when nothing waits for time, the end comes.
bool stub_stuck(void);
/// Time has gone on to `instant`, if it had not.
void stub_pass(uint64_t instant);
/// As `stub_stuck`, for models that end by themselves.
bool stub_time_goes_on(void);

/// The work's two words, and the work as new.
swivel_work stub_words(stub_work *work);
/// Runs `setup` as a closure of the loop would, before the threads start.
void stub_on_loop(void (*setup)(void));

/// Hooks for work whose first word is not 1, which is `stub_words`'; `NULL`: there is none.
extern const swivel_hooks *stub_closures;

#endif
