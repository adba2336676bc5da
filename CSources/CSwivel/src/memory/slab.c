// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/memory/slab.h"

#include <errno.h>

/// Nodes carved at once for the loop; a page of them.
#define SWIVEL_CARVE 64u
/// Chunks (up to 50 µs each) and batches that one step gives back.
#define SWIVEL_GIVEN_CHUNKS 2
#define SWIVEL_GIVEN_BATCHES 8
/// A loop that has had more nodes in use takes unused ones back from other threads.
#define SWIVEL_BURST_NODES (4 * SWIVEL_CHUNK_NODES)

int swivel__slab_init(swivel_slab *slab)
{
    slab->chunks = swivel__pages_map(sizeof(swivel_chunk) * SWIVEL_CHUNKS_MAX);
    return slab->chunks == NULL ? -ENOMEM : SWIVEL_OK;
}

static void list_insert(swivel_slab *slab, uint32_t number)
{
    swivel_chunk *chunk = &slab->chunks[number];
    chunk->reclassify_after = SWIVEL_CHUNK_NODES - 1 - (number == 0); // Node 0 of the first is nil.
    chunk->prev = 0;
    chunk->next = slab->list;
    if (slab->list != 0) {
        slab->chunks[slab->list - 1].prev = number + 1;
    }
    slab->list = number + 1;
}

static void list_remove(swivel_slab *slab, uint32_t number)
{
    swivel_chunk *chunk = &slab->chunks[number];
    if (chunk->prev != 0) {
        slab->chunks[chunk->prev - 1].next = chunk->next;
    } else {
        slab->list = chunk->next;
    }
    if (chunk->next != 0) {
        slab->chunks[chunk->next - 1].prev = chunk->prev;
    }
    chunk->reclassify_after = 0;
}

/// A chunk with pages and nothing carved, 1-based; 0 without memory. Under the lock.
static uint32_t chunk_open(swivel_slab *slab)
{
    uint32_t opened = slab->empty;
    if (opened != 0) {
        slab->empty = slab->chunks[opened - 1].next;
        return opened;
    }
    swivel_chunk *chunk = &slab->chunks[slab->mapped];
    if (slab->mapped == SWIVEL_CHUNKS_MAX ||
        (chunk->nodes = swivel__pages_map(SWIVEL_CHUNK_BYTES)) == NULL) {
        return 0;
    }
    chunk->carved = slab->mapped == 0;
    chunk->generation = 1;
    return ++slab->mapped;
}

/// Carves up to `count` nodes off the chunk and links them by `next` before `tail`.
static uint32_t carve(swivel_slab *slab, uint32_t number, uint32_t count, uint32_t tail)
{
    swivel_chunk *chunk = &slab->chunks[number];
    uint64_t state = (uint64_t)chunk->generation << SWIVEL_GENERATION_SHIFT;
    for (uint32_t slot = chunk->carved + count; slot-- > chunk->carved;) {
        SWIVEL_STORE(&chunk->nodes[slot].state, state, relaxed);
        chunk->nodes[slot].next = tail;
        tail = (number << SWIVEL_CHUNK_SHIFT) | slot;
    }
    chunk->carved += count;
    return tail;
}

/// Removes a batch that waits for other threads; nil if there is none. Under the lock.
static uint32_t depot_pop(swivel_slab *slab)
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

uint32_t swivel__slab_draw(swivel_slab *slab)
{
    swivel__lock(&slab->lock);
    uint32_t head = depot_pop(slab);
    // A loop that has closed has no nodes: the caller is refused.
    if (head == SWIVEL_NIL && !slab->closed) {
        uint32_t shared = slab->shared;
        if (shared == 0 || SWIVEL_CHUNK_NODES - slab->chunks[shared - 1].carved < SWIVEL_BATCH) {
            slab->shared = shared = chunk_open(slab);
        }
        head = shared == 0 ? SWIVEL_NIL : carve(slab, shared - 1, SWIVEL_BATCH, SWIVEL_NIL);
    }
    swivel__unlock(&slab->lock);
    return head;
}

void swivel__slab_undraw(swivel_slab *slab, uint32_t rest, const uint32_t *single, uint32_t count)
{
    swivel__lock(&slab->lock);
    for (uint32_t i = count; i > 0 && !slab->closed; i--) {
        swivel__slab_node(slab, single[i - 1])->next = rest;
        rest = single[i - 1];
    }
    if (rest != SWIVEL_NIL && !slab->closed) {
        depot_push(slab, rest);
    }
    swivel__unlock(&slab->lock);
}

bool swivel__slab_repay(swivel_slab *slab, uint32_t index)
{
    if (slab->batch_count == SWIVEL_BATCH) {
        if (!swivel__try_lock(&slab->lock)) {
            return false; // The loop never waits here: the batch goes out later.
        }
        if (slab->depot_batches < SWIVEL_DEPOT_BATCHES_MAX) {
            depot_push(slab, slab->batch_head);
            slab->batch_head = slab->batch_count = 0;
        }
        swivel__unlock(&slab->lock);
        if (slab->batch_count != 0) {
            slab->owed = 0;
            return false;
        }
    }
    swivel__slab_node(slab, index)->next = slab->batch_head;
    slab->batch_head = index;
    slab->batch_count += 1;
    slab->owed -= 1;
    return true;
}

bool swivel__slab_refill(swivel_slab *slab)
{
    slab->peak = slab->peak < slab->live ? slab->live : slab->peak;
    if (slab->emptied != 0) {
        uint32_t number = slab->emptied - 1;
        slab->emptied = slab->chunks[number].next;
        list_insert(slab, number);
        return true;
    }
    if (slab->current == 0 || slab->chunks[slab->current - 1].carved == SWIVEL_CHUNK_NODES) {
        swivel__lock(&slab->lock);
        slab->current = chunk_open(slab);
        swivel__unlock(&slab->lock);
        if (slab->current == 0) {
            return false;
        }
    }
    uint32_t number = slab->current - 1;
    swivel_chunk *chunk = &slab->chunks[number];
    uint32_t count = SWIVEL_CHUNK_NODES - chunk->carved;
    count = count < SWIVEL_CARVE ? count : SWIVEL_CARVE;
    chunk->free_head = carve(slab, number, count, chunk->free_head);
    chunk->free_count += count;
    list_insert(slab, number);
    return true;
}

/// Returns the pages of a chunk that is on no list, and keeps the highest generation of its nodes.
static void return_pages(swivel_chunk *chunk)
{
    for (uint32_t slot = 0; slot < chunk->carved; slot++) {
        uint32_t generation = swivel__generation(SWIVEL_SETTING(&chunk->nodes[slot].state));
        chunk->generation = generation > chunk->generation ? generation : chunk->generation;
    }
    swivel__pages_return(chunk->nodes, SWIVEL_CHUNK_BYTES);
}

/// Makes a chunk without pages available unless its generations are nearly over. Under the lock.
static void close_chunk(swivel_slab *slab, uint32_t number)
{
    swivel_chunk *chunk = &slab->chunks[number];
    chunk->free_head = SWIVEL_NIL;
    chunk->free_count = 0;
    chunk->carved = number == 0;
    if (slab->shared == number + 1) {
        slab->shared = 0;
    }
    if (chunk->generation < SWIVEL_GENERATION_MAX - 1) {
        chunk->next = slab->empty;
        slab->empty = number + 1;
    }
}

void swivel__slab_reclassify(swivel_slab *slab, uint32_t number)
{
    swivel_chunk *chunk = &slab->chunks[number];
    if (chunk->reclassify_after == 0) {
        list_insert(slab, number);
    }
    if (chunk->free_count <= chunk->reclassify_after) {
        return;
    }
    list_remove(slab, number);
    if (slab->current == number + 1) {
        slab->current = 0;
    }
    chunk->next = slab->emptied;
    slab->emptied = number + 1;
}

bool swivel__slab_postpone(swivel_node *node)
{
    uint64_t state = SWIVEL_FETCH_OR(&node->state, (uint64_t)SWIVEL_OUTSTANDING, acq_rel);
    return (state & SWIVEL_REARMS_MASK) != 0;
}

swivel_node *swivel__slab_carved(swivel_slab *slab, uint32_t number, uint32_t *carved)
{
    swivel_node *nodes = NULL;
    swivel__lock(&slab->lock);
    if (number < slab->mapped) {
        nodes = slab->chunks[number].nodes;
        *carved = slab->chunks[number].carved;
    }
    swivel__unlock(&slab->lock);
    return nodes;
}

void swivel__slab_open(swivel_slab *slab)
{
    swivel__lock(&slab->lock);
    slab->closed = false;
    swivel__unlock(&slab->lock);
}

/// Takes a batch back that waits for other threads, full or not; nil: there is none.
static uint32_t take_batch(swivel_slab *slab)
{
    uint32_t head = slab->batch_head;
    slab->owed = slab->batch_head = slab->batch_count = 0;
    if (head == SWIVEL_NIL) {
        swivel__lock(&slab->lock);
        head = depot_pop(slab);
        swivel__unlock(&slab->lock);
    }
    return head;
}

bool swivel__slab_give(swivel_slab *slab)
{
    uint32_t given = 0;
    for (; given < SWIVEL_GIVEN_CHUNKS && swivel__slab_has_surplus(slab); given++) {
        uint32_t number = slab->emptied - 1;
        slab->emptied = slab->chunks[number].next;
        return_pages(&slab->chunks[number]);
        swivel__lock(&slab->lock);
        close_chunk(slab, number);
        swivel__unlock(&slab->lock);
    }
    bool is_over = given == 0 && slab->peak > SWIVEL_BURST_NODES && slab->live < slab->peak / 4;
    for (; is_over && given < SWIVEL_GIVEN_BATCHES; given++) {
        uint32_t index = take_batch(slab);
        if (index == SWIVEL_NIL) {
            slab->peak = slab->live;
            break;
        }
        for (uint32_t next; index != SWIVEL_NIL; index = next) {
            swivel_node *node = swivel__slab_node(slab, index);
            next = node->next;
            swivel__slab_give_back(slab, index, node);
        }
    }
    return given > 0;
}

void swivel__slab_reset(swivel_slab *slab)
{
    swivel__lock(&slab->lock);
    slab->closed = true;
    slab->list = slab->current = slab->emptied = 0;
    slab->live = slab->peak = 0;
    slab->owed = slab->batch_head = slab->batch_count = 0;
    slab->depot = slab->depot_batches = slab->shared = slab->empty = 0;
    for (uint32_t number = slab->mapped; number > 0; number--) {
        slab->chunks[number - 1].reclassify_after = 0;
        return_pages(&slab->chunks[number - 1]);
        close_chunk(slab, number - 1);
    }
    swivel__unlock(&slab->lock);
}
