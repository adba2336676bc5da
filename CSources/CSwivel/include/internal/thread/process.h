// SPDX-License-Identifier: Apache-2.0
// The process: its end with a message, the files of its code, and its forked children.
#ifndef SWIVEL_INTERNAL_PROCESS_H
#define SWIVEL_INTERNAL_PROCESS_H

#include "../../swivel_config.h"

// For Swift code: the C library's module has another name on each platform.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

SWIVEL_ASSUME_NONNULL_BEGIN

/// Stops the program: writes "Swivel: ", the formatted text and a line's end to the standard error
/// output in one piece, and aborts. **Thread:** any.
_Noreturn void swivel__fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// The file that a function was loaded from, and its offset there; else `NULL`. **Thread:** any.
const char *SWIVEL_NULLABLE swivel__image_of(uint64_t function, uint64_t *offset);

/// A call in each forked child. Lasts as long as the process.
///
/// A lock that another thread held is locked in the child for good, and what it guards may be half
/// changed. So before `fork` returns there, each lock and table of the process is made anew, and
/// each inherited loop is dead. See docs/design/forks.md.
typedef struct swivel_fork_call {
    void (*run)(void *SWIVEL_NULLABLE argument);
    void *SWIVEL_NULLABLE argument;
    struct swivel_fork_call *SWIVEL_NULLABLE next;
} swivel_fork_call;

/// Makes the call in every child from here on. **Thread:** any, once for each call.
void swivel__forks_call_in_child(swivel_fork_call *call);

SWIVEL_ASSUME_NONNULL_END

#endif
