// SPDX-License-Identifier: Apache-2.0
// Messages that must arrive, even if the inbox is out of memory. Another thread waits until the
// loop has drained, which frees segments. The loop's own thread must not wait for itself, and needs
// no memory.
#include "../../include/internal/hot.h"

#include <errno.h>
#include <sched.h>

int swivel__send_surely(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns)
{
    int status;
    while ((status = swivel__send(loop, entry, instant_ns)) == -ENOMEM) {
        if (swivel__is_own(loop)) {
            // It may overtake what the inbox holds about its node: that is void then.
            if (!swivel__ring_push(&loop->local, entry)) {
                swivel__obey(loop, entry); // It brings no timer, so there is none to fire.
            }
            return SWIVEL_OK;
        }
        swivel_loop_wake(loop); // The waiting entries may be lazy ones, which do not wake it.
        sched_yield();
    }
    return status;
}

void swivel__send_reclaim(swivel_loop *loop, uint32_t index, uint32_t generation, uint64_t why)
{
    swivel_entry entry = {swivel__message(SWIVEL_RECLAIM, index, generation), why};
    bool counts = why == SWIVEL_WAS_ARMED;
    if (counts) {
        swivel__tally_sent(&loop->tally, SWIVEL_TALLY_CANCELS);
    }
    // Refused only when the loop closes, which frees all nodes.
    if (swivel__send_surely(loop, entry, SWIVEL_INSTANT_LAZY) != SWIVEL_OK && counts) {
        swivel__tally_unsent(&loop->tally, SWIVEL_TALLY_CANCELS);
    }
}
