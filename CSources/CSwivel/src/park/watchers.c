// SPDX-License-Identifier: Apache-2.0
// All watchers of a loop: served before a park, checked, delivered, ended with the loop.
#include "../../include/internal/park/watcher_uv.h"

/// Descriptors that a step of a round checks, one in a turn: 50 µs.
#define SWIVEL_CHECKED 256
/// The time from the beginning of a round of checks to that of the next one.
#define SWIVEL_CHECK_NS UINT64_C(100000000)

/// Begins a round of checks if it is time and something has run since the last; does a step of it.
static void check_some(swivel_loop *loop, swivel_mono now)
{
    swivel_watchers *all = &loop->watchers;
    uint64_t ran = loop->posts + loop->fired;
    if (all->unchecked == NULL) {
        if (all->check_at.ns == SWIVEL_NEVER_NS && ran != all->ran) {
            all->check_at = swivel__mono_after(now, SWIVEL_CHECK_NS);
        }
        if (swivel__mono_is_before(now, all->check_at)) {
            return;
        }
        swivel__signals_check(loop);
        all->unchecked = all->first;
        all->check_at = SWIVEL_MONO_NEVER;
        all->ran = ran;
    }
    for (int left = SWIVEL_CHECKED; all->unchecked != NULL && left > 0; left--) {
        swivel_watcher *watcher = all->unchecked;
        all->unchecked = watcher->next;
        swivel__watcher_check(watcher);
    }
}

bool swivel__watchers_serve(swivel_loop *loop)
{
    if (loop->dead) {
        return false; // A closure has forked, and the poller is the parent's.
    }
    swivel__signals_hear(loop);
    check_some(loop, loop->served); // A turn ago: soon enough, and costs no reading of the clock.
    return swivel__has_own_work(loop) || loop->watchers.unchecked != NULL;
}

/// Checks those in doubt: a crowd or, if a poll has found no events, all, else those that two polls
/// have missed.
static void resolve_doubts(swivel_watchers *all)
{
    if (all->doubts > SWIVEL_DOUBTED_FEW) {
        swivel__watcher_resolve_crowd(all);
    }
    bool is_quiet = all->first_queued == NULL;
    uint32_t count = all->doubts;
    all->doubts = 0;
    for (uint32_t i = 0; i < count; i++) {
        swivel_watcher *watcher = all->doubted[i];
        if (watcher == NULL) {
            continue; // It was closed.
        }
        watcher->doubt = is_quiet || watcher->is_queued ? 0 : watcher->doubt - 1;
        if (watcher->doubt > 0) {
            all->doubted[all->doubts++] = watcher;
        } else {
            swivel__watcher_check(watcher);
        }
    }
}

bool swivel__watchers_ready(swivel_loop *loop, swivel_mono *until)
{
    resolve_doubts(&loop->watchers);
    *until = swivel__mono_first(*until, loop->watchers.check_at);
    return loop->watchers.first_queued != NULL;
}

void swivel__watchers_poll(swivel_loop *loop, bool wait, swivel_mono until)
{
    swivel__descriptors_poll(loop, wait, until);
    swivel__signals_hear(loop);
    resolve_doubts(&loop->watchers);
}

void *swivel__watcher_owner(swivel_loop *loop, int descriptor)
{
    // The last one comes first: one before has lost its file.
    swivel_watcher *watcher = loop->watchers.first;
    while (watcher != NULL && (watcher->is_signal || watcher->number != descriptor)) {
        watcher = watcher->next;
    }
    return watcher == NULL ? NULL : watcher->owner;
}

uint32_t swivel__watchers_number(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->watchers.count, relaxed);
}

size_t swivel__watchers_list(swivel_loop *loop, int *numbers, void **owners, size_t room)
{
    size_t count = 0;
    const swivel_watcher *watcher = loop->watchers.first;
    for (; watcher != NULL && count < room; watcher = watcher->next) {
        owners[count] = watcher->owner;
        numbers[count++] = watcher->is_signal ? -watcher->number : watcher->number;
    }
    return count;
}

uint32_t swivel__watchers_end(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    uint32_t ended = 0;
    for (swivel_watcher *watcher; (watcher = all->first) != NULL;) {
        void *owner = watcher->owner;
        swivel_watcher_calls calls = watcher->calls;
        swivel__watcher_close(watcher);
        ended += calls.ended(owner); // May run the owner's code, which may close others.
    }
    while (all->first_queued != NULL) {
        swivel__watcher_free_unused(swivel__watcher_take(all));
    }
    swivel__watchers_forget(all);
    if (!loop->dead) {
        swivel__descriptors_close(loop);
    }
    return ended;
}
