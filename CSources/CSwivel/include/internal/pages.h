// SPDX-License-Identifier: Apache-2.0
// Memory straight from the system, so that what a burst needed goes back when it is over.
#ifndef SWIVEL_INTERNAL_PAGES_H
#define SWIVEL_INTERNAL_PAGES_H

#include "../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Zeroed pages, backed when they are first touched; `NULL` without memory. What they point to is
/// no leak.
void *SWIVEL_NULLABLE swivel__pages_map(size_t bytes);

/// Makes a mapping larger or smaller, which may move it; `NULL`, and nothing has changed, without
/// memory. What is new reads zero.
/// - Complexity: O(1) bytes are copied on Linux, where pages are moved; all of them elsewhere.
void *SWIVEL_NULLABLE swivel__pages_resize(void *pages, size_t bytes, size_t wanted);

/// Gives the memory behind the pages back; the address stays readable and reads zero.
void swivel__pages_return(void *pages, size_t bytes);

/// Gives memory and address back.
void swivel__pages_unmap(void *pages, size_t bytes);

SWIVEL_ASSUME_NONNULL_END

#endif
