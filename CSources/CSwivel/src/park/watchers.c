// SPDX-License-Identifier: Apache-2.0
// All watchers of a loop: served before a park, checked now and then, ended with the loop.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/signals.h"
#include "../../include/internal/park/watcher_uv.h"

/// Descriptors that one check looks at: 50 µs, so that many of them cost a share of 0.05 %.
#define SWIVEL_CHECKED 256
/// The shortest and the longest time between two checks. It doubles while the loop has nothing to
/// run: a descriptor that is closed under a sleeping loop is noticed at the latest after as long
/// again as the loop has slept.
#define SWIVEL_CHECK_NS UINT64_C(100000000)
#define SWIVEL_CHECK_MAX_NS UINT64_C(60000000000)

/// Checks some descriptors, and sets the time of the next check.
static void check(swivel_loop *loop, swivel_real now)
{
    swivel__signals_check(loop);
    swivel_watchers *all = &loop->watchers;
    uint64_t ran = loop->posts + loop->fired;
    swivel_watcher *watcher = all->unchecked == NULL ? all->first : all->unchecked;
    for (int left = SWIVEL_CHECKED; watcher != NULL && left > 0; left--) {
        if (!swivel__watcher_waits(watcher)) {
            watcher->kind->check(watcher);
        }
        watcher = watcher->next;
    }
    all->unchecked = watcher;
    bool is_idle = ran == all->ran && watcher == NULL;
    uint64_t after = is_idle ? 2 * all->check_after_ns : 0;
    after = after < SWIVEL_CHECK_NS ? SWIVEL_CHECK_NS : after;
    all->check_after_ns = after < SWIVEL_CHECK_MAX_NS ? after : SWIVEL_CHECK_MAX_NS;
    all->check_at = swivel__real_after(now, all->check_after_ns);
    all->ran = ran;
}

void swivel__watchers_listen(swivel_loop *loop)
{
    swivel__signals_hear(loop);
    swivel__descriptors_listen(loop);
}

bool swivel__watchers_serve(swivel_loop *loop)
{
    if (loop->dead) {
        return false; // A closure has forked, and the poller is the parent's.
    }
    swivel_watchers *all = &loop->watchers;
    if (all->has_changed) {
        all->has_changed = false;
        uv_run(swivel__park_uv(loop->park), UV_RUN_NOWAIT); // Takes the handles over.
    }
    swivel__watchers_listen(loop);
    swivel_real now = swivel__clock_told(&loop->clock);
    if (all->first == NULL) {
        all->check_at = SWIVEL_REAL_NEVER;
        swivel__park_reveal(loop->park, false);
    } else if (!swivel__real_is_before(now, all->check_at)) {
        check(loop, now);
    }
    return loop->local.head != loop->local.tail;
}

void *swivel__watcher_owner(swivel_loop *loop, int descriptor)
{
    // The last one comes first: one before has lost its file.
    swivel_watcher *watcher = loop->watchers.first;
    while (watcher != NULL && (watcher->kind->is_signal || watcher->number != descriptor)) {
        watcher = watcher->next;
    }
    return watcher == NULL ? NULL : watcher->owner;
}

uint32_t swivel__watchers_number(swivel_loop *loop)
{
    return SWIVEL_LOAD(&loop->watchers.count, relaxed);
}

size_t swivel__watchers_list(swivel_loop *loop, int *numbers, size_t room)
{
    size_t count = 0;
    const swivel_watcher *watcher = loop->watchers.first;
    for (; watcher != NULL && count < room; watcher = watcher->next) {
        numbers[count++] = watcher->kind->is_signal ? -watcher->number : watcher->number;
    }
    return count;
}

uint32_t swivel__watchers_end(swivel_loop *loop)
{
    uint32_t ended = 0;
    for (swivel_watcher *watcher; (watcher = loop->watchers.first) != NULL;) {
        void *owner = watcher->owner;
        swivel_watcher_calls calls = watcher->calls;
        swivel__watcher_close(watcher);
        ended += calls.ended(owner); // May run the owner's code, which may close others.
    }
    if (!loop->dead) {
        swivel__watchers_close(loop);
    }
    return ended;
}
