// SPDX-License-Identifier: Apache-2.0
// What a loop does when a turn has left nothing to do: it looks for a few microseconds, then parks.
#include "../../include/internal/loop.h"

/// How long a loop looks at its inbox before it parks. A reply to what it just sent mostly comes
/// within this time, and waking a parked thread costs as much again.
#define SWIVEL_LOOK_NS 5000
/// A look that found work scores one, one that did not loses two; with a score every park is looked
/// before.
#define SWIVEL_LOOK_SCORE_MAX 8
/// Without a score, a park of a loop that has posted to another one is probed now and then, by a
/// longer look: whoever answers may first have to be woken, which takes tens of microseconds on an
/// idle virtual processor. Two loops that answer each other find out that looking pays when one
/// probes while the other goes on looking; so after a probe that found work late, the next parks
/// are probed too, up to this many.
#define SWIVEL_PROBE_NS 100000
#define SWIVEL_PROBES_IN_A_ROW 32
/// One such park in 16 is probed, on average, and half as many after each probe in vain. After a
/// row that led nowhere one in 256 is: work then just comes at that pace, and probing would burn a
/// core.
#define SWIVEL_PROBE_SHIFT 4
#define SWIVEL_PROBES_IN_VAIN 2
#define SWIVEL_PROBES_LED_NOWHERE 4
/// Pauses between two looks at the clock.
#define SWIVEL_LOOK_STRIDE 8
/// Parks in a row that a timer ended after a short sleep: from here on it is a rush.
#define SWIVEL_RUSH 8
/// A sleep is short if it is less than so many times the lateness of wake-ups.
#define SWIVEL_RUSH_SHORT 4
/// The least sleep in a rush, in latenesses of wake-ups; and at most.
#define SWIVEL_RUSH_SLEEP 2
#define SWIVEL_RUSH_SLEEP_MAX_NS UINT64_C(100000)
/// A loop asks to be woken before a timer is due by as much as the kernel is surely late by; what
/// is left then is spun away, so this is also the longest spin.
#define SWIVEL_LEAD_MAX_NS UINT64_C(50000)
/// A loop with fewer nodes than this at its peak keeps what it has.
#define SWIVEL_SHRINK_NODES (4 * SWIVEL_CHUNK_NODES)
/// A peak from which on what its closures took is given back, too.
#define SWIVEL_TRIM_NODES (16 * SWIVEL_CHUNK_NODES)
/// Empty queues of this size are kept.
#define SWIVEL_SHRINK_ENTRIES 4096
/// The poller is served at least this often while looks keep finding work.
#define SWIVEL_SERVE_NS 50000

/// Looks for work until `ends`, or until what is due at `until` in the loop's time. Returns whether
/// another thread sent some.
static bool look(swivel_loop *loop, swivel_real ends, uint64_t until_ns)
{
    do {
        for (int i = 0; i < SWIVEL_LOOK_STRIDE; i++) {
            if (swivel__wake_is_due(&loop->wake, until_ns)) {
                return true;
            }
            SWIVEL_PAUSE();
        }
        // The exact clock has the last word: what was told is ahead, and nothing would be due.
    } while (swivel__real_is_before(swivel__clock_told(&loop->clock), ends) ||
             swivel__real_is_before(swivel__clock_anchor(&loop->clock), ends));
    return false;
}

/// How long to look before this park; 0: not at all.
static uint64_t worth_of_a_look(swivel_loop *loop)
{
    bool expects_reply = loop->expects_reply;
    loop->expects_reply = false;
    if (loop->look_score > 0) {
        return SWIVEL_LOOK_NS;
    }
    if (!expects_reply) {
        return 0;
    }
    // A linear congruential generator (Knuth, MMIX) whose upper bits decide: probes at regular
    // parks of two loops might never meet.
    loop->chance = loop->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t shift = SWIVEL_PROBE_SHIFT + loop->probes_in_vain;
    bool is_probe = loop->probes > 0 || (loop->chance >> 33) >> (31 - shift) == 0;
    return is_probe ? SWIVEL_PROBE_NS : 0;
}

/// Learns from a look whether looking pays.
static void score(swivel_loop *loop, bool found, uint64_t took_ns)
{
    if (found && took_ns <= SWIVEL_LOOK_NS) {
        loop->look_score += loop->look_score < SWIVEL_LOOK_SCORE_MAX;
        loop->probes = 0;
        loop->probes_in_vain = 0;
    } else if (found && loop->probes < SWIVEL_PROBES_IN_A_ROW) {
        loop->probes++;
    } else if (found) {
        loop->probes = 0;
        loop->probes_in_vain = SWIVEL_PROBES_LED_NOWHERE;
    } else if (loop->look_score > 0) {
        loop->look_score -= loop->look_score < 2 ? loop->look_score : 2;
    } else {
        loop->probes = 0;
        loop->probes_in_vain += loop->probes_in_vain < SWIVEL_PROBES_IN_VAIN;
    }
}

/// Whether there is work, or a look found some, and parking is not called for. `until_ns` is
/// `until` in the loop's time.
static bool look_before_parking(swivel_loop *loop, swivel_real until, uint64_t until_ns)
{
    swivel_real now = swivel__clock_told(&loop->clock);
    if (loop->config.busy_poll_ns != 0) {
        swivel_real ends = swivel__real_after(now, loop->config.busy_poll_ns);
        return look(loop, swivel__real_first(ends, until), until_ns) ||
               !swivel__real_is_before(swivel__clock_told(&loop->clock), until);
    }
    // A timer that is due within the look is the kernel's to keep: spinning for it would burn the
    // processor that parking leaves to others.
    uint64_t left = swivel__real_since(now, until);
    if (left == 0) {
        return true;
    }
    uint64_t window = worth_of_a_look(loop);
    if (window == 0 || left <= window) {
        return false;
    }
    bool found = look(loop, swivel__real_after(now, window), until_ns);
    score(loop, found, swivel__real_since(now, swivel__clock_told(&loop->clock)));
    return found;
}

/// Takes what a load long gone has left out of use: nodes held ready for other threads keep the
/// pages of their chunks, and the near heap has the size of its largest burst.
static void leave_unused(swivel_loop *loop)
{
    swivel_slab *slab = &loop->wheel.slab;
    swivel_heap *near = &loop->wheel.near;
    swivel_ring *local = &loop->local;
    if (slab->peak > SWIVEL_SHRINK_NODES && slab->live < slab->peak / 4) {
        loop->trims |= slab->peak > SWIVEL_TRIM_NODES;
        swivel__slab_trim(slab);
    }
    if (near->capacity > SWIVEL_SHRINK_ENTRIES && near->count == 0) {
        swivel__heap_leave(near, &loop->surplus);
    }
    if (local->capacity > SWIVEL_SHRINK_ENTRIES && local->head == local->tail) {
        swivel__ring_leave(local, &loop->surplus);
    }
}

/// Gives memory back that nothing uses: so much at once that what is sent meanwhile need not wait.
/// Returns whether it has, and there may be more. What closures took comes last, all at once and on a
/// thread of its own: 0029.
static bool shrink(swivel_loop *loop)
{
    swivel_slab *slab = &loop->wheel.slab;
    if (swivel__slab_give(slab) || swivel__pages_give(&loop->surplus)) {
        return true;
    }
    if (loop->depth > 0) {
        return false; // A turn on the stack may be in the middle of what would go.
    }
    leave_unused(loop);
    if (swivel__slab_give(slab) || swivel__pages_give(&loop->surplus)) {
        return true;
    }
    if (SWIVEL_UNLIKELY(loop->trims)) {
        loop->trims = false;
        swivel__trim_closures();
    }
    return false;
}

/// When timers follow each other more closely than the kernel can wake the loop, it would wake for
/// each and be late for it all the same. Then it sleeps at least twice a wake-up's lateness, and
/// finds several due. Lateness grows by about as much; the processor's time shrinks to a fraction.
static swivel_real until_in_rush(swivel_loop *loop, swivel_real until)
{
    if (loop->rush < SWIVEL_RUSH) {
        return until;
    }
    uint64_t sleep = loop->wake_late_ns * SWIVEL_RUSH_SLEEP;
    sleep = sleep < SWIVEL_RUSH_SLEEP_MAX_NS ? sleep : SWIVEL_RUSH_SLEEP_MAX_NS;
    swivel_real earliest = swivel__real_after(swivel__clock_anchor(&loop->clock), sleep);
    return swivel__real_is_before(until, earliest) ? earliest : until;
}

/// Learns from a park that was to end at `asked`, for work at `until`, how late the kernel wakes,
/// and whether this is a rush. Returns whether the time has ended it, not another thread.
static bool learn(swivel_loop *loop, swivel_real parked, swivel_real asked, swivel_real until)
{
    if (swivel__real_is_before(loop->woke, asked)) {
        loop->rush = 0;
        return false;
    }
    uint64_t late = swivel__real_since(asked, loop->woke);
    loop->wake_late_ns = (loop->wake_late_ns * 7 + late) / 8;
    uint64_t lead = loop->wake_lead_ns;
    lead = late < lead ? (lead + late) / 2 : lead + (late - lead) / 8;
    loop->wake_lead_ns = lead < SWIVEL_LEAD_MAX_NS ? lead : SWIVEL_LEAD_MAX_NS;
    bool is_short = swivel__real_since(parked, until) < loop->wake_late_ns * SWIVEL_RUSH_SHORT;
    loop->rush = !is_short ? 0 : loop->rush < SWIVEL_RUSH ? loop->rush + 1 : SWIVEL_RUSH;
    return true;
}

/// When the kernel is to wake a loop that has work at `until`.
static swivel_real ask_for(const swivel_loop *loop, swivel_real until, swivel_real parked)
{
    bool is_near = swivel__real_since(parked, until) < 2 * loop->wake_lead_ns;
    bool leads = until.ns != SWIVEL_NEVER_NS && loop->rush < SWIVEL_RUSH && !is_near;
    until.ns -= leads ? loop->wake_lead_ns : 0;
    return until;
}

/// Waits in the poller; where it cannot watch the guest, the guest waits for both.
static void poll_or_host(swivel_loop *loop, bool wait, swivel_real until)
{
    bool hosts = loop->guest != NULL && loop->guest->host_wait != NULL;
    bool waited = hosts && swivel__guest_host_wait(loop, wait ? until : SWIVEL_REAL_PAST);
    swivel__park_poll(loop->park, wait && !waited, until);
}

static void serve(swivel_loop *loop)
{
    poll_or_host(loop, false, SWIVEL_REAL_PAST);
    loop->served = swivel__clock_told(&loop->clock);
}

/// Sleeps in the poller until `until`, or until it is woken, and learns from it.
static void sleep_until(swivel_loop *loop, swivel_real until)
{
    swivel_real parked = swivel__clock_anchor(&loop->clock);
    SWIVEL_COUNT(&loop->parks, 1);
    SWIVEL_COUNT(&loop->busy_ns, swivel__real_since(loop->woke, parked));
    swivel_real asked = ask_for(loop, until, parked);
    poll_or_host(loop, true, asked);
    swivel__wake_unpark(&loop->wake);
    loop->woke = loop->served = swivel__clock_anchor(&loop->clock);
    if (learn(loop, parked, asked, until) && swivel__real_is_before(loop->woke, until)) {
        look(loop, until, swivel__instant_of(&loop->clock, until));
    }
    SWIVEL_COUNT(&loop->idle_ns, swivel__real_since(parked, loop->woke));
}

void swivel__park(swivel_loop *loop, bool wait, swivel_real until)
{
    until = wait ? until_in_rush(loop, until) : until;
    uint64_t until_ns = swivel__instant_of(&loop->clock, until);
    if (!wait) {
        serve(loop);
    } else if (look_before_parking(loop, until, until_ns)) {
        swivel_real now = swivel__clock_told(&loop->clock);
        if (swivel__real_since(loop->served, now) > SWIVEL_SERVE_NS) {
            serve(loop);
        }
    } else if (shrink(loop)) {
        serve(loop);
    } else if (swivel__wake_park(&loop->wake, &loop->inbox, until_ns)) {
        sleep_until(loop, until);
    }
    SWIVEL_COUNT(&loop->wakes, swivel__park_heard(loop->park));
}
