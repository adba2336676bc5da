// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/memory/near_tree.h"

_Static_assert((uint64_t)SWIVEL_CHUNKS_MAX << SWIVEL_CHUNK_SHIFT <= SWIVEL_IN_TREE,
               "a place has room for an index and a flag");

/// Whether the tree `a` has the root that fires first. One that is empty has none.
static bool leads(const swivel_slab *slab, uint32_t a, uint32_t b)
{
    return a != SWIVEL_NIL && (b == SWIVEL_NIL || !swivel__node_before(swivel__slab_node(slab, b),
                                                                       swivel__slab_node(slab, a)));
}

/// Puts the merged trees `a` and `b` where `*link` is, below the node `parent`.
static void merge(const swivel_slab *slab, uint32_t *link, uint32_t parent, uint32_t a, uint32_t b)
{
    while (a != SWIVEL_NIL || b != SWIVEL_NIL) {
        if (!leads(slab, a, b)) {
            uint32_t swapped = a;
            a = b;
            b = swapped;
        }
        swivel_node *node = swivel__slab_node(slab, a);
        node->place = SWIVEL_IN_TREE | parent;
        *link = parent = a;
        if (b == SWIVEL_NIL) {
            return;
        }
        // The next merge goes down the other side: that keeps both short on average.
        uint32_t right = node->prev;
        node->prev = node->next;
        link = &node->next;
        a = right;
    }
    *link = SWIVEL_NIL;
}

void swivel__tree_insert(const swivel_slab *slab, uint32_t *root, uint32_t index)
{
    swivel_node *node = swivel__slab_node(slab, index);
    node->next = node->prev = SWIVEL_NIL;
    merge(slab, root, SWIVEL_NIL, *root, index);
}

void swivel__tree_remove(const swivel_slab *slab, uint32_t *root, swivel_node *node)
{
    uint32_t parent = node->place & SWIVEL_PARENT_MASK, *link = root;
    if (parent != SWIVEL_NIL) {
        swivel_node *above = swivel__slab_node(slab, parent);
        bool is_left = above->next != SWIVEL_NIL && swivel__slab_node(slab, above->next) == node;
        link = is_left ? &above->next : &above->prev;
    }
    merge(slab, link, parent, node->next, node->prev);
}
