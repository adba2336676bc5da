// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/timer/share.h"
#include "../../include/internal/thread/barrier.h"

void swivel__share_begin(swivel_loop *loop)
{
    SWIVEL_STORE(&loop->inside, 0, relaxed);
    SWIVEL_STORE(&loop->sharing, swivel__barrier() ? SWIVEL_PRIVATE : SWIVEL_SHARED, relaxed);
}

void swivel__share_in_child(swivel_loop *loop)
{
    // Its thread may have been inside when the process was copied.
    SWIVEL_STORE(&loop->inside, 0, relaxed);
    SWIVEL_STORE(&loop->sharing, SWIVEL_SHARED, relaxed);
}

void swivel__share_now(swivel_loop *loop)
{
    uint32_t sharing = SWIVEL_PRIVATE;
    SWIVEL_CAS(&loop->sharing, &sharing, SWIVEL_ASKED, seq_cst, relaxed);
    if (!swivel__barrier()) {
        swivel__barrier_nap(); // It was allowed when the loop began.
    }
    swivel__wait_until_zero(&loop->inside);
    // Release pairs with the acquire of other threads that find it. One that has asked too may store
    // it late, when the record has its next loop: that one is shared for nothing.
    SWIVEL_STORE(&loop->sharing, SWIVEL_SHARED, release);
}
