// SPDX-License-Identifier: Apache-2.0
// How a fixture gives a slab's address space back, which a loop's record never does.
#ifndef SWIVEL_TEST_CHUNKS_H
#define SWIVEL_TEST_CHUNKS_H

#include "internal/memory/slab.h"

static inline void swivel_chunks_unmap(swivel_slab *slab)
{
    for (uint32_t number = 0; number < slab->mapped; number++) {
        if (slab->chunks[number].nodes != NULL) {
            swivel__pages_unmap(slab->chunks[number].nodes, SWIVEL_CHUNK_BYTES);
        }
    }
    swivel__pages_unmap(slab->chunks, sizeof(swivel_chunk) * SWIVEL_CHUNKS_MAX);
}

#endif
