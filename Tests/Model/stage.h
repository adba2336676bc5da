// SPDX-License-Identifier: Apache-2.0
// The ground for a loop of the production sources in a model: a clock that moves when no thread can
// go on, a poller that waits in the explorer, locks that the explorer knows. All the rest is real.
#ifndef SWIVEL_MODEL_STAGE_H
#define SWIVEL_MODEL_STAGE_H

#include "explorer.h"
#include "internal/drive/drive.h"
#include "internal/hot.h"
#include "internal/park/park.h"
#include "internal/turn/turn.h"

/// Work that counts what happens to it.
typedef struct stage_work {
    int ran, ticks, released;
    uint64_t began_ns; ///< When it last began.
    void (*body)(void);
} stage_work;

/// The loop of this execution, and the instant.
extern swivel_loop *stage_loop;
extern uint64_t stage_now;
/// Nothing will happen any more: the loop's thread ends.
extern bool stage_ending;
/// Called when the loop is parked and nobody else can go on, before time moves: what must hold of a
/// loop that sleeps. May be `NULL`.
extern void (*stage_asleep)(uint64_t until_ns);
/// How often the loop was notified, and how often the loop declared that it sleeps.
extern int stage_rings, stage_sleeps;
/// Takes what a loop that watches anything has heard, before it parks and when its drive has ended.
/// Returns whether there was something. `NULL`: there never is.
extern bool (*stage_serve)(void);
/// Whether it was notified since the poller was served: it is told of to whoever drives the loop.
bool stage_has_rung(void);

/// Makes the loop. Thread 0 of the model is to drive it.
void stage_open(void);
/// Shuts it down, and checks that nothing is left behind.
void stage_close(void);

/// The loop takes no more than `limit` posts that wait; `has_room` and its argument are as in
/// `swivel_config`.
void stage_limit_posts(uint64_t limit, void (*has_room)(void *owner), void *owner);

/// Runs turns and parks until nothing will happen any more. For thread 0.
void stage_drive(void);
/// The model's `stuck`: time goes on, and when nothing waits for time, the end comes.
bool stage_stuck(void);
/// Time has gone on to `instant`, if it had not.
void stage_pass(uint64_t instant);
/// As `stage_stuck`, for models that end by themselves.
bool stage_time_goes_on(void);

/// The work's two words, and the work as new.
swivel_work stage_words(stage_work *work);
/// Runs `setup` as a closure of the loop would, before the threads start.
void stage_on_loop(void (*setup)(void));

/// Hooks for work whose first word is not 1, which is `stage_words`'; `NULL`: there is none.
extern const swivel_hooks *stage_closures;

#endif
