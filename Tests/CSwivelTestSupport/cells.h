// SPDX-License-Identifier: Apache-2.0
// Inside of a cell, for the drivers of this folder.
#ifndef SWIVEL_TEST_CELLS_H
#define SWIVEL_TEST_CELLS_H

#include "include/cell.h"

#include <stdatomic.h>

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_cell {
    _Atomic uint32_t ran, ticks, released;
    _Atomic uint64_t began_ns;
    swivel_cell_body *SWIVEL_NULLABLE body;
    void *SWIVEL_NULLABLE argument;
};

void swivel_cell_run(swivel_work *work);
void swivel_cell_tick(swivel_work *work, const swivel_tick *tick);
void swivel_cell_release(swivel_work *work);
void swivel_cell_ended(swivel_timer timer);
void swivel_cell_closed(void *SWIVEL_NULLABLE owner);

SWIVEL_ASSUME_NONNULL_END

#endif
