// SPDX-License-Identifier: Apache-2.0
// The nodes of a slab that other threads take, in batches that the loop repays.
#include "../../include/internal/memory/slab.h"

uint32_t swivel__slab_pop_batch(swivel_slab *slab)
{
    uint32_t head = slab->depot;
    if (head != SWIVEL_NIL) {
        slab->depot = swivel__slab_node(slab, head)->prev;
        slab->depot_batches -= 1;
    }
    return head;
}

static void depot_push(swivel_slab *slab, uint32_t head)
{
    swivel__slab_node(slab, head)->prev = slab->depot;
    slab->depot = head;
    slab->depot_batches += 1;
}

void swivel__slab_undraw(swivel_slab *slab, uint32_t rest, const uint32_t *single, uint32_t count)
{
    swivel__lock(&slab->lock);
    if (!slab->closed) {
        uint32_t head = rest;
        for (uint32_t i = count; i > 0; i--) {
            swivel_node *node = swivel__slab_node(slab, single[i - 1]);
            node->next = head;
            head = single[i - 1];
        }
        depot_push(slab, head);
    }
    swivel__unlock(&slab->lock);
}

bool swivel__slab_repay(swivel_slab *slab, uint32_t index)
{
    if (slab->batch_count == SWIVEL_BATCH) {
        // The loop never waits here: a lock that is taken means that the batch goes out later.
        if (!swivel__try_lock(&slab->lock)) {
            return false;
        }
        bool room = slab->depot_batches < SWIVEL_DEPOT_BATCHES_MAX;
        if (room) {
            depot_push(slab, slab->batch_head);
            slab->batch_head = SWIVEL_NIL;
            slab->batch_count = 0;
        }
        swivel__unlock(&slab->lock);
        if (!room) {
            slab->owed = 0;
            return false;
        }
    }
    swivel_node *node = swivel__slab_node(slab, index);
    node->next = slab->batch_head;
    slab->batch_head = index;
    slab->batch_count += 1;
    slab->owed -= 1;
    return true;
}

uint32_t swivel__slab_take_batch(swivel_slab *slab)
{
    uint32_t head = slab->batch_head;
    slab->owed = slab->batch_head = slab->batch_count = 0;
    if (head == SWIVEL_NIL) {
        swivel__lock(&slab->lock);
        head = swivel__slab_pop_batch(slab);
        swivel__unlock(&slab->lock);
    }
    return head;
}
