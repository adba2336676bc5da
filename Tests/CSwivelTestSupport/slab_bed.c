// SPDX-License-Identifier: Apache-2.0
#include "include/slab_bed.h"
#include "chunks.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct swivel_slab_bed {
    swivel_slab slab;
};

swivel_slab_bed *swivel_slab_bed_make(void)
{
    swivel_slab_bed *bed = calloc(1, sizeof *bed);
    if (bed == NULL || swivel__slab_init(&bed->slab) != SWIVEL_OK) {
        abort();
    }
    swivel__slab_open(&bed->slab);
    return bed;
}

void swivel_slab_bed_free(swivel_slab_bed *bed)
{
    swivel_chunks_unmap(&bed->slab);
    free(bed);
}

uint32_t swivel_slab_bed_alloc(swivel_slab_bed *bed)
{
    uint32_t index;
    return swivel__slab_alloc(&bed->slab, &index) == NULL ? SWIVEL_NIL : index;
}

void swivel_slab_bed_release(swivel_slab_bed *bed, uint32_t index)
{
    swivel__slab_free(&bed->slab, index, swivel__slab_node(&bed->slab, index));
}

uint32_t swivel_slab_bed_draw(swivel_slab_bed *bed, uint32_t *indices)
{
    uint32_t count = 0;
    for (uint32_t index = swivel__slab_draw(&bed->slab); index != SWIVEL_NIL; count++) {
        if (count == SWIVEL_BATCH) {
            abort();
        }
        indices[count] = index;
        index = swivel__slab_node(&bed->slab, index)->next;
    }
    return count;
}

uint32_t swivel_slab_bed_ahead(swivel_slab_bed *bed, uint32_t index)
{
    return swivel__slab_node(&bed->slab, index)->prev;
}

void swivel_slab_bed_undraw(swivel_slab_bed *bed, const uint32_t *indices, uint32_t count)
{
    swivel__slab_undraw(&bed->slab, SWIVEL_NIL, indices, count);
}

void swivel_slab_bed_take_over(swivel_slab_bed *bed, uint32_t count)
{
    bed->slab.live += count;
    bed->slab.owed += count;
}

void swivel_slab_bed_end_burst(swivel_slab_bed *bed)
{
    bed->slab.peak = UINT64_MAX;
}

void swivel_slab_bed_close(swivel_slab_bed *bed)
{
    swivel__slab_reset(&bed->slab);
}

void swivel_slab_bed_reset(swivel_slab_bed *bed)
{
    swivel__slab_reset(&bed->slab);
    swivel__slab_open(&bed->slab);
}

bool swivel_slab_bed_give(swivel_slab_bed *bed)
{
    return swivel__slab_give(&bed->slab);
}

uint64_t swivel_slab_bed_state(const swivel_slab_bed *bed, uint32_t index)
{
    return SWIVEL_LOAD(&swivel__slab_node(&bed->slab, index)->state, acquire);
}

uint32_t swivel_slab_bed_generation(const swivel_slab_bed *bed, uint32_t index)
{
    return swivel__generation(swivel_slab_bed_state(bed, index));
}

void swivel_slab_bed_set_generation(swivel_slab_bed *bed, uint32_t index, uint32_t generation)
{
    SWIVEL_STORE(&swivel__slab_node(&bed->slab, index)->state,
                 (uint64_t)generation << SWIVEL_GENERATION_SHIFT, release);
}

void swivel_slab_bed_use_up(swivel_slab_bed *bed)
{
    bed->slab.mapped = SWIVEL_CHUNKS_MAX - 1;
}

uint64_t swivel_slab_bed_live(const swivel_slab_bed *bed)
{
    return bed->slab.live;
}

static uint32_t count_resident(const void *pages, size_t bytes)
{
    unsigned char resident[SWIVEL_CHUNK_BYTES / 4096];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint32_t count = 0;
    if (mincore((void *)pages, bytes, (void *)resident) != 0) {
        return 0;
    }
    for (size_t i = 0; i < bytes / page; i++) {
        count += resident[i] & 1;
    }
    return count;
}

uint32_t swivel_slab_bed_resident_pages(const swivel_slab_bed *bed, uint32_t chunk)
{
    const swivel_node *nodes = bed->slab.chunks[chunk].nodes;
    return nodes == NULL ? 0 : count_resident(nodes, sizeof *nodes * SWIVEL_CHUNK_NODES);
}

uint32_t swivel_slab_bed_resident_moves(const swivel_slab_bed *bed, uint32_t chunk)
{
    const swivel_move *moves = swivel__slab_move(&bed->slab, chunk << SWIVEL_CHUNK_SHIFT);
    return bed->slab.chunks[chunk].nodes == NULL
               ? 0
               : count_resident(moves, sizeof *moves * SWIVEL_CHUNK_NODES);
}

void swivel_slab_bed_want(swivel_slab_bed *bed, uint32_t index, uint64_t wanted_ns)
{
    SWIVEL_STORE(&swivel__slab_move(&bed->slab, index)->wanted_ns, wanted_ns, relaxed);
}

void swivel_slab_bed_set_rearms(swivel_slab_bed *bed, uint32_t index, uint32_t rearms)
{
    SWIVEL_ATOMIC(uint64_t) *state = &swivel__slab_node(&bed->slab, index)->state;
    SWIVEL_STORE(state, (SWIVEL_LOAD(state, relaxed) & ~SWIVEL_REARMS_MASK) | SWIVEL_OVER |
                            rearms * SWIVEL_REARM,
                 relaxed);
}
