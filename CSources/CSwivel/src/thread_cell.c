// SPDX-License-Identifier: Apache-2.0
#include "../include/internal/thread_cell.h"

static _Thread_local uintptr_t cell[16];

void *swivel_thread_cell(void)
{
    return cell;
}
