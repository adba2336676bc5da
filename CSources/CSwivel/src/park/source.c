// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/park/source.h"
#include "../../include/internal/queue/post.h"

static SWIVEL_ATOMIC(const swivel_source *) installed;
/// The loop that owns the source now. Records are never freed, so any thread may notify it.
static SWIVEL_ATOMIC(swivel_loop *) owner;
/// Waits and drives that may be inside the source's work.
static SWIVEL_ATOMIC(uint32_t) awaited;

void swivel__source_install(const swivel_source *source)
{
    SWIVEL_STORE(&installed, source, release);
}

void swivel__source_enter(swivel_loop *loop, const swivel_source *source)
{
    loop->source = source;
    SWIVEL_STORE(&loop->source_is_ready, true, relaxed);
    SWIVEL_STORE(&owner, loop, seq_cst);
    SWIVEL_FETCH_ADD(&awaited, 1, seq_cst);
}

void swivel__source_leave(swivel_loop *loop)
{
    if (loop->source == NULL) {
        return;
    }
    SWIVEL_FETCH_SUB(&awaited, 1, seq_cst);
    SWIVEL_EXCHANGE(&owner, NULL, seq_cst); // Pairs with `swivel__source_notify`.
    SWIVEL_STORE(&loop->source_is_ready, false, relaxed);
    loop->source = NULL;
}

const swivel_source *swivel__source_here(void)
{
    const swivel_source *source = SWIVEL_LOAD(&installed, acquire);
    return source != NULL && source->is_here() ? source : NULL;
}

swivel_loop *swivel__source_owner(void)
{
    return swivel__thread.loops.owner;
}

int swivel__source_pump(bool (*done)(void *), void *argument, swivel_mono deadline)
{
    if (swivel__stack_is_low()) {
        return SWIVEL_EDEADLOCK;
    }
    const swivel_source *source = SWIVEL_LOAD(&installed, acquire);
    int result = source->open();
    if (result != SWIVEL_OK) {
        return result;
    }
    uint32_t forks = swivel_forks();
    swivel_mono began = swivel__mono_now();
    result = 1;
    // Comes before the check for work: pairs with `swivel__source_nudge`.
    SWIVEL_FETCH_ADD(&awaited, 1, seq_cst);
    for (bool has_waited = false; !done(argument); has_waited = true) {
        swivel_mono now = has_waited ? swivel__mono_now() : began;
        bool is_over = !swivel__mono_is_before(now, deadline);
        bool more = (!is_over || has_waited) && source->serve(false);
        if (done(argument)) {
            break;
        }
        // As in a loop's pump. If the work has forked, the child's thread has no source.
        if (is_over || swivel_forks() != forks) {
            result = 0;
            break;
        }
        if (!more) {
            source->wait(began, deadline);
        }
    }
    SWIVEL_FETCH_SUB(&awaited, 1, seq_cst);
    return result;
}

void swivel__source_notify(void)
{
    // A read-modify-write, as in `swivel__source_leave`: either this sees that no loop owns it any
    // more, or the leaving thread sees the work before it waits elsewhere.
    swivel_loop *loop = SWIVEL_FETCH_ADD(&owner, 0, seq_cst);
    if (loop != NULL) {
        // A read-modify-write: the turn takes the last flag, which passes on the work of all.
        SWIVEL_EXCHANGE(&loop->source_is_ready, true, release);
        swivel_loop_wake(loop);
    } else {
        SWIVEL_LOAD(&installed, acquire)->notify();
    }
}

void swivel__source_nudge(void)
{
    // A read-modify-write, so that either this sees the wait or the wait sees the work.
    if (SWIVEL_FETCH_ADD(&awaited, 0, seq_cst) > 0) {
        swivel__source_notify();
    }
}

/// The source's work does not belong to the loop: it posts like any other thread.
void swivel__source_resume(swivel_loop *loop)
{
    swivel__gate_leave(loop);
    swivel_thread_loops *loops = &swivel__thread.loops;
    loops->own = loops->current = NULL;
    loops->owner = loop;
}

bool swivel__source_suspend(swivel_loop *loop)
{
    swivel_thread_loops *loops = &swivel__thread.loops;
    if (loops->owner != loop) {
        return false;
    }
    loops->own = swivel_loop_refusal(loop) == SWIVEL_OK ? loop : NULL;
    loops->current = loop;
    loops->owner = NULL;
    swivel__gate_return(loop);
    return true;
}

void swivel__source_turn(swivel_loop *loop)
{
    if (!SWIVEL_EXCHANGE(&loop->source_is_ready, false, acquire) || loop->source == NULL) {
        return;
    }
    swivel__source_resume(loop);
    bool more = loop->source->serve(true);
    swivel__source_suspend(loop);
    if (more) {
        // As in `swivel__source_notify`, for notifications that came in between.
        SWIVEL_EXCHANGE(&loop->source_is_ready, true, relaxed);
    }
}
