// SPDX-License-Identifier: Apache-2.0
// Timers on their way into their slots or the near heap.
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
