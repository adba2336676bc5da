// SPDX-License-Identifier: Apache-2.0
/// A foreign context in C: a queue with a thread of its own, or one that the test serves by hand.
#ifndef SWIVEL_TEST_FOREIGN_H
#define SWIVEL_TEST_FOREIGN_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_foreign swivel_foreign;

/// A queue. With `threaded`, a thread of its own begins, runs and ends what it is handed.
swivel_foreign *swivel_foreign_make(bool threaded);
/// Ends its thread, drops what it still holds, and frees it.
void swivel_foreign_free(swivel_foreign *queue);

/// Schedules a cell's work on the queue. `grid` as in `swivel_schedule_foreign`.
swivel_timer swivel_foreign_schedule(swivel_foreign *queue, swivel_loop *loop, uint64_t deadline_ns,
                                     uint64_t leeway_ns, const swivel_grid *SWIVEL_NULLABLE grid,
                                     swivel_work work);

/// Timers that wait in the queue.
uint32_t swivel_foreign_waiting(swivel_foreign *queue);
/// Begins, runs and ends the first one. False: none waits, or its timer was cancelled.
bool swivel_foreign_serve(swivel_foreign *queue);
/// The two halves of `swivel_foreign_serve`.
bool swivel_foreign_begin(swivel_foreign *queue);
void swivel_foreign_end(swivel_foreign *queue);
/// Drops the first one without beginning it. Returns whether its work came back, and releases it.
bool swivel_foreign_drop(swivel_foreign *queue);

/// Contexts that were moved into timers, and those that were released again.
uint64_t swivel_foreign_contexts(const swivel_foreign *queue);
uint64_t swivel_foreign_released(const swivel_foreign *queue);

/// The hooks of a loop that hands timers to such queues.
void swivel_foreign_hand_over(void *context, swivel_timer timer,
                              const swivel_tick *SWIVEL_NULLABLE tick);
void swivel_foreign_release(void *context);

SWIVEL_ASSUME_NONNULL_END

#endif
