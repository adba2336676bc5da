// SPDX-License-Identifier: Apache-2.0
// How a slab gives memory back: in steps while its loop lives, all of it at the end.
#include "../../include/internal/memory/pages.h"
#include "../../include/internal/memory/slab.h"

/// Nodes that one step gives back, which takes less than 100 µs.
#define SWIVEL_GIVEN_NODES 256

void swivel__slab_trim(swivel_slab *slab)
{
    slab->peak = slab->live;
    slab->owed = 0;
    slab->trimmed = slab->batch_head;
    slab->batch_head = SWIVEL_NIL;
    slab->batch_count = 0;
    swivel__lock(&slab->lock);
    slab->trimmed_batches = slab->depot;
    slab->depot = SWIVEL_NIL;
    slab->depot_batches = 0;
    swivel__unlock(&slab->lock);
}

bool swivel__slab_give(swivel_slab *slab)
{
    if (slab->emptied != 0) {
        swivel__slab_give_emptied(slab);
        return true;
    }
    uint32_t given = 0;
    for (; given < SWIVEL_GIVEN_NODES; given++) {
        if (slab->trimmed == SWIVEL_NIL && slab->trimmed_batches != SWIVEL_NIL) {
            slab->trimmed = slab->trimmed_batches;
            slab->trimmed_batches = swivel__slab_node(slab, slab->trimmed)->prev;
        }
        uint32_t index = slab->trimmed;
        if (index == SWIVEL_NIL) {
            break;
        }
        swivel_node *node = swivel__slab_node(slab, index);
        slab->trimmed = node->next;
        swivel__slab_give_back(slab, index, node);
    }
    return given > 0;
}

void swivel__slab_reset(swivel_slab *slab)
{
    swivel__lock(&slab->lock);
    slab->closed = true;
    slab->list = slab->current = slab->spare = slab->emptied = 0;
    slab->owed = slab->batch_head = slab->batch_count = 0;
    slab->live = slab->peak = slab->gave_at = 0;
    slab->trimmed = slab->trimmed_batches = SWIVEL_NIL;
    slab->depot = slab->depot_batches = slab->shared = slab->empty = 0;
    for (uint32_t number = slab->mapped; number > 0; number--) {
        slab->chunks[number - 1].settles_behind = 0;
        swivel__pages_return(slab->chunks[number - 1].nodes, SWIVEL_CHUNK_BYTES);
        swivel__slab_close_chunk(slab, number - 1);
    }
    swivel__unlock(&slab->lock);
}
