// SPDX-License-Identifier: Apache-2.0
#include "stage_pages.h"
#include "memory.h"
#include "internal/pages.h"

#include <stdlib.h>
#include <string.h>

/// What the models use of a chunk, and where a node that was carved is not zero.
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

void *swivel__pages_resize(void *pages, size_t bytes, size_t wanted)
{
    (void)bytes;
    return realloc(pages, wanted);
}

void swivel__pages_return(void *pages, size_t bytes)
{
    // Models use few nodes: to clear all of a chunk would take half of their time.
    size_t used = bytes < USED_BYTES ? bytes : USED_BYTES;
    memset(pages, 0, used);
    memory_forget(pages, used);
    for (size_t offset = used; offset < bytes; offset += 4096) {
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
