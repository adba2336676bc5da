// SPDX-License-Identifier: Apache-2.0
// Timers on their way into their slots or the near heap.
#include "../../include/internal/wheel/wheel.h"

void swivel__wheel_file_near(swivel_wheel *wheel, uint32_t index, swivel_node *node)
{
    swivel_heap *near = &wheel->near;
    swivel__heap_sweep(near);
    if (wheel->is_short || !swivel__heap_reserve(near, wheel->most)) {
        // The slot that is being emptied takes it, or the slot of `tick`, which is empty.
        uint32_t current = (uint32_t)wheel->tick & (SWIVEL_SLOTS - 1);
        wheel->emptied = wheel->emptied != 0 ? wheel->emptied : current + 1;
        wheel->is_short = true;
        swivel__wheel_link(wheel, wheel->emptied - 1, index, node);
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
