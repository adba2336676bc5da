// SPDX-License-Identifier: Apache-2.0
#include "include/wheel_bed.h"
#include "chunks.h"
#include "internal/wheel/checks.h"

#include <stdlib.h>

struct swivel_wheel_bed {
    swivel_wheel wheel;
};

swivel_wheel_bed *swivel_wheel_bed_make(uint64_t now_ns)
{
    swivel_wheel_bed *bed = calloc(1, sizeof *bed);
    if (bed == NULL || swivel__slab_init(&bed->wheel.slab) != SWIVEL_OK) {
        abort();
    }
    swivel__wheel_init(&bed->wheel, now_ns);
    return bed;
}

void swivel_wheel_bed_free(swivel_wheel_bed *bed)
{
    swivel_surplus *left = NULL;
    swivel__due_leave(&bed->wheel.due, &left);
    while (swivel__pages_give(&left)) {
    }
    swivel_chunks_unmap(&bed->wheel.slab);
    free(bed);
}

uint32_t swivel_wheel_bed_arm(swivel_wheel_bed *bed, uint64_t fire_at_ns)
{
    uint32_t index;
    swivel_node *node = swivel__slab_alloc(&bed->wheel.slab, &index);
    if (node == NULL) {
        abort();
    }
    SWIVEL_FETCH_OR(&node->state, SWIVEL_ARMED, relaxed);
    node->extra = SWIVEL_NIL;
    node->fire_at_ns = fire_at_ns;
    swivel__wheel_file(&bed->wheel, index, node);
    return index;
}

void swivel_wheel_bed_cancel(swivel_wheel_bed *bed, uint32_t index)
{
    swivel_node *node = swivel__slab_node(&bed->wheel.slab, index);
    uint32_t generation = swivel__generation(SWIVEL_LOAD(&node->state, relaxed)) + 1;
    SWIVEL_STORE(&node->state, (uint64_t)generation << SWIVEL_GENERATION_SHIFT, relaxed);
    swivel__wheel_leave(&bed->wheel, index, node, generation);
}

void swivel_wheel_bed_rearm(swivel_wheel_bed *bed, uint32_t index, uint64_t fire_at_ns)
{
    swivel_node *node = swivel__slab_node(&bed->wheel.slab, index);
    swivel__wheel_refile(&bed->wheel, index, node, fire_at_ns);
}

void swivel_wheel_bed_never_fires(swivel_wheel_bed *bed, uint32_t index)
{
    swivel__wheel_never_fires(&bed->wheel, swivel__slab_node(&bed->wheel.slab, index));
}

void swivel_wheel_bed_flush(swivel_wheel_bed *bed)
{
    swivel__wheel_flush(&bed->wheel);
}

void swivel_wheel_bed_limit(swivel_wheel_bed *bed, uint32_t step, uint32_t most)
{
    bed->wheel.step = step;
    bed->wheel.due.most = most;
}

bool swivel_wheel_bed_advance(swivel_wheel_bed *bed, uint64_t now_ns)
{
    uint32_t work = bed->wheel.step;
    return swivel__wheel_advance(&bed->wheel, now_ns, &work);
}

uint32_t swivel_wheel_bed_fire(swivel_wheel_bed *bed, uint64_t now_ns, bool *later)
{
    uint32_t index = SWIVEL_NIL;
    swivel_due due = swivel__wheel_next_due(&bed->wheel, now_ns, &index);
    if (due == SWIVEL_DUE_TIMER) {
        swivel_slab *slab = &bed->wheel.slab;
        swivel__slab_free(slab, index, swivel__slab_node(slab, index));
    }
    *later = due == SWIVEL_DUE_LATER;
    return due == SWIVEL_DUE_TIMER ? index : SWIVEL_NIL;
}

uint64_t swivel_wheel_bed_next_deadline(swivel_wheel_bed *bed)
{
    return swivel__wheel_next_deadline(&bed->wheel);
}

const char *swivel_wheel_bed_check(swivel_wheel_bed *bed)
{
    return swivel__checks_wheel(&bed->wheel);
}

uint64_t swivel_wheel_bed_tick(const swivel_wheel_bed *bed)
{
    return bed->wheel.tick;
}

uint64_t swivel_wheel_bed_live(swivel_wheel_bed *bed)
{
    swivel__wheel_flush(&bed->wheel);
    return bed->wheel.slab.live;
}

uint32_t swivel_wheel_bed_due_count(swivel_wheel_bed *bed)
{
    const swivel_due_queue *due = &bed->wheel.due;
    swivel__wheel_flush(&bed->wheel);
    return due->sorted.count - due->first + due->heap.count;
}

uint32_t swivel_wheel_bed_due_capacity(const swivel_wheel_bed *bed)
{
    return bed->wheel.due.sorted.capacity + bed->wheel.due.heap.capacity;
}

uint32_t swivel_wheel_bed_staged(const swivel_wheel_bed *bed)
{
    return bed->wheel.staged_count;
}

bool swivel_wheel_bed_is_emptying(const swivel_wheel_bed *bed)
{
    return bed->wheel.emptied != 0;
}

bool swivel_wheel_bed_is_short(const swivel_wheel_bed *bed)
{
    return bed->wheel.is_short;
}
