// SPDX-License-Identifier: Apache-2.0
// The heap of models, whose allocations run.sh has call these names. A block lies where it lay in
// all executions that came here in the same way: of the free blocks of its size it is the lowest.
#include "heap.h"
#include "explorer.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#define HEAP_BYTES (64u << 20)
#define GRAIN 64
#define SIZES_MAX 64
#define BLOCKS_MAX 256

typedef struct block_head {
    alignas(GRAIN) struct size *size;
    bool used;
} block_head;

/// The blocks of one size, as they were made.
typedef struct size {
    size_t bytes;
    int count;
    block_head *blocks[BLOCKS_MAX];
} size;

static alignas(4096) char heap[HEAP_BYTES];
static size_t taken;
static size sizes[SIZES_MAX];

static size *size_of(size_t bytes)
{
    int place = 0;
    while (sizes[place].bytes != bytes && sizes[place].bytes != 0) {
        place += 1;
        EXPLORER_CHECK(place < SIZES_MAX);
    }
    sizes[place].bytes = bytes;
    return &sizes[place];
}

void *heap_malloc(size_t bytes)
{
    size *size = size_of((bytes + GRAIN - 1) / GRAIN * GRAIN);
    int place = 0;
    while (place < size->count && size->blocks[place]->used) {
        place += 1;
    }
    if (place == size->count) {
        EXPLORER_CHECK(size->count < BLOCKS_MAX && taken + GRAIN + size->bytes <= HEAP_BYTES);
        block_head *made = (block_head *)(heap + taken);
        made->size = size;
        taken += sizeof *made + size->bytes;
        size->blocks[size->count++] = made;
    }
    block_head *block = size->blocks[place];
    block->used = true;
    return block + 1;
}

void *heap_calloc(size_t count, size_t bytes)
{
    return memset(heap_malloc(count * bytes), 0, count * bytes);
}

void heap_free(void *memory)
{
    if (memory != NULL) {
        block_head *block = (block_head *)memory - 1;
        EXPLORER_CHECK(block->used);
        block->used = false;
    }
}

void *heap_realloc(void *memory, size_t bytes)
{
    void *moved = heap_malloc(bytes);
    if (memory != NULL) {
        size_t before = ((block_head *)memory - 1)->size->bytes;
        memcpy(moved, memory, before < bytes ? before : bytes);
        heap_free(memory);
    }
    return moved;
}
