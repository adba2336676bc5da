// SPDX-License-Identifier: Apache-2.0
// Calls that ask something of one timer, with when each began and ended: what is asked for in the
// end is what no later call has replaced.
#ifndef SWIVEL_MODEL_CALLS_H
#define SWIVEL_MODEL_CALLS_H

#include "stage.h"

#define CALLS_MAX 8

/// What a call asks for: an instant, or one of these.
enum { NOTHING = 0, DISARM = 1 };

typedef struct call {
    uint64_t wants;
    uint64_t due_ns;  ///< When the timer then runs: at once, if what it wants has come.
    int began, ended; ///< Order; `ended` is 0 while it is under way.
    bool moved;       ///< What it said: true also while it is under way.
} call;

static call calls[CALLS_MAX];
static int call_count, order;

static call *begin(uint64_t wants)
{
    call *call = &calls[call_count++];
    EXPLORER_CHECK(call_count <= CALLS_MAX);
    call->wants = wants;
    call->due_ns = wants < stage_now ? stage_now : wants;
    call->moved = true;
    call->ended = 0;
    call->began = ++order;
    return call;
}

static void end(call *call, bool moved)
{
    call->ended = ++order;
    call->moved = moved;
}

/// Whether a call that has ended began after this one had ended.
static bool is_replaced(const call *call)
{
    for (int i = 0; i < call_count; i++) {
        if (calls[i].moved && calls[i].ended != 0 && call->ended != 0 &&
            calls[i].began > call->ended) {
            return true;
        }
    }
    return false;
}

#endif
