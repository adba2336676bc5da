// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/queue/gate.h"

/// Orders own posts and what this thread has sent since this was called last: those that are there
/// come before it, and later ones after it. They do not wait for entries that other threads send
/// meanwhile, which may never stop.
static void settle(swivel_loop *loop)
{
    uint64_t sent = SWIVEL_LOAD(&loop->sent, relaxed);
    if (sent == loop->settled) {
        return; // Nothing: the inbox must not wait for own posts that may never stop.
    }
    loop->settled = sent;
    loop->left_over = loop->local.tail;
    if (loop->local.head == loop->local.tail) {
        loop->gate = sent;
    } else if (sent > loop->inbox.cursor) {
        // Without memory for a fence they do not wait: their order is lost, but no post is.
        swivel_entry fence = {swivel__message(SWIVEL_FENCE, 0, 0), sent};
        swivel__ring_renew(&loop->local, fence);
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
    settle(loop);
}

void swivel__gate_leave(swivel_loop *loop)
{
    if (loop != NULL) {
        SWIVEL_STORE(&loop->drove, &swivel__thread, relaxed);
    }
}

void swivel__gate_return(swivel_loop *loop)
{
    if (loop != NULL) {
        settle(loop);
    }
}
