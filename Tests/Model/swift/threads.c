// SPDX-License-Identifier: Apache-2.0
// The C core's services to the Swift code above it, for models without a loop of the C core.
#include "../explorer.h"

#include "internal/thread/process.h"
#include "internal/thread/thread.h"

void *swivel__thread_cell(void)
{
    static uintptr_t cells[EXPLORER_THREADS_MAX + 1][16];
    return cells[explorer_thread() + 1];
}
