// SPDX-License-Identifier: Apache-2.0
// What a loop does when a turn has left nothing to do: it looks for a few microseconds, then parks.
#include "../include/internal/loop.h"

/// How long a loop looks at its inbox before it parks. A reply to what it just sent mostly comes
/// within this time, and waking a parked thread costs as much again.
#define SWIVEL_LOOK_NS 5000
/// Looks that found nothing are skipped more and more often, up to all but every 16th.
#define SWIVEL_LOOK_SCORE_MAX 8
#define SWIVEL_LOOK_PROBE 16
/// Pauses between two looks at the clock.
#define SWIVEL_LOOK_STRIDE 8
/// A loop with fewer nodes than this at its peak keeps what it has.
#define SWIVEL_SHRINK_NODES (4 * SWIVEL_CHUNK_NODES)
/// Empty queues of this size are kept.
#define SWIVEL_SHRINK_ENTRIES 4096
/// The poller is served at least this often while looks keep finding work.
#define SWIVEL_SERVE_NS 50000

/// Looks for work until `ends_ns`. Returns whether there is some.
static bool look(swivel_loop *loop, uint64_t ends_ns, uint64_t until_ns)
{
    uint64_t now;
    do {
        for (int i = 0; i < SWIVEL_LOOK_STRIDE; i++) {
            if (swivel__wake_is_due(&loop->wake, until_ns)) {
                return true;
            }
            SWIVEL_PAUSE();
        }
        now = swivel__clock_ahead(&loop->clock);
        if (now >= until_ns) {
            return true;
        }
    } while (now < ends_ns);
    return false;
}

/// Whether a look found work. An adaptive look scores one for a hit and loses two for a miss;
/// without score only every 16th park is looked before.
static bool look_before_parking(swivel_loop *loop, uint64_t until_ns)
{
    if (loop->clock.manual) {
        return false; // Its time stands still: a look would have no end.
    }
    uint64_t now = swivel__clock_ahead(&loop->clock);
    if (loop->config.busy_poll_ns != 0) {
        return look(loop, swivel__saturating_add(now, loop->config.busy_poll_ns), until_ns);
    }
    if (loop->look_score == 0 && ++loop->look_skips < SWIVEL_LOOK_PROBE) {
        return false;
    }
    loop->look_skips = 0;
    bool found = look(loop, now + SWIVEL_LOOK_NS, until_ns);
    if (found) {
        loop->look_score += loop->look_score < SWIVEL_LOOK_SCORE_MAX;
    } else {
        loop->look_score -= loop->look_score < 2 ? loop->look_score : 2;
    }
    return found;
}

/// Gives memory back that a load long gone has left: nodes held ready for other threads pin their
/// pages, and the near heap has the size of its largest burst.
static void shrink(swivel_loop *loop)
{
    swivel_slab *slab = &loop->wheel.slab;
    swivel_heap *near = &loop->wheel.near;
    swivel_ring *local = &loop->local;
    if (loop->depth > 0) {
        return; // A turn on the stack may be in the middle of one of them.
    }
    if (slab->peak > SWIVEL_SHRINK_NODES && slab->live < slab->peak / 4) {
        swivel__slab_trim(slab);
    }
    if (near->capacity > SWIVEL_SHRINK_ENTRIES && near->count == 0) {
        swivel__heap_free(near);
    }
    if (local->capacity > SWIVEL_SHRINK_ENTRIES && local->head == local->tail) {
        swivel__ring_free(local);
    }
}

static void serve(swivel_loop *loop)
{
    swivel__park_poll(loop->park, false, 0);
    loop->served_ns = swivel__clock_ahead(&loop->clock);
}

void swivel__park(swivel_loop *loop, bool wait, uint64_t until_ns)
{
    if (!wait) {
        serve(loop);
    } else if (look_before_parking(loop, until_ns)) {
        if (swivel__clock_ahead(&loop->clock) - loop->served_ns > SWIVEL_SERVE_NS) {
            serve(loop);
        }
    } else if (swivel__wake_park(&loop->wake, &loop->inbox, until_ns)) {
        shrink(loop);
        uint64_t parked_ns = swivel__clock_exact(&loop->clock);
        SWIVEL_COUNT(&loop->parks, 1);
        SWIVEL_COUNT(&loop->busy_ns, parked_ns - loop->woke_ns);
        swivel__park_poll(loop->park, true, until_ns);
        swivel__wake_unpark(&loop->wake);
        loop->woke_ns = loop->served_ns = swivel__clock_exact(&loop->clock);
        SWIVEL_COUNT(&loop->idle_ns, loop->woke_ns - parked_ns);
    }
    SWIVEL_COUNT(&loop->wakes, swivel__park_heard(loop->park));
}
