// SPDX-License-Identifier: Apache-2.0
// The files that the program's code was loaded from.
#ifndef SWIVEL_INTERNAL_IMAGE_H
#define SWIVEL_INTERNAL_IMAGE_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The path of the file that a function was loaded from, and its offset there. `NULL`: it is not a
/// function's address. **Thread:** any.
const char *SWIVEL_NULLABLE swivel__image_of(uint64_t function, uint64_t *offset);

SWIVEL_ASSUME_NONNULL_END

#endif
