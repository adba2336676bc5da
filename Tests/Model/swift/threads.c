// SPDX-License-Identifier: Apache-2.0
// What the C core gives to the Swift code above it, where a model has no loop of the C core's.
#include "../explorer.h"

#include "internal/thread/forks.h"
#include "internal/thread/thread.h"

void *swivel__thread_cell(void)
{
    static uintptr_t cells[EXPLORER_THREADS_MAX + 1][16];
    return cells[explorer_thread() + 1];
}
