// SPDX-License-Identifier: Apache-2.0
// For messages to the programmer.
#ifndef SWIVEL_INTERNAL_FATAL_H
#define SWIVEL_INTERNAL_FATAL_H

#include "../../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Stops the program: writes "Swivel: ", the formatted text and a line's end to the standard error
/// output in one piece, and aborts.
///
/// **Thread:** any.
_Noreturn void swivel__fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// The path of the file that a function was loaded from, and its offset there. `NULL`: it is not a
/// function's address. **Thread:** any.
const char *SWIVEL_NULLABLE swivel__image_of(uint64_t function, uint64_t *offset);

SWIVEL_ASSUME_NONNULL_END

#endif
