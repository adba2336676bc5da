// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/memory/near_sort.h"

#include <string.h>

/// Bytes of a key: first those of the sequence, then those of the deadline.
#define SWIVEL_KEY_BYTES 16
/// Entries that are looked at, or moved, for the work of one timer. They lie one after the other, and
/// take a few nanoseconds each; a timer's node may be a cache miss.
#define SWIVEL_SORTED_EACH 16

void swivel__sort_reset(swivel_sort *sort)
{
    sort->falls = sort->ripens = sort->ages = true;
    sort->deadlines = sort->sequences = 0;
    sort->turned = sort->byte = sort->done = 0;
    sort->moves = false;
}

/// Turns the entries round. False: there are more.
static bool turn(swivel_sort *sort, swivel_near_entry *entries, uint32_t count, uint32_t *work)
{
    for (; sort->turned < count / 2; sort->turned++, *work -= 1) {
        if (*work == 0) {
            return false;
        }
        swivel_near_entry *other = &entries[count - 1 - sort->turned];
        swivel_near_entry entry = entries[sort->turned];
        entries[sort->turned] = *other;
        *other = entry;
    }
    return true;
}

static inline uint32_t byte_of(uint64_t sequence, uint64_t deadline_ns, uint32_t byte)
{
    uint64_t word = byte < sizeof word ? sequence : deadline_ns;
    return (uint8_t)(word >> (byte % sizeof word * 8));
}

static inline uint32_t value(const swivel_near_entry *entry, uint32_t byte)
{
    return byte_of(entry->sequence, entry->deadline_ns, byte);
}

/// The entry up to which a step of a pass goes. Takes its work off.
static uint32_t step_end(const swivel_sort *sort, uint32_t count, uint32_t *work)
{
    uint64_t most = (uint64_t)*work * SWIVEL_SORTED_EACH, left = count - sort->done;
    uint32_t step = (uint32_t)(left < most ? left : most);
    *work -= (step + SWIVEL_SORTED_EACH - 1) / SWIVEL_SORTED_EACH;
    return sort->done + step;
}

/// Counts the entries of each value, and finds the place of the first one. False: there are more.
static bool count_values(swivel_sort *sort, const swivel_near_entry *entries, uint32_t count,
                         uint32_t *work)
{
    if (sort->done == 0) {
        memset(sort->places, 0, sizeof sort->places);
    }
    uint32_t end = step_end(sort, count, work);
    for (; sort->done < end; sort->done++) {
        sort->places[value(&entries[sort->done], sort->byte)] += 1;
    }
    if (end < count) {
        return false;
    }
    uint32_t next = 0;
    for (size_t i = 0; i < sizeof sort->places / sizeof *sort->places; i++) {
        uint32_t first = next;
        next += sort->places[i];
        sort->places[i] = first;
    }
    sort->moves = true;
    sort->done = 0;
    return true;
}

/// Moves the entries to the spare memory in the order of their values, those of one value in the
/// order in which they are. False: there are more.
static bool move(swivel_sort *sort, const swivel_near_entry *entries, uint32_t count,
                 uint32_t *work)
{
    uint32_t end = step_end(sort, count, work);
    for (; sort->done < end; sort->done++) {
        const swivel_near_entry *entry = &entries[sort->done];
        sort->spare[sort->places[value(entry, sort->byte)]++] = *entry;
    }
    return end == count;
}

bool swivel__sort_step(swivel_sort *sort, swivel_near_entry **entries, uint32_t count,
                       uint32_t *work)
{
    if ((sort->falls || sort->ages) && !turn(sort, *entries, count, work)) {
        return false;
    }
    uint64_t sequences = sort->ripens || sort->ages ? 0 : sort->sequences;
    for (; sort->byte < SWIVEL_KEY_BYTES && !sort->falls; sort->byte++) {
        if (byte_of(sequences, sort->deadlines, sort->byte) == 0) {
            continue; // All agree.
        }
        if (!sort->moves && !count_values(sort, *entries, count, work)) {
            return false;
        }
        if (!move(sort, *entries, count, work)) {
            return false;
        }
        swivel_near_entry *moved = sort->spare;
        sort->spare = *entries;
        *entries = moved;
        sort->moves = false;
        sort->done = 0;
    }
    return true;
}
