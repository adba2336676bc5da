// SPDX-License-Identifier: Apache-2.0
/// Work that counts what happens to it: how often it ran, ticked and was released.
#ifndef SWIVEL_TEST_CELL_H
#define SWIVEL_TEST_CELL_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_cell swivel_cell;

/// The body of a cell, for a run or a tick. `tick` is `NULL` for a one-shot.
typedef void swivel_cell_body(void *SWIVEL_NULLABLE argument,
                              const swivel_tick *SWIVEL_NULLABLE tick);

swivel_cell *swivel_cell_make(swivel_cell_body *SWIVEL_NULLABLE body,
                              void *SWIVEL_NULLABLE argument);
void swivel_cell_set_body(swivel_cell *cell, swivel_cell_body *body,
                          void *SWIVEL_NULLABLE argument);
void swivel_cell_free(swivel_cell *cell);

/// Many cells in one piece, without a body.
swivel_cell *swivel_cells_make(size_t count);
void swivel_cells_free(swivel_cell *cells);

/// The work of a cell, for loops whose hooks are `swivel_cell_hooks`.
swivel_work swivel_cell_work(swivel_cell *cell);
/// Hooks that run, tick and release cells.
const swivel_hooks *swivel_cell_hooks(void);

uint32_t swivel_cell_ran(const swivel_cell *cell);
uint32_t swivel_cell_ticks(const swivel_cell *cell);
uint32_t swivel_cell_released(const swivel_cell *cell);
/// When it last began to run or tick.
uint64_t swivel_cell_began_ns(const swivel_cell *cell);

SWIVEL_ASSUME_NONNULL_END

#endif
