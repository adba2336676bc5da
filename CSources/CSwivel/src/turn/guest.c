// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/turn/guest.h"
#include "../../include/internal/loop.h"
#include "../../include/internal/queue/post.h"

static SWIVEL_ATOMIC(const swivel_guest *) installed;
/// The loop that hosts the guest now. Records are never freed, so any thread may notify it.
static SWIVEL_ATOMIC(swivel_loop *) host;
/// Waits and drives that may be inside the guest's work.
static SWIVEL_ATOMIC(uint32_t) awaited;

void swivel__guest_install(const swivel_guest *guest)
{
    SWIVEL_STORE(&installed, guest, release);
}

const swivel_guest *swivel__guest_installed(void)
{
    return SWIVEL_LOAD(&installed, acquire);
}

void swivel__guest_host_begins(swivel_loop *loop)
{
    SWIVEL_STORE(&host, loop, seq_cst);
    SWIVEL_FETCH_ADD(&awaited, 1, seq_cst);
}

void swivel__guest_host_ends(void)
{
    SWIVEL_FETCH_SUB(&awaited, 1, seq_cst);
    // Pairs with `swivel__guest_notify`.
    SWIVEL_EXCHANGE(&host, NULL, seq_cst);
}

bool swivel__guest_is_here(void)
{
    const swivel_guest *guest = SWIVEL_LOAD(&installed, acquire);
    return guest != NULL && guest->is_here();
}

swivel_loop *swivel__guest_host(void)
{
    return swivel__thread.loops.host;
}

void swivel__guest_serve(void)
{
    SWIVEL_LOAD(&installed, acquire)->serve(true);
}

int swivel__guest_pump(bool (*done)(void *), void *argument, swivel_mono deadline)
{
    char here;
    if ((uintptr_t)&here < swivel__stack_low()) {
        return SWIVEL_EDEADLOCK;
    }
    const swivel_guest *guest = SWIVEL_LOAD(&installed, acquire);
    int result = guest->open();
    if (result != SWIVEL_OK) {
        return result;
    }
    uint32_t forks = swivel_forks();
    swivel_mono began = swivel__mono_now();
    result = 1;
    // Comes before the check for work: pairs with `swivel__guest_nudge`.
    SWIVEL_FETCH_ADD(&awaited, 1, seq_cst);
    for (bool has_waited = false; !done(argument); has_waited = true) {
        swivel_mono now = has_waited ? swivel__mono_now() : began;
        bool is_over = !swivel__mono_is_before(now, deadline);
        bool more = (!is_over || has_waited) && guest->serve(false);
        if (done(argument)) {
            break;
        }
        // As in a loop's pump. The guest's work may also fork: its thread continues in the child,
        // without a guest.
        if (is_over || swivel_forks() != forks) {
            result = 0;
            break;
        }
        if (!more) {
            guest->wait(began, deadline);
        }
    }
    SWIVEL_FETCH_SUB(&awaited, 1, seq_cst);
    return result;
}

void swivel__guest_notify(void)
{
    // A read-modify-write, as in `swivel__guest_leave`: either this sees that no loop hosts any
    // more, or the leaving thread sees the work before it waits elsewhere. A load may overtake the
    // caller's store of the work, and notify a loop that has left.
    swivel_loop *loop = SWIVEL_FETCH_ADD(&host, 0, seq_cst);
    if (loop != NULL) {
        // Of several notifications the turn takes the last one's flag. As a read-modify-write it
        // passes on the work of those before it.
        SWIVEL_EXCHANGE(&loop->guest_is_ready, true, release);
        swivel_loop_wake(loop);
    } else {
        SWIVEL_LOAD(&installed, acquire)->notify();
    }
}

void swivel__guest_nudge(void)
{
    // A read-modify-write, so that either this sees the wait or the wait sees the work.
    if (SWIVEL_FETCH_ADD(&awaited, 0, seq_cst) > 0) {
        swivel__guest_notify();
    }
}

/// The guest's work does not belong to the loop: it posts like any other thread.
void swivel__guest_resume(swivel_loop *loop)
{
    swivel__gate_leave(loop);
    uint64_t read_ns = swivel__thread.loops.read_ns;
    swivel__thread.loops = (swivel_thread_loops){.host = loop, .read_ns = read_ns};
}

void swivel__guest_leave_work(swivel_loop *loop)
{
    bool accepts = SWIVEL_LOAD(&loop->refusal, acquire) == SWIVEL_OK;
    uint64_t read_ns = swivel__thread.loops.read_ns;
    swivel__thread.loops = (swivel_thread_loops){
        .own = accepts ? loop : NULL, .current = loop, .read_ns = read_ns};
    swivel__gate_return(loop);
}

bool swivel__guest_suspend(swivel_loop *loop)
{
    bool in_guest = swivel__thread.loops.host == loop;
    if (in_guest) {
        swivel__guest_leave_work(loop);
    }
    return in_guest;
}

void swivel__guest_turn(swivel_loop *loop)
{
    if (!SWIVEL_EXCHANGE(&loop->guest_is_ready, false, acquire) || loop->guest == NULL) {
        return;
    }
    swivel__guest_resume(loop);
    bool more = loop->guest->serve(true);
    swivel__guest_leave_work(loop);
    if (more) {
        // As in `swivel__guest_notify`, for notifications that came in between.
        SWIVEL_EXCHANGE(&loop->guest_is_ready, true, relaxed);
    }
}
