// SPDX-License-Identifier: Apache-2.0
// The timers of the current slot for which the near heap has no memory: a tree whose links are the
// nodes' own, so that accepted timers fire in exact order even if nothing can be allocated.
//
// A skew heap (D. Sleator, R. Tarjan, "Self-adjusting heaps", 1986) with links to the parents, so
// that any node can leave it. `next` is a node's left child, `prev` its right one; `place` has its
// parent.
#ifndef SWIVEL_INTERNAL_NEAR_TREE_H
#define SWIVEL_INTERNAL_NEAR_TREE_H

#include "slab.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// In the place of a node that is in the tree; the rest is its parent's index.
#define SWIVEL_IN_TREE (1u << 31)
#define SWIVEL_PARENT_MASK (SWIVEL_IN_TREE - 1)

static inline bool swivel__is_in_tree(uint32_t place)
{
    return (place & SWIVEL_IN_TREE) != 0;
}

/// Whether the one timer fires before the other.
static inline bool swivel__node_before(const swivel_node *a, const swivel_node *b)
{
    return a->fire_at_ns != b->fire_at_ns ? a->fire_at_ns < b->fire_at_ns
                                          : a->sequence < b->sequence;
}

/// Adds a node to the tree with this root; nil is an empty one.
/// - Complexity: O(log n), amortized.
void swivel__tree_insert(const swivel_slab *slab, uint32_t *root, uint32_t index);

/// Takes a node out of the tree; its `place` is to be set.
/// - Complexity: O(log n), amortized.
void swivel__tree_remove(const swivel_slab *slab, uint32_t *root, swivel_node *node);

SWIVEL_ASSUME_NONNULL_END

#endif
