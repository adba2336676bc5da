// SPDX-License-Identifier: Apache-2.0
// The clock and the poller of a stub.
#include "stub_park.h"
#include "memory.h"

#include "internal/drive/drive.h"
#include "internal/park/park.h"
#include "internal/park/watcher.h"
#include "internal/thread/process.h"
#include "internal/turn/turn.h"

#include <string.h>

uint64_t stub_now;
bool stub_ending;
void (*stub_asleep)(uint64_t until_ns);
int stub_rings, stub_sleeps;
bool (*stub_serve)(void);

struct swivel_park {
    bool notified, expired, waits, is_alive;
    uint64_t until_ns;
};

/// One is enough: a model has one loop. It outlives the loop, to see who comes too late.
static struct swivel_park the_park;

void swivel__point(void)
{
    explorer_point();
}

void stub_silence(void)
{
    the_park.notified = false;
    stub_rings = stub_sleeps = 0;
}

// The clock.

uint64_t swivel_now_ns(void)
{
    return stub_now;
}

uint64_t swivel__ticks(void)
{
    return stub_now;
}

swivel_mono swivel__mono_now(void)
{
    swivel_mono now = {stub_now};
    return now;
}

uint64_t swivel__clock_exact(swivel_clock *clock)
{
    (void)clock;
    return stub_now;
}

uint64_t swivel__clock_ahead_slow(swivel_clock *clock)
{
    return swivel__clock_exact(clock);
}

void swivel__clock_start(swivel_clock *clock, bool manual, uint64_t start_ns)
{
    (void)manual;
    (void)start_ns;
    memset(clock, 0, sizeof *clock);
}

// The poller.

int swivel__park_create(const char *name, swivel_count *wakes, bool is_alone,
                        struct swivel_park **park)
{
    (void)name;
    (void)wakes;
    (void)is_alone;
    memset(&the_park, 0, sizeof the_park);
    the_park.is_alive = true;
    *park = &the_park;
    return SWIVEL_OK;
}

void swivel__park_destroy(struct swivel_park *park)
{
    explorer_point();
    park->is_alive = false;
}

static bool has_woken(void *unused)
{
    (void)unused;
    return the_park.notified || the_park.expired || stub_ending;
}

void swivel__park_poll(struct swivel_park *park, bool wait, swivel_mono until)
{
    EXPLORER_CHECK(park->is_alive);
    explorer_point();
    if (wait && until.ns > stub_now) {
        park->until_ns = until.ns;
        park->waits = true;
        explorer_wait(has_woken, NULL);
        park->waits = false;
    }
    if (park->notified) {
        memory_take(park);
    }
    park->notified = park->expired = false;
}

/// Whether the next entry of the inbox is not one that a producer has claimed and not published.
static bool is_not_held_up(void *unused)
{
    (void)unused;
    const swivel_inbox *inbox = &stub_loop->inbox;
    if ((atomic_load(&inbox->tail) & ~SWIVEL_CLOSED) == inbox->cursor) {
        return true;
    }
    uint64_t slot = (inbox->cursor >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    const swivel_segment *segment = atomic_load(&inbox->directory[slot]);
    return segment != NULL &&
           atomic_load(&segment->slots[inbox->cursor & (SWIVEL_SEGMENT_ENTRIES - 1)].first) != 0;
}

bool stub_has_rung(void)
{
    return the_park.notified;
}

/// As in park.c, without its look at the inbox and without its counters.
swivel_mono swivel__park(swivel_loop *loop, bool wait, swivel_mono until)
{
    if (swivel__watches(&loop->watchers)) {
        wait &= !swivel__watchers_serve(loop);
    }
    if (!wait) {
        swivel__park_poll(loop->park, false, SWIVEL_MONO_PAST);
        if (swivel_loop_refusal(loop) != SWIVEL_OK) {
            // A drain goes round and round until a producer that holds it up goes on.
            explorer_wait(is_not_held_up, NULL);
        }
        return SWIVEL_MONO_PAST;
    }
    // Counted before others can see it.
    stub_sleeps += 1;
    if (swivel__wake_park(&loop->wake, &loop->inbox, until.ns)) {
        swivel__park_poll(loop->park, true, until);
        swivel__wake_unpark(&loop->wake);
    }
    return SWIVEL_MONO_PAST;
}

void swivel__park_arm(struct swivel_park *park, swivel_mono until)
{
    (void)park;
    (void)until;
}

void swivel__park_notify(void *slot)
{
    explorer_point();
    struct swivel_park *park = *(struct swivel_park **)slot;
    EXPLORER_CHECK(park != NULL);
    EXPLORER_CHECK(park->is_alive);
    memory_give(park);
    park->notified = true;
    stub_rings += 1;
    // However many producers there are, one of them notifies.
    EXPLORER_CHECK(explorer_thread() < 0 || stub_rings <= stub_sleeps);
}

void swivel__park_own_source(swivel_loop *loop)
{
    (void)loop; // The source's model enters its source itself.
}

int swivel__park_fd(struct swivel_park *park)
{
    (void)park;
    return -1;
}

// No loop of a model watches descriptors; `stub_serve` stands for all that is watched.

bool swivel__watchers_serve(swivel_loop *loop)
{
    (void)loop;
    return stub_serve != NULL && stub_serve();
}

void swivel__watchers_listen_for_timers(swivel_loop *loop, uint64_t now_ns)
{
    (void)loop;
    (void)now_ns;
}

bool swivel__watchers_deliver(swivel_loop *loop)
{
    (void)loop;
    return false;
}

uint32_t swivel__watchers_end(swivel_loop *loop)
{
    (void)loop;
    return 0;
}

void swivel__signals_forget(void)
{
}

bool stub_time_goes_on(void)
{
    if (!the_park.waits) {
        return false;
    }
    if (stub_asleep != NULL) {
        stub_asleep(the_park.until_ns);
    }
    if (the_park.until_ns >= SWIVEL_INSTANT_LAZY) {
        return false;
    }
    stub_now = the_park.until_ns;
    the_park.expired = true;
    return true;
}

void stub_pass(uint64_t instant)
{
    stub_now = stub_now < instant ? instant : stub_now;
}

bool stub_stuck(void)
{
    if (stub_time_goes_on()) {
        return true;
    }
    bool ends = the_park.waits && !stub_ending;
    stub_ending |= ends;
    return ends;
}

// Threads.

int swivel__thread_start(swivel_loop *loop)
{
    (void)loop;
    return -1;
}

static bool is_closed(void *unused)
{
    (void)unused;
    bool is_open = atomic_load(&stub_loop->closed.word) & SWIVEL_LATCH_OPEN;
    return is_open && *(int *)&stub_loop->lock == 0;
}

void swivel__thread_wait(swivel_loop *loop)
{
    (void)loop;
    if (explorer_thread() >= 0) {
        explorer_wait(is_closed, NULL);
        memory_take(&stub_loop->lock);
    }
}

_Thread_local swivel_thread swivel__thread;

bool swivel_loop_is_current(swivel_loop *loop)
{
    return swivel__thread.loops.current == loop;
}

uint64_t swivel__thread_number(void)
{
    return swivel__thread.number;
}

bool swivel__stack_is_low(void)
{
    return false;
}

uint32_t swivel_forks(void)
{
    return 0;
}

bool swivel__thread_end_call(swivel_end end, swivel_end_function *run)
{
    (void)end;
    (void)run;
    return true;
}

void swivel__forks_call_in_child(swivel_fork_call *call)
{
    (void)call;
}

bool swivel__thread_end_expect(void)
{
    return true;
}

int sched_yield(void)
{
    explorer_yield();
    return 0;
}
