// SPDX-License-Identifier: Apache-2.0
/// A slab by itself, for the thread that plays the loop and for others.
#ifndef SWIVEL_TEST_SLAB_FIXTURE_H
#define SWIVEL_TEST_SLAB_FIXTURE_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_slab_fixture swivel_slab_fixture;

swivel_slab_fixture *swivel_slab_fixture_make(void);
void swivel_slab_fixture_free(swivel_slab_fixture *fixture);

uint32_t swivel_slab_fixture_alloc(swivel_slab_fixture *fixture);
void swivel_slab_fixture_release(swivel_slab_fixture *fixture, uint32_t index);

/// Draws a batch into `indices` (room for 32). Returns how many there were.
uint32_t swivel_slab_fixture_draw(swivel_slab_fixture *fixture, uint32_t *indices);
/// Puts `count` nodes back as a thread that ends does.
void swivel_slab_fixture_undraw(swivel_slab_fixture *fixture, const uint32_t *indices,
                                uint32_t count);
/// Counts `count` drawn nodes as the loop's, as it does when it takes their timers over.
void swivel_slab_fixture_take_over(swivel_slab_fixture *fixture, uint32_t count);
/// Has steps take nodes back from other threads.
void swivel_slab_fixture_end_burst(swivel_slab_fixture *fixture);
/// Gives something back, in one step. False: there is nothing.
bool swivel_slab_fixture_give(swivel_slab_fixture *fixture);
/// Ends the slab's life and begins the next one.
void swivel_slab_fixture_reset(swivel_slab_fixture *fixture);
/// Ends the slab's life, as a loop that has closed.
void swivel_slab_fixture_close(swivel_slab_fixture *fixture);

uint32_t swivel_slab_fixture_generation(const swivel_slab_fixture *fixture, uint32_t index);
void swivel_slab_fixture_set_generation(swivel_slab_fixture *fixture, uint32_t index,
                                        uint32_t generation);
/// The node's whole state word, as a stale handle reads it.
uint64_t swivel_slab_fixture_state(const swivel_slab_fixture *fixture, uint32_t index);
/// Pretends that all but the last chunk were used up.
void swivel_slab_fixture_use_up(swivel_slab_fixture *fixture);

uint64_t swivel_slab_fixture_live(const swivel_slab_fixture *fixture);
/// Pages of the chunk that memory stands behind.
uint32_t swivel_slab_fixture_resident_pages(const swivel_slab_fixture *fixture, uint32_t chunk);
/// The same of what other threads want of the chunk's timers.
uint32_t swivel_slab_fixture_resident_moves(const swivel_slab_fixture *fixture, uint32_t chunk);
/// Leaves a deadline for a node's timer, as another thread does.
void swivel_slab_fixture_want(swivel_slab_fixture *fixture, uint32_t index, uint64_t wanted_ns);
/// Makes a node that is over, and that `rearms` threads are moving.
void swivel_slab_fixture_set_rearms(swivel_slab_fixture *fixture, uint32_t index, uint32_t rearms);

SWIVEL_ASSUME_NONNULL_END

#endif
