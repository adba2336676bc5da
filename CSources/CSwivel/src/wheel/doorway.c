// SPDX-License-Identifier: Apache-2.0
// Timers on their way into their slots or the near heap, and such as are over and have not left.
#include "../../include/internal/wheel/wheel.h"

void swivel__wheel_file_near(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    swivel_heap *near = &wheel->near;
    swivel__heap_sweep(near);
    if (!swivel__wheel_near_has_room(wheel)) {
        swivel__tree_insert(&wheel->slab, &wheel->tree, index);
        return;
    }
    node->place = SWIVEL_PLACE_NEAR;
    node->next = swivel__heap_push(near, node->fire_at_ns, node->sequence, index);
}

void swivel__wheel_let_in(swivel_wheel *wheel)
{
    for (uint32_t i = 0; i < wheel->came; i++) {
        uint32_t index = wheel->coming[i];
        if (index == SWIVEL_NIL) {
            continue;
        }
        swivel_node *node = swivel__slab_node(&wheel->slab, index);
        if (node->sequence == SWIVEL_VOID) {
            node->place = SWIVEL_PLACE_NONE;
        } else {
            swivel__wheel_place(wheel, index, node);
        }
    }
    wheel->came = 0;
}

/// Takes a node that is over out of its slot, and gives it back.
static void let_out(swivel_wheel *wheel, uint32_t index)
{
    swivel_node *node = swivel__slab_node(&wheel->slab, index);
    uint32_t generation = swivel__generation(SWIVEL_LOAD(&node->state, relaxed));
    swivel__wheel_unfile(wheel, node);
    swivel__slab_take_back(&wheel->slab, index, node, generation);
}

void swivel__wheel_put_off(swivel_wheel *wheel, uint32_t index, const swivel_node *node)
{
    __builtin_prefetch(swivel__slab_node(&wheel->slab, node->next), 1);
    __builtin_prefetch(swivel__slab_node(&wheel->slab, node->prev), 1);
    uint32_t *place = &wheel->leaving[wheel->left % SWIVEL_LEAVING];
    uint32_t oldest = *place;
    *place = index;
    wheel->left = wheel->left % SWIVEL_LEAVING + 1;
    if (SWIVEL_LIKELY(oldest != SWIVEL_NIL)) {
        let_out(wheel, oldest);
    }
}

void swivel__wheel_settle_slow(swivel_wheel *wheel)
{
    swivel__wheel_let_in(wheel);
    if (wheel->left == 0) {
        return;
    }
    wheel->left = 0;
    for (uint32_t place = 0; place < SWIVEL_LEAVING; place++) {
        uint32_t index = wheel->leaving[place];
        wheel->leaving[place] = SWIVEL_NIL;
        if (index != SWIVEL_NIL) {
            let_out(wheel, index);
        }
    }
}
