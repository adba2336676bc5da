// SPDX-License-Identifier: Apache-2.0
// The loop of a timer and the context of its closure in one word, for handles of two words.
//
// A cancel waits for memory three times where timers are many: for the handle, for the node that it
// names, and for the closure's context, which the node names. With the context in the handle it
// fetches the last two at once (decision 0078).
//
//     63                                21 20  18 17             1  0
//     context / 16, or 0: not known       | 0    | record, from 1  | 0
#ifndef SWIVEL_INTERNAL_PLACE_H
#define SWIVEL_INTERNAL_PLACE_H

#include "../loop.h"
#include "../thread/registry.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Bits below a context's, an address of 47 bits.
#define SWIVEL_PLACE_SHIFT 17
/// The record's number, doubled.
#define SWIVEL_PLACE_LOOP UINT64_C(0x3FFFE)

static const uint64_t swivel__place_mask = SWIVEL_PLACE_LOOP;

_Static_assert(SWIVEL_RECORDS_MAX <= SWIVEL_PLACE_LOOP / 2, "the numbers of all records fit");

/// The word. An address that does not fit is left out. `NULL`: 0.
static inline uint64_t swivel__place(const swivel_loop *SWIVEL_NULLABLE loop, uintptr_t context)
{
    if (SWIVEL_UNLIKELY(loop == NULL)) {
        return 0;
    }
    bool fits = ((uint64_t)context & 0xF) == 0 && (uint64_t)context >> 47 == 0;
    uint64_t high = SWIVEL_LIKELY(fits) ? (uint64_t)context << SWIVEL_PLACE_SHIFT : 0;
    return high | loop->place;
}

/// The loop. `NULL`: the word is 0.
static inline swivel_loop *SWIVEL_NULLABLE swivel__place_loop(uint64_t place)
{
    return swivel__records[(place & SWIVEL_PLACE_LOOP) >> 1];
}

/// Whether it is this loop's word.
static inline bool swivel__place_is_of(uint64_t place, const swivel_loop *loop)
{
    return (uint32_t)(place & SWIVEL_PLACE_LOOP) == loop->place;
}

/// Fetches the context for writing. With the C library's words before it, it lies in two lines half of
/// the time.
static inline void swivel__context_fetch(uintptr_t context)
{
    __builtin_prefetch((void *)(context - 8), 1);
    __builtin_prefetch((void *)(context + 24), 1);
}

static inline void swivel__place_fetch(uint64_t place)
{
    // The lowest bit may be the record's, and makes no difference to lines.
    swivel__context_fetch((uintptr_t)(place >> SWIVEL_PLACE_SHIFT));
}

SWIVEL_ASSUME_NONNULL_END

#endif
