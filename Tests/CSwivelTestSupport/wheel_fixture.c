// SPDX-License-Identifier: Apache-2.0
#include "include/wheel_fixture.h"
#include "chunks.h"
#include "wheel_checks.h"

#include <stdlib.h>

struct swivel_wheel_fixture {
    swivel_wheel wheel;
};

swivel_wheel_fixture *swivel_wheel_fixture_make(uint64_t now_ns)
{
    swivel_wheel_fixture *fixture = calloc(1, sizeof *fixture);
    if (fixture == NULL || swivel__slab_init(&fixture->wheel.slab) != SWIVEL_OK) {
        abort();
    }
    swivel__wheel_init(&fixture->wheel, now_ns);
    return fixture;
}

void swivel_wheel_fixture_free(swivel_wheel_fixture *fixture)
{
    swivel_surplus *left = NULL;
    swivel__due_leave(&fixture->wheel.due, &left);
    while (swivel__pages_give(&left)) {
    }
    swivel_chunks_unmap(&fixture->wheel.slab);
    free(fixture);
}

uint32_t swivel_wheel_fixture_arm(swivel_wheel_fixture *fixture, uint64_t fire_at_ns)
{
    uint32_t index;
    swivel_node *node = swivel__slab_alloc(&fixture->wheel.slab, &index);
    if (node == NULL) {
        abort();
    }
    SWIVEL_FETCH_OR(&node->state, SWIVEL_ARMED, relaxed);
    node->extra = SWIVEL_NIL;
    node->fire_at_ns = fire_at_ns;
    node->sequence = fixture->wheel.sequence++;
    swivel__wheel_stage(&fixture->wheel, index, node);
    return index;
}

void swivel_wheel_fixture_cancel(swivel_wheel_fixture *fixture, uint32_t index)
{
    swivel_node *node = swivel__slab_node(&fixture->wheel.slab, index);
    uint32_t generation = swivel__generation(SWIVEL_LOAD(&node->state, relaxed)) + 1;
    SWIVEL_STORE(&node->state, (uint64_t)generation << SWIVEL_GENERATION_SHIFT, relaxed);
    swivel__wheel_unfile(&fixture->wheel, node);
    swivel__slab_take_back(&fixture->wheel.slab, index, node, generation);
}

void swivel_wheel_fixture_rearm(swivel_wheel_fixture *fixture, uint32_t index, uint64_t fire_at_ns)
{
    swivel_node *node = swivel__slab_node(&fixture->wheel.slab, index);
    swivel__wheel_refile(&fixture->wheel, index, node, fire_at_ns, fixture->wheel.sequence++);
}

void swivel_wheel_fixture_never_fires(swivel_wheel_fixture *fixture, uint32_t index)
{
    swivel__wheel_never_fires(&fixture->wheel, swivel__slab_node(&fixture->wheel.slab, index));
}

void swivel_wheel_fixture_flush(swivel_wheel_fixture *fixture)
{
    swivel__wheel_flush(&fixture->wheel);
}

void swivel_wheel_fixture_limit(swivel_wheel_fixture *fixture, uint32_t step, uint32_t most)
{
    fixture->wheel.step = step;
    fixture->wheel.due.most = most;
}

bool swivel_wheel_fixture_advance(swivel_wheel_fixture *fixture, uint64_t now_ns)
{
    uint32_t work = fixture->wheel.step;
    return swivel__wheel_advance(&fixture->wheel, now_ns, &work);
}

uint32_t swivel_wheel_fixture_fire(swivel_wheel_fixture *fixture, uint64_t now_ns, bool *later)
{
    uint32_t index = SWIVEL_NIL;
    swivel_due due = swivel__wheel_next_due(&fixture->wheel, now_ns, &index);
    if (due == SWIVEL_DUE_TIMER) {
        swivel_slab *slab = &fixture->wheel.slab;
        swivel__slab_free(slab, index, swivel__slab_node(slab, index));
    }
    *later = due == SWIVEL_DUE_LATER;
    return due == SWIVEL_DUE_TIMER ? index : SWIVEL_NIL;
}

uint64_t swivel_wheel_fixture_next_deadline(swivel_wheel_fixture *fixture)
{
    return swivel__wheel_next_deadline(&fixture->wheel);
}

const char *swivel_wheel_fixture_check(swivel_wheel_fixture *fixture)
{
    return swivel_wheel_check(&fixture->wheel);
}

uint64_t swivel_wheel_fixture_tick(const swivel_wheel_fixture *fixture)
{
    return fixture->wheel.tick;
}

uint64_t swivel_wheel_fixture_live(swivel_wheel_fixture *fixture)
{
    swivel__wheel_flush(&fixture->wheel);
    return fixture->wheel.slab.live;
}

uint32_t swivel_wheel_fixture_due_count(swivel_wheel_fixture *fixture)
{
    const swivel_due_queue *due = &fixture->wheel.due;
    swivel__wheel_flush(&fixture->wheel);
    return due->sorted.count - due->first + due->heap.count;
}

uint32_t swivel_wheel_fixture_due_capacity(const swivel_wheel_fixture *fixture)
{
    return fixture->wheel.due.sorted.capacity + fixture->wheel.due.heap.capacity;
}

uint32_t swivel_wheel_fixture_staged(const swivel_wheel_fixture *fixture)
{
    return fixture->wheel.staged_count;
}

bool swivel_wheel_fixture_is_emptying(const swivel_wheel_fixture *fixture)
{
    return fixture->wheel.current != 0;
}

bool swivel_wheel_fixture_is_short(const swivel_wheel_fixture *fixture)
{
    return fixture->wheel.is_short;
}
