// SPDX-License-Identifier: Apache-2.0
// All watchers of a loop: served before a park, checked now and then, delivered, ended with the loop.
#include "../../include/internal/park/park.h"
#include "../../include/internal/park/signals.h"
#include "../../include/internal/park/watcher_uv.h"

/// Descriptors that a step of a round checks, one in a turn: 50 µs.
#define SWIVEL_CHECKED 256
/// The time from the beginning of a round of checks to that of the next one.
#define SWIVEL_CHECK_NS UINT64_C(100000000)
/// A watcher that was delivered is checked if it is not heard the next time but one: of two that
/// answer each other, each is heard every other time.
#define SWIVEL_DOUBT_POLLS 2
/// At most this number is checked before a sleep: a sleep that ends for the check costs more.
#define SWIVEL_DOUBTS_FEW 4
/// The time between two checks of more: they are a crowd that is reported again and again.
#define SWIVEL_DOUBT_NS UINT64_C(20000000)

/// Checks a watcher unless its news, or its owner's return, ends in a check anyway.
static void check(swivel_watcher *watcher)
{
    if (!watcher->is_queued && !watcher->is_delivering && watcher->status == SWIVEL_OK) {
        watcher->kind->check(watcher);
    }
}

/// Begins a round of checks if it is time, and does a step of it. A round follows what the loop has
/// run: an idle loop sleeps on.
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
        check(watcher);
    }
}

bool swivel__watchers_serve(swivel_loop *loop)
{
    if (loop->dead) {
        return false; // A closure has forked, and the poller is the parent's.
    }
    swivel_watchers *all = &loop->watchers;
    all->is_before_timers = false;
    if (all->has_changed) {
        all->has_changed = false;
        uv_run(swivel__park_uv(loop->park), UV_RUN_NOWAIT); // Takes the handles over.
    }
    swivel__signals_hear(loop);
    if (all->first == NULL) {
        all->check_at = SWIVEL_MONO_NEVER;
        swivel__park_reveal(loop->park, false);
    } else {
        check_some(loop, loop->served); // A turn ago: soon enough, and costs no reading of the clock.
        swivel__descriptors_serve(loop, loop->served);
    }
    return swivel__has_own_work(loop) || all->unchecked != NULL;
}

/// Checks those that were delivered and not heard since, in the order of their delivery: all if the
/// poller has found nothing, else those that it could have found. A step of it. Returns whether it
/// was the last one.
static bool check_doubts(swivel_watchers *all)
{
    bool is_quiet = all->first_queued == NULL;
    for (int left = SWIVEL_CHECKED; all->first_doubt != NULL; left--) {
        swivel_watcher *watcher = all->first_doubt;
        if (left == 0) {
            return false;
        }
        if (!is_quiet && all->polls - watcher->polls < SWIVEL_DOUBT_POLLS) {
            break;
        }
        swivel__watcher_forget_doubt(watcher);
        check(watcher);
    }
    return true;
}

/// The same for few of them at once, and for many now and then.
static void resolve_doubts(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    if (all->doubts <= SWIVEL_DOUBTS_FEW) {
        check_doubts(all);
        return;
    }
    swivel_mono now = swivel__clock_told(&loop->clock);
    if (!swivel__mono_is_before(now, all->doubt_until) && check_doubts(all)) {
        all->doubt_until = swivel__mono_after(now, SWIVEL_DOUBT_NS);
    }
}

bool swivel__watchers_ready(swivel_loop *loop, swivel_mono *until)
{
    swivel_watchers *all = &loop->watchers;
    resolve_doubts(loop);
    *until = swivel__mono_first(*until, all->check_at);
    if (all->first_doubt != NULL) {
        *until = swivel__mono_first(*until, all->doubt_until);
    }
    return all->first_queued != NULL;
}

void swivel__watchers_poll(swivel_loop *loop, bool wait, swivel_mono until)
{
    swivel__descriptors_poll(loop, wait, until);
    swivel__signals_hear(loop);
    if (loop->watchers.first_doubt != NULL) {
        resolve_doubts(loop);
    }
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

size_t swivel__watchers_list(swivel_loop *loop, int *numbers, void **owners, size_t room)
{
    size_t count = 0;
    const swivel_watcher *watcher = loop->watchers.first;
    for (; watcher != NULL && count < room; watcher = watcher->next) {
        owners[count] = watcher->owner;
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
    swivel__watchers_drop_queue(loop);
    if (!loop->dead) {
        swivel__watchers_close(loop);
    }
    return ended;
}

/// Takes the first watcher out of the queue.
static swivel_watcher *take(swivel_watchers *all)
{
    swivel_watcher *watcher = all->first_queued;
    all->first_queued = watcher->next_queued;
    all->delivered += 1;
    watcher->is_queued = false;
    return watcher;
}

void swivel__watchers_drop_queue(swivel_loop *loop)
{
    swivel_watchers *all = &loop->watchers;
    while (all->first_queued != NULL) {
        swivel__watcher_free_unused(take(all));
    }
    swivel__watchers_forget(all);
}

/// Calls the owner.
static void call(swivel_loop *loop, swivel_watcher *watcher)
{
    // An owner that has changed its mind is not called for what it does not want.
    int events = watcher->heard & swivel__told_events(watcher->wanted), status = watcher->status;
    bool is_news = events != 0 || status != SWIVEL_OK || watcher->again;
    watcher->heard = 0;
    watcher->again = false;
    watcher->is_delivering = true;
    if (is_news) {
        SWIVEL_STORE(&loop->running, watcher->site, relaxed);
        SWIVEL_COUNT(&loop->posts, 1);
        watcher->calls.heard(watcher->owner, watcher->number, events, status);
    }
    watcher->is_delivering = false;
    swivel__watcher_go_on(watcher, status);
}

/// Takes the first watcher out of the queue and calls its owner, unless it was closed before.
static void deliver_first(swivel_loop *loop)
{
    swivel_watcher *watcher = take(&loop->watchers);
    if (watcher->owner == NULL) {
        swivel__watcher_free_unused(watcher);
    } else {
        call(loop, watcher);
    }
}

const swivel_turn_calls swivel__turn_calls = {swivel__descriptors_listen, deliver_first};
