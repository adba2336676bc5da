// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/queue/gate.h"

/// Makes own posts wait for entries that this thread sent before them. They do not wait for those
/// that other threads send meanwhile, which may never stop.
static void wait_for_sent(swivel_loop *loop)
{
    uint64_t sent = SWIVEL_LOAD(&loop->sent, relaxed);
    if (loop->local.head == loop->local.tail) {
        loop->gate = sent;
    } else if (sent > loop->inbox.cursor) {
        // Without memory for a fence they do not wait: their order is lost, but no post is.
        swivel_entry fence = {swivel__message(SWIVEL_FENCE, 0, 0), sent};
        swivel__ring_push_fence(&loop->local, fence);
    }
}

void swivel__gate_enter(swivel_loop *loop)
{
    if (SWIVEL_LOAD(&loop->drove, relaxed) != &swivel__thread) {
        // Its entries are not known the first time.
        uint64_t sent = SWIVEL_LOAD(&loop->inbox.tail, acquire) & ~SWIVEL_CLOSED;
        SWIVEL_STORE(&loop->sent, sent, relaxed);
        bool is_own = loop->config.drive == SWIVEL_OWN_THREAD;
        SWIVEL_STORE(&loop->drove, is_own ? NULL : &swivel__thread, relaxed);
    }
    loop->left_over = loop->local.tail;
    wait_for_sent(loop);
}

void swivel__gate_leave(swivel_loop *loop)
{
    if (loop != NULL) {
        loop->left_over = loop->local.tail;
        SWIVEL_STORE(&loop->drove, &swivel__thread, relaxed);
    }
}

void swivel__gate_return(swivel_loop *loop)
{
    if (loop != NULL) {
        wait_for_sent(loop);
    }
}
