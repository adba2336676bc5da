// SPDX-License-Identifier: Apache-2.0
// Memory straight from the system, so that a burst's memory goes back when the burst is over.
#ifndef SWIVEL_INTERNAL_PAGES_H
#define SWIVEL_INTERNAL_PAGES_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Zeroed pages, backed when they are touched; `NULL` without memory. Leak checkers follow them.
void *SWIVEL_NULLABLE swivel__pages_map(size_t bytes);
/// Gives the memory behind the pages back; the address stays readable and reads zero.
void swivel__pages_return(void *pages, size_t bytes);
/// Gives memory and address back, in some 80 µs per megabyte.
void swivel__pages_unmap(void *pages, size_t bytes);

/// Memory from this size on comes in pages of its own; below, from the heap.
#define SWIVEL_PAGED_BYTES 65536

/// Makes memory of either kind larger, which may move it, without a copy of pages on Linux. `NULL`
/// without memory: nothing has changed.
void *SWIVEL_NULLABLE swivel__pages_grow(void *SWIVEL_NULLABLE memory, size_t bytes, size_t wanted);

/// Unused pages that go back in steps. This record lies in the first of them.
typedef struct swivel_surplus {
    struct swivel_surplus *SWIVEL_NULLABLE next;
    size_t bytes;
} swivel_surplus;

/// Frees memory that is smaller than `SWIVEL_PAGED_BYTES`; leaves pages to `swivel__pages_give`.
void swivel__pages_leave(swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list,
                         void *SWIVEL_NULLABLE memory, size_t bytes);

/// Gives some of the list back, with its addresses. False: it is empty.
bool swivel__pages_give(swivel_surplus *SWIVEL_NULLABLE *SWIVEL_NONNULL list);

SWIVEL_ASSUME_NONNULL_END

#endif
