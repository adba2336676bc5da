// SPDX-License-Identifier: Apache-2.0
// Jobs: posts that run whatever happens, because a task waits in each.
#include "../include/internal/hot.h"

#include <errno.h>
#include <sched.h>

int swivel__send_job(swivel_loop *loop, uint64_t first, uint64_t second)
{
    swivel_entry entry = {first, second};
    int status;
    while ((status = swivel__send(loop, entry, SWIVEL_INSTANT_NOW)) == -ENOMEM) {
        sched_yield(); // The loop's segments come back while it drains, and a job is not dropped.
    }
    int refusal = SWIVEL_LOAD(&loop->refusal, acquire);
    return status != SWIVEL_OK && refusal == SWIVEL_EFORKED ? refusal : status;
}
