// SPDX-License-Identifier: Apache-2.0
#include "include/slab_fixture.h"
#include "chunks.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct swivel_slab_fixture {
    swivel_slab slab;
};

swivel_slab_fixture *swivel_slab_fixture_make(void)
{
    swivel_slab_fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL || swivel__slab_init(&fixture->slab) != SWIVEL_OK) {
        abort();
    }
    swivel__slab_open(&fixture->slab);
    return fixture;
}

void swivel_slab_fixture_free(swivel_slab_fixture *fixture)
{
    swivel_chunks_unmap(&fixture->slab);
    free(fixture);
}

uint32_t swivel_slab_fixture_alloc(swivel_slab_fixture *fixture)
{
    uint32_t index;
    return swivel__slab_alloc(&fixture->slab, &index) == NULL ? SWIVEL_NIL : index;
}

void swivel_slab_fixture_release(swivel_slab_fixture *fixture, uint32_t index)
{
    swivel__slab_free(&fixture->slab, index, swivel__slab_node(&fixture->slab, index));
}

uint32_t swivel_slab_fixture_draw(swivel_slab_fixture *fixture, uint32_t *indices)
{
    uint32_t count = 0;
    for (uint32_t index = swivel__slab_draw(&fixture->slab); index != SWIVEL_NIL; count++) {
        if (count == SWIVEL_BATCH) {
            abort();
        }
        indices[count] = index;
        index = swivel__slab_node(&fixture->slab, index)->next;
    }
    return count;
}

void swivel_slab_fixture_undraw(swivel_slab_fixture *fixture, const uint32_t *indices,
                                uint32_t count)
{
    swivel__slab_undraw(&fixture->slab, SWIVEL_NIL, indices, count);
}

void swivel_slab_fixture_take_over(swivel_slab_fixture *fixture, uint32_t count)
{
    fixture->slab.live += count;
    fixture->slab.owed += count;
}

void swivel_slab_fixture_end_burst(swivel_slab_fixture *fixture)
{
    fixture->slab.peak = UINT64_MAX;
}

void swivel_slab_fixture_close(swivel_slab_fixture *fixture)
{
    swivel__slab_reset(&fixture->slab);
}

void swivel_slab_fixture_reset(swivel_slab_fixture *fixture)
{
    swivel__slab_reset(&fixture->slab);
    swivel__slab_open(&fixture->slab);
}

bool swivel_slab_fixture_give(swivel_slab_fixture *fixture)
{
    return swivel__slab_give(&fixture->slab);
}

uint64_t swivel_slab_fixture_state(const swivel_slab_fixture *fixture, uint32_t index)
{
    return SWIVEL_LOAD(&swivel__slab_node(&fixture->slab, index)->state, acquire);
}

uint32_t swivel_slab_fixture_generation(const swivel_slab_fixture *fixture, uint32_t index)
{
    return swivel__generation(swivel_slab_fixture_state(fixture, index));
}

void swivel_slab_fixture_set_generation(swivel_slab_fixture *fixture, uint32_t index,
                                        uint32_t generation)
{
    SWIVEL_STORE(&swivel__slab_node(&fixture->slab, index)->state,
                 (uint64_t)generation << SWIVEL_GENERATION_SHIFT, release);
}

void swivel_slab_fixture_use_up(swivel_slab_fixture *fixture)
{
    fixture->slab.mapped = SWIVEL_CHUNKS_MAX - 1;
}

uint64_t swivel_slab_fixture_live(const swivel_slab_fixture *fixture)
{
    return fixture->slab.live;
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

uint32_t swivel_slab_fixture_resident_pages(const swivel_slab_fixture *fixture, uint32_t chunk)
{
    const swivel_node *nodes = fixture->slab.chunks[chunk].nodes;
    return nodes == NULL ? 0 : count_resident(nodes, sizeof *nodes * SWIVEL_CHUNK_NODES);
}

uint32_t swivel_slab_fixture_resident_moves(const swivel_slab_fixture *fixture, uint32_t chunk)
{
    const swivel_move *moves = swivel__slab_move(&fixture->slab, chunk << SWIVEL_CHUNK_SHIFT);
    return fixture->slab.chunks[chunk].nodes == NULL
               ? 0
               : count_resident(moves, sizeof *moves * SWIVEL_CHUNK_NODES);
}

void swivel_slab_fixture_want(swivel_slab_fixture *fixture, uint32_t index, uint64_t wanted_ns)
{
    SWIVEL_STORE(&swivel__slab_move(&fixture->slab, index)->wanted_ns, wanted_ns, relaxed);
}

void swivel_slab_fixture_set_rearms(swivel_slab_fixture *fixture, uint32_t index, uint32_t rearms)
{
    SWIVEL_ATOMIC(uint64_t) *state = &swivel__slab_node(&fixture->slab, index)->state;
    SWIVEL_STORE(state, (SWIVEL_LOAD(state, relaxed) & ~SWIVEL_REARMS_MASK) | SWIVEL_OVER |
                            rearms * SWIVEL_REARM,
                 relaxed);
}
