// SPDX-License-Identifier: Apache-2.0
// Where nodes come from: chunks of 4,096 that are mapped once and never unmapped, so that a stale
// handle always reads a valid state word. The loop's thread allocates and frees without a lock.
// Other threads draw batches of nodes; the loop repays as many as they took, under a lock that it
// only tries. See docs/design/memory.md.
#ifndef SWIVEL_INTERNAL_SLAB_H
#define SWIVEL_INTERNAL_SLAB_H

#include "../thread/lock.h"
#include "node.h"

SWIVEL_ASSUME_NONNULL_BEGIN

// pages.c: memory straight from the system, so that a burst's memory goes back when it is over.
/// Zeroed pages, backed when they are touched; `NULL` without memory. Leak checkers follow them.
void *SWIVEL_NULLABLE swivel__pages_map(size_t bytes);
/// Gives the memory behind the pages back; the address stays readable and reads zero.
void swivel__pages_return(void *pages, size_t bytes);
/// Gives memory and address back, in some 80 µs per megabyte.
void swivel__pages_unmap(void *pages, size_t bytes);

/// Memory from this size on comes in pages of its own; below, from the heap.
#define SWIVEL_PAGED_BYTES 65536

/// Makes memory of either kind larger, which may move it, without a copy of pages on Linux. `NULL`
/// without memory: nothing has changed.
void *SWIVEL_NULLABLE swivel__pages_grow(void *SWIVEL_NULLABLE memory, size_t bytes, size_t wanted);

/// Unused pages that go back in steps. This record lies in the first of them.
typedef struct swivel_surplus {
    struct swivel_surplus *SWIVEL_NULLABLE next;
    size_t bytes;
} swivel_surplus;

/// Frees memory that is smaller than `SWIVEL_PAGED_BYTES`; leaves pages to `swivel__pages_give`.
void swivel__pages_leave(swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list,
                         void *SWIVEL_NULLABLE memory, size_t bytes);
/// Gives some of the list back, with its addresses. False: it is empty.
bool swivel__pages_give(swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list);

// slab.c
#define SWIVEL_CHUNK_SHIFT 12
#define SWIVEL_CHUNK_NODES (1u << SWIVEL_CHUNK_SHIFT)
#define SWIVEL_CHUNK_MASK (SWIVEL_CHUNK_NODES - 1)
/// Address space of a chunk. The `swivel_move`s lie behind the nodes.
#define SWIVEL_CHUNK_BYTES ((sizeof(swivel_node) + sizeof(swivel_move)) * SWIVEL_CHUNK_NODES)
/// 2^27 nodes a loop: an index fits the 28 bits that a message has for it.
#define SWIVEL_CHUNKS_MAX (1u << 15)
#define SWIVEL_BATCH 32u
#define SWIVEL_DEPOT_BATCHES_MAX 64u

typedef struct swivel_chunk {
    swivel_node *SWIVEL_NULLABLE nodes; ///< Set before an index of the chunk is handed out.
    uint32_t carved;     ///< Nodes handed out so far; guarded by its carver.
    uint32_t generation; ///< Of nodes that are carved now; guarded by `lock` while listed.
    // Loop thread.
    uint32_t free_head, free_count;
    uint32_t next, prev;       ///< Chunks with free nodes; 1-based.
    uint32_t reclassify_after; ///< With more free nodes it goes to another list; 0: it is on none.
} swivel_chunk;

typedef struct swivel_slab {
    // Loop thread.
    swivel_chunk *chunks;
    uint32_t list;                    ///< First chunk with free nodes, 1-based.
    uint32_t current;                 ///< Chunk that is carved for the loop, 1-based.
    uint32_t emptied;                 ///< Empty chunks with pages; 1-based list by `next`.
    uint32_t owed;                    ///< Nodes that other threads took and get back.
    uint32_t batch_head, batch_count; ///< The batch being filled for other threads.
    uint64_t live, peak; ///< Nodes in use, and how many were since others' nodes were taken back.

    // Guarded by `lock`.
    swivel_lock lock;
    bool closed;                   ///< Nothing is handed to other threads, or taken back.
    uint32_t depot, depot_batches; ///< Batches, linked by the `prev` of their first nodes.
    uint32_t shared;               ///< Chunk that is carved for other threads, 1-based.
    uint32_t mapped;               ///< Chunks that have an address.
    uint32_t empty;                ///< Chunks without pages; 1-based list by `next`.
} swivel_slab;

/// Maps the chunk table. Returns `SWIVEL_OK` or a negative errno.
int swivel__slab_init(swivel_slab *slab);
/// Hands nodes out to other threads, from here to `swivel__slab_reset`.
void swivel__slab_open(swivel_slab *slab);
/// Returns all pages, and keeps addresses and generations for the record's next life. Nodes that
/// other threads still hold are void. **Thread:** the loop's at its end, when no node is in use.
void swivel__slab_reset(swivel_slab *slab);

// Cold paths of the functions below.
/// Makes free nodes. False without memory.
bool swivel__slab_refill(swivel_slab *slab);
/// Puts a chunk that was on no list, or is empty now, on the right one.
void swivel__slab_reclassify(swivel_slab *slab, uint32_t chunk);
/// Leaves the node to the last of the threads that are moving its timer, which sends a message.
/// False: there is none any more.
bool swivel__slab_postpone(swivel_node *node);
/// Adds a freed node to the batch for other threads. False: they have enough.
bool swivel__slab_repay(swivel_slab *slab, uint32_t index);
/// A batch of up to `SWIVEL_BATCH` nodes linked by `next`; nil without memory. **Thread:** any.
uint32_t swivel__slab_draw(swivel_slab *slab);
/// Takes back the rest of a batch, and `count` nodes that are linked to no others. **Thread:** any.
void swivel__slab_undraw(swivel_slab *slab, uint32_t rest, const uint32_t *single, uint32_t count);
/// A chunk's nodes, and how many were ever handed out; `NULL` behind the last. **Thread:** any.
swivel_node *SWIVEL_NULLABLE swivel__slab_carved(swivel_slab *slab, uint32_t number,
                                                 uint32_t *carved);
/// Gives the pages of a few empty chunks back; after a burst, also nodes that wait for other
/// threads. False: nothing is left to give. **Thread:** the loop's.
bool swivel__slab_give(swivel_slab *slab);

/// Whether there are pages to give back. One empty chunk keeps its pages for the next timers.
static inline bool swivel__slab_has_surplus(const swivel_slab *slab)
{
    return slab->emptied != 0 && slab->chunks[slab->emptied - 1].next != 0;
}

static inline swivel_node *swivel__slab_node(const swivel_slab *slab, uint32_t index)
{
    return &slab->chunks[index >> SWIVEL_CHUNK_SHIFT].nodes[index & SWIVEL_CHUNK_MASK];
}

/// The node's `swivel_move`, behind the nodes of its chunk.
static inline swivel_move *swivel__slab_move(const swivel_slab *slab, uint32_t index)
{
    swivel_node *nodes = slab->chunks[index >> SWIVEL_CHUNK_SHIFT].nodes;
    return (swivel_move *)(void *)(nodes + SWIVEL_CHUNK_NODES) + (index & SWIVEL_CHUNK_MASK);
}

/// A free node, whose state is its generation; `NULL` without memory. **Thread:** the loop's.
static inline swivel_node *SWIVEL_NULLABLE swivel__slab_alloc(swivel_slab *slab, uint32_t *index)
{
    if (SWIVEL_UNLIKELY(slab->list == 0) && !swivel__slab_refill(slab)) {
        return NULL;
    }
    swivel_chunk *chunk = &slab->chunks[slab->list - 1];
    *index = chunk->free_head;
    swivel_node *node = &chunk->nodes[*index & SWIVEL_CHUNK_MASK];
    chunk->free_head = node->next;
    slab->live += 1;
    if (SWIVEL_UNLIKELY(--chunk->free_count == 0)) {
        slab->list = chunk->next;
        if (chunk->next != 0) {
            slab->chunks[chunk->next - 1].prev = 0;
        }
        chunk->reclassify_after = 0;
    }
    return node;
}

/// Puts a free node on its chunk's list. **Thread:** the loop's.
static inline void swivel__slab_give_back(swivel_slab *slab, uint32_t index, swivel_node *node)
{
    uint32_t number = index >> SWIVEL_CHUNK_SHIFT;
    swivel_chunk *chunk = &slab->chunks[number];
    node->next = chunk->free_head;
    chunk->free_head = index;
    if (SWIVEL_UNLIKELY(chunk->free_count++ == chunk->reclassify_after)) {
        swivel__slab_reclassify(slab, number);
    }
}

/// Takes a node back whose state is free already, of this generation. **Thread:** the loop's.
static inline void swivel__slab_take_back(swivel_slab *slab, uint32_t index, swivel_node *node,
                                          uint32_t generation)
{
    slab->live -= 1;
    if (SWIVEL_UNLIKELY(generation >= SWIVEL_GENERATION_MAX)) {
        return; // Retired: one more life could meet a handle of its first.
    }
    if (SWIVEL_LIKELY(slab->owed == 0) || !swivel__slab_repay(slab, index)) {
        swivel__slab_give_back(slab, index, node);
    }
}

/// Ends a node's life: its handles are stale from here on. A node that other threads are moving is
/// over, and its life ends with the last of them. **Thread:** the loop's.
static inline void swivel__slab_free(swivel_slab *slab, uint32_t index, swivel_node *node)
{
    // Acquire: the last re-arm's store comes before any store of the node's next life.
    uint64_t state = SWIVEL_LOAD(&node->state, acquire);
    if (SWIVEL_UNLIKELY(state & SWIVEL_REARMS_MASK) && swivel__slab_postpone(node)) {
        return;
    }
    uint32_t generation = swivel__generation(state) + 1;
    SWIVEL_STORE(&node->state, (uint64_t)generation << SWIVEL_GENERATION_SHIFT, release);
    swivel__slab_take_back(slab, index, node, generation);
}

SWIVEL_ASSUME_NONNULL_END

#endif
