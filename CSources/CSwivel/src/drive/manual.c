// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/park/park.h"

/// A wait that another thread ends has ended by then, even on a heavily loaded machine.
#define SWIVEL_PATIENCE_NS UINT64_C(10000000000)

/// The share of its patience that a pump has for threads that were not announced.
#define SWIVEL_GRACE_SHARE 100

static bool is_awaited(swivel_loop *loop)
{
    return loop->config.manual_is_awaited != NULL &&
           loop->config.manual_is_awaited(loop->config.owner);
}

bool swivel__manual_wait(swivel_loop *loop, swivel_patience *patience, uint64_t check_ns,
                         uint64_t next_ns)
{
    uint64_t whole = loop->config.manual_patience_ns;
    whole = whole != 0 ? whole : SWIVEL_PATIENCE_NS;
    uint64_t grace = whole / SWIVEL_GRACE_SHARE;
    swivel_mono now = swivel__mono_now();
    if (patience->ends.ns == 0) {
        patience->ends = swivel__mono_after(now, whole);
        patience->moves = swivel__mono_after(now, grace);
    }
    bool may_move = next_ns != SWIVEL_NEVER_NS;
    bool is_over = !swivel__mono_is_before(now, patience->ends);
    bool has_grace = swivel__mono_is_before(now, patience->moves);
    if (may_move && (is_over || (!has_grace && !is_awaited(loop)))) {
        swivel__clock_set(&loop->clock, next_ns);
        patience->ends = swivel__mono_after(now, whole);
        return true;
    }
    swivel_mono until = check_ns == 0 ? SWIVEL_MONO_NEVER : swivel__mono_after(now, check_ns);
    until = swivel__mono_first(until, patience->ends);
    if (may_move) {
        swivel_mono moves = has_grace ? patience->moves : swivel__mono_after(now, grace);
        until = swivel__mono_first(until, moves);
    }
    swivel__park(loop, true, until);
    if (!swivel__inbox_is_empty(&loop->inbox)) {
        patience->ends = SWIVEL_MONO_PAST;
        return true;
    }
    return may_move || swivel__mono_is_before(swivel__mono_now(), patience->ends);
}
