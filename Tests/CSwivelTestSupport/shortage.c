// SPDX-License-Identifier: Apache-2.0
#include "include/shortage.h"
#include "internal/loop.h"

void swivel_inbox_pretend_full(swivel_loop *loop)
{
    uint64_t tail = SWIVEL_LOAD(&loop->inbox.tail, relaxed) & ~SWIVEL_CLOSED;
    SWIVEL_STORE(&loop->inbox.head, tail - SWIVEL_INBOX_MAX, release);
}
