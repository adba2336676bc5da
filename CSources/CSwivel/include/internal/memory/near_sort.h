// SPDX-License-Identifier: Apache-2.0
// Sorts the timers of a slot, once, before the first of them fires: a radix sort of their keys, byte
// after byte from the least significant one (D. Knuth, "The Art of Computer Programming", volume 3,
// 5.2.5). Nothing is compared, so a timer of a crowded slot costs no more than one of a small slot,
// and bytes in which all keys agree are passed over: deadlines of one slot differ in three of eight.
//
// A slot's timers lie in the order in which they were armed, or in the opposite one, by the number of
// levels that they have passed. Entries that fall are turned round first; sequences that rise then
// need no pass. Only timers that were moved, or have come from different levels, cost more.
//
// A loop must not pause for a million timers, so the sort is a state, and goes on in steps. Each pass
// copies the entries to other memory and leaves them where they are: it can be given up at any time.
#ifndef SWIVEL_INTERNAL_NEAR_SORT_H
#define SWIVEL_INTERNAL_NEAR_SORT_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// A timer of the current slot: its key, (deadline, sequence), and its ticket.
typedef struct swivel_near_entry {
    uint64_t deadline_ns;
    uint64_t sequence;
    uint32_t ticket;
} swivel_near_entry;

/// Loop thread only.
typedef struct swivel_sort {
    swivel_near_entry *SWIVEL_NULLABLE spare; ///< Where a pass puts the entries.
    size_t spare_bytes;
    bool falls;           ///< Each entry comes before the one that was added before it.
    bool ripens, ages;    ///< Each entry's sequence is higher than that of the one before; lower.
    uint32_t turned;      ///< Pairs of entries that have changed places, to turn all of them round.
    uint64_t deadlines;   ///< The bits in which deadlines differ,
    uint64_t sequences;   ///< and sequences.
    uint32_t byte;        ///< Passes up to this byte of the key are over.
    uint32_t done;        ///< Entries that the pass has counted, or moved.
    bool moves;           ///< The pass has counted all, and moves them.
    uint32_t places[256]; ///< By the byte's value: entries that have it; then its next one's place.
} swivel_sort;

/// Forgets the entries, and keeps the memory.
void swivel__sort_reset(swivel_sort *sort);

/// Goes on sorting the `count` entries. There is as much spare memory as they have, unless they fall.
/// True: they are sorted, and `*entries` may have changed places with the spare memory. False: there
/// is more to do than `*work` entries.
bool swivel__sort_step(swivel_sort *sort, swivel_near_entry *SWIVEL_NONNULL *SWIVEL_NONNULL entries,
                       uint32_t count, uint32_t *work);

/// An entry is added behind another one. `is_before`: it comes before that one.
static inline void swivel__sort_add(swivel_sort *sort, const swivel_near_entry *last,
                                    const swivel_near_entry *entry, bool is_before)
{
    bool is_older = entry->sequence < last->sequence;
    sort->falls &= is_before;
    sort->ripens &= !is_older;
    sort->ages &= is_older;
    sort->deadlines |= last->deadline_ns ^ entry->deadline_ns;
    sort->sequences |= last->sequence ^ entry->sequence;
}

SWIVEL_ASSUME_NONNULL_END

#endif
