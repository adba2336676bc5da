// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/timer/order.h"

void swivel__order_take(swivel_loop *loop)
{
    uint64_t used = loop->wheel.sequence, next = SWIVEL_SETTING(&loop->inbox.order);
    // A turn that used up its block has gone on beyond it.
    while (next < used &&
           !SWIVEL_CAS(&loop->inbox.order, &next, used, relaxed, relaxed)) {
    }
    loop->wheel.sequence = SWIVEL_FETCH_ADD(&loop->inbox.order, SWIVEL_ORDER_BLOCK, relaxed);
    loop->numbers_end = loop->wheel.sequence + SWIVEL_ORDER_BLOCK;
}
