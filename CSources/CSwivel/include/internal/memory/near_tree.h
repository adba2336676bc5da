// SPDX-License-Identifier: Apache-2.0
// The timers of the current slot for which the near heap has no memory: a tree whose links are the
// nodes' own, so that accepted timers fire in exact order even if nothing can be allocated.
//
// A leftist tree (C. A. Crane, 1972; Knuth, "The Art of Computer Programming", volume 3, 5.2.3)
// with links to the parents, so that any node can leave it. `next` is a node's left child, `prev`
// its right one; `place` holds its parent and its rank, which is the length of its right spine.
#ifndef SWIVEL_INTERNAL_NEAR_TREE_H
#define SWIVEL_INTERNAL_NEAR_TREE_H

#include "slab.h"

SWIVEL_ASSUME_NONNULL_BEGIN

#define SWIVEL_RANK_SHIFT 27
#define SWIVEL_PARENT_MASK ((1u << SWIVEL_RANK_SHIFT) - 1)

/// Whether a node with this place is in the tree: a rank is at least 1 there.
static inline bool swivel__is_in_tree(uint32_t place)
{
    return place >> SWIVEL_RANK_SHIFT != 0;
}

/// Whether the one timer fires before the other.
static inline bool swivel__node_before(const swivel_node *a, const swivel_node *b)
{
    return a->fire_at_ns != b->fire_at_ns ? a->fire_at_ns < b->fire_at_ns
                                          : a->sequence < b->sequence;
}

/// Adds a node to the tree with this root; nil is an empty one.
/// - Complexity: O(log n).
void swivel__tree_insert(const swivel_slab *slab, uint32_t *root, uint32_t index);

/// Takes a node out of the tree; its `place` is to be set.
/// - Complexity: O(log n).
void swivel__tree_remove(const swivel_slab *slab, uint32_t *root, swivel_node *node);

SWIVEL_ASSUME_NONNULL_END

#endif
