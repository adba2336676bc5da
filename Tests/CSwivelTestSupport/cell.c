// SPDX-License-Identifier: Apache-2.0
#include "cells.h"

#include <stdlib.h>

swivel_cell *swivel_cells_make(size_t count)
{
    swivel_cell *cells = calloc(count, sizeof *cells);
    if (cells == NULL) {
        abort();
    }
    return cells;
}

void swivel_cells_free(swivel_cell *cells)
{
    free(cells);
}

swivel_cell *swivel_cell_make(swivel_cell_body *body, void *argument)
{
    swivel_cell *cell = swivel_cells_make(1);
    cell->body = body;
    cell->argument = argument;
    return cell;
}

void swivel_cell_set_body(swivel_cell *cell, swivel_cell_body *body, void *argument)
{
    cell->body = body;
    cell->argument = argument;
}

void swivel_cell_free(swivel_cell *cell)
{
    free(cell);
}

swivel_work swivel_cell_work(swivel_cell *cell)
{
    // The first word may be any that has its top bit clear and is not zero.
    swivel_work work = {1, (uintptr_t)cell};
    return work;
}

static void begin(swivel_cell *cell, const swivel_tick *tick)
{
    atomic_store(&cell->began_ns, swivel_now_ns());
    if (cell->body != NULL) {
        cell->body(cell->argument, tick);
    }
}

void swivel_cell_run(swivel_work *work)
{
    swivel_cell *cell = (swivel_cell *)work->context;
    begin(cell, NULL);
    atomic_fetch_add(&cell->released, 1);
    // Last: who sees it may free the cell.
    atomic_fetch_add(&cell->ran, 1);
}

void swivel_cell_tick(swivel_work *work, const swivel_tick *tick)
{
    swivel_cell *cell = (swivel_cell *)work->context;
    begin(cell, tick);
    atomic_fetch_add(&cell->ticks, 1);
}

void swivel_cell_release(swivel_work *work)
{
    atomic_fetch_add(&((swivel_cell *)work->context)->released, 1);
}

void swivel_cell_ended(swivel_timer timer)
{
    (void)timer;
}

void swivel_cell_closed(void *owner)
{
    (void)owner;
}

const swivel_hooks *swivel_cell_hooks(void)
{
    static const swivel_hooks hooks = {
        swivel_cell_run,   swivel_cell_tick,   swivel_cell_release,
        swivel_cell_ended, swivel_cell_closed,
    };
    return &hooks;
}

uint32_t swivel_cell_ran(const swivel_cell *cell)
{
    return atomic_load(&cell->ran);
}

uint32_t swivel_cell_ticks(const swivel_cell *cell)
{
    return atomic_load(&cell->ticks);
}

uint32_t swivel_cell_released(const swivel_cell *cell)
{
    return atomic_load(&cell->released);
}

uint64_t swivel_cell_began_ns(const swivel_cell *cell)
{
    return atomic_load(&cell->began_ns);
}
