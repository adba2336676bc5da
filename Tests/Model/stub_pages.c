// SPDX-License-Identifier: Apache-2.0
#include "stub_pages.h"
#include "memory.h"
#include "internal/memory/slab.h"

#include <stdlib.h>
#include <string.h>

/// The bytes of a chunk that the models use, in which a carved node is not zero.
#define USED_BYTES 16384
#define GENERATION_OFFSET 20

static long live;

long pages_live(void)
{
    return live;
}

void *swivel__pages_map(size_t bytes)
{
    live += 1;
    return calloc(1, bytes);
}

void *swivel__pages_grow(void *memory, size_t bytes, size_t wanted)
{
    (void)bytes;
    return realloc(memory, wanted);
}

static void clear(void *pages, size_t bytes)
{
    memset(pages, 0, bytes);
    memory_forget(pages, bytes);
}

void swivel__pages_return(void *pages, size_t bytes)
{
    // Models use few nodes: to clear all of a chunk would take half of their time.
    size_t used = bytes < USED_BYTES ? bytes : USED_BYTES, nodes = bytes;
    clear(pages, used);
    if (bytes == SWIVEL_CHUNK_BYTES) {
        nodes = sizeof(swivel_node) * SWIVEL_CHUNK_NODES;
        clear((char *)pages + nodes, USED_BYTES / sizeof(swivel_node) * sizeof(swivel_move));
    }
    for (size_t offset = used; offset < nodes; offset += 4096) {
        if (((char *)pages)[offset + GENERATION_OFFSET] != 0) {
            abort();
        }
    }
}

void swivel__pages_unmap(void *pages, size_t bytes)
{
    memory_forget(pages, bytes);
    live -= 1;
    free(pages);
}

void swivel__pages_leave(swivel_surplus **list, void *memory, size_t bytes)
{
    (void)list;
    if (bytes < SWIVEL_PAGED_BYTES) {
        free(memory);
    } else {
        swivel__pages_unmap(memory, bytes);
    }
}

bool swivel__pages_give(swivel_surplus **list)
{
    (void)list;
    return false;
}
