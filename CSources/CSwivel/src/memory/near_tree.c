// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/memory/near_tree.h"

_Static_assert((uint64_t)SWIVEL_CHUNKS_MAX << SWIVEL_CHUNK_SHIFT <= 1u << SWIVEL_RANK_SHIFT,
               "a place has room for an index and a rank");
_Static_assert(SWIVEL_PLACE_NEAR >> SWIVEL_RANK_SHIFT == 0, "other places are not in the tree");

static uint32_t rank_of(const swivel_slab *slab, uint32_t index)
{
    return index == SWIVEL_NIL ? 0 : swivel__slab_node(slab, index)->place >> SWIVEL_RANK_SHIFT;
}

static void set_parent(const swivel_slab *slab, uint32_t index, uint32_t parent)
{
    if (index != SWIVEL_NIL) {
        swivel_node *node = swivel__slab_node(slab, index);
        node->place = (node->place & ~SWIVEL_PARENT_MASK) | parent;
    }
}

/// Computes the node's rank from its children's. Returns whether it has changed.
static bool settle_rank(const swivel_slab *slab, swivel_node *node)
{
    uint32_t left = rank_of(slab, node->next), right = rank_of(slab, node->prev);
    if (left < right) {
        uint32_t child = node->next;
        node->next = node->prev;
        node->prev = child;
        right = left;
    }
    uint32_t before = node->place;
    node->place = (right + 1) << SWIVEL_RANK_SHIFT | (before & SWIVEL_PARENT_MASK);
    return node->place != before;
}

/// Puts the merged trees `a` and `b` where `*link` is, below the node `above`.
static void merge(const swivel_slab *slab, uint32_t *link, uint32_t above, uint32_t a, uint32_t b)
{
    uint32_t parent = above;
    // Down the right spines, which are short.
    while (a != SWIVEL_NIL && b != SWIVEL_NIL) {
        if (swivel__node_before(swivel__slab_node(slab, b), swivel__slab_node(slab, a))) {
            uint32_t swapped = a;
            a = b;
            b = swapped;
        }
        set_parent(slab, a, parent);
        *link = parent = a;
        link = &swivel__slab_node(slab, a)->prev;
        a = *link;
    }
    *link = a != SWIVEL_NIL ? a : b;
    set_parent(slab, *link, parent);
    // Up again: all whose children are new, and beyond them as far as ranks change.
    for (bool is_new = true; parent != SWIVEL_NIL;) {
        swivel_node *node = swivel__slab_node(slab, parent);
        is_new &= parent != above;
        if (!settle_rank(slab, node) && !is_new) {
            return;
        }
        parent = node->place & SWIVEL_PARENT_MASK;
    }
}

void swivel__tree_insert(const swivel_slab *slab, uint32_t *root, uint32_t index)
{
    swivel_node *node = swivel__slab_node(slab, index);
    node->next = node->prev = SWIVEL_NIL;
    node->place = 1u << SWIVEL_RANK_SHIFT;
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
