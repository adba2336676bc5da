// SPDX-License-Identifier: Apache-2.0
#include "stage.h"
#include "internal/checks.h"
#include "internal/pages.h"
#include "stage_pages.h"

#include <stdlib.h>
#include <string.h>

swivel_loop *stage_loop;
uint64_t stage_now;
bool stage_ending;
void (*stage_asleep)(uint64_t until_ns);
int stage_rings;

struct swivel_park {
    bool rung, expired, waits, is_alive;
    uint64_t until_ns;
};

/// One is enough: a model has one loop. It outlives the loop, to see who comes too late.
static struct swivel_park the_park;

void swivel__point(void)
{
    explorer_point();
}

// The clock.

uint64_t swivel_now_ns(void)
{
    return stage_now;
}

uint64_t swivel__clock_anchor(swivel_clock *clock)
{
    (void)clock;
    return stage_now;
}

void swivel__clock_start(swivel_clock *clock, bool manual, uint64_t start_ns)
{
    (void)manual;
    (void)start_ns;
    memset(clock, 0, sizeof *clock);
}

// The poller.

int swivel__park_create(struct swivel_park **park)
{
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
    return the_park.rung || the_park.expired || stage_ending;
}

void swivel__park_poll(struct swivel_park *park, bool wait, uint64_t until_ns)
{
    EXPLORER_CHECK(park->is_alive);
    explorer_point();
    if (wait && until_ns > stage_now) {
        park->until_ns = until_ns;
        park->waits = true;
        explorer_wait(has_woken, NULL);
        park->waits = false;
    }
    park->rung = park->expired = false;
}

/// Whether the next entry of the inbox is not one that a producer has claimed and not published.
static bool is_not_held_up(void *unused)
{
    (void)unused;
    const swivel_inbox *inbox = &stage_loop->inbox;
    if ((atomic_load(&inbox->tail) & ~SWIVEL_CLOSED) == inbox->cursor) {
        return true;
    }
    uint64_t slot = (inbox->cursor >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1);
    const swivel_segment *segment = atomic_load(&inbox->directory[slot]);
    return segment != NULL &&
           atomic_load(&segment->slots[inbox->cursor & (SWIVEL_SEGMENT_ENTRIES - 1)].first) != 0;
}

/// As in park.c, without its look at the inbox and without its counters.
void swivel__park(swivel_loop *loop, bool wait, uint64_t until_ns)
{
    if (!wait) {
        swivel__park_poll(loop->park, false, 0);
        if (SWIVEL_LOAD(&loop->closing, acquire)) {
            // A drain goes round and round until a producer that holds it up goes on.
            explorer_wait(is_not_held_up, NULL);
        }
    } else if (swivel__wake_park(&loop->wake, &loop->inbox, until_ns)) {
        swivel__park_poll(loop->park, true, until_ns);
        swivel__wake_unpark(&loop->wake);
    }
}

void swivel__park_arm(struct swivel_park *park, uint64_t until_ns)
{
    (void)park;
    (void)until_ns;
}

void swivel__park_ring(void *bell)
{
    explorer_point();
    struct swivel_park *park = *(struct swivel_park **)bell;
    EXPLORER_CHECK(park != NULL);
    EXPLORER_CHECK(park->is_alive);
    park->rung = true;
    stage_rings += 1;
}

uint64_t swivel__park_heard(struct swivel_park *park)
{
    (void)park;
    return 0;
}

int swivel__park_fd(struct swivel_park *park)
{
    (void)park;
    return -1;
}

bool stage_time_goes_on(void)
{
    if (!the_park.waits) {
        return false;
    }
    if (stage_asleep != NULL) {
        stage_asleep(the_park.until_ns);
    }
    if (the_park.until_ns >= SWIVEL_INSTANT_LAZY) {
        return false;
    }
    stage_now = the_park.until_ns;
    the_park.expired = true;
    return true;
}

bool stage_stuck(void)
{
    if (stage_time_goes_on()) {
        return true;
    }
    bool ends = the_park.waits && !stage_ending;
    stage_ending |= ends;
    return ends;
}

// Threads and locks.

int swivel__thread_start(swivel_loop *loop)
{
    (void)loop;
    return -1;
}

static bool is_closed(void *unused)
{
    (void)unused;
    return stage_loop->life == SWIVEL_CLOSED_DOWN;
}

void swivel__thread_wait(swivel_loop *loop)
{
    (void)loop;
    if (explorer_thread() >= 0) {
        explorer_wait(is_closed, NULL);
    }
}

uintptr_t swivel__stack_low(void)
{
    return 0;
}

/// A lock is taken while its first word is not zero.
static bool is_free(void *mutex)
{
    return *(int *)mutex == 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    explorer_point();
    bool free = is_free(mutex);
    *(int *)mutex = 1;
    return free ? 0 : 16;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    explorer_point();
    if (explorer_thread() >= 0) {
        explorer_wait(is_free, mutex);
    }
    EXPLORER_CHECK(is_free(mutex));
    *(int *)mutex = 1;
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    *(int *)mutex = 0;
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int sched_yield(void)
{
    explorer_yield();
    return 0;
}

// The loop.

static stage_work *work_of(swivel_work *words)
{
    return (stage_work *)words->context;
}

static void begin(stage_work *work)
{
    work->began_ns = stage_now;
    if (work->body != NULL) {
        work->body();
    }
}

static void run(swivel_work *words)
{
    begin(work_of(words));
    work_of(words)->ran += 1;
    work_of(words)->released += 1;
}

static void tick(swivel_work *words, const swivel_tick *tick)
{
    (void)tick;
    begin(work_of(words));
    work_of(words)->ticks += 1;
}

static void release(swivel_work *words)
{
    work_of(words)->released += 1;
}

void (*stage_handed)(swivel_timer timer);
int stage_contexts_released;

static void hand_over(void *context, swivel_timer timer, const swivel_tick *tick)
{
    (void)context;
    (void)tick;
    stage_handed(timer);
}

static void release_context(void *context)
{
    (void)context;
    stage_contexts_released += 1;
}

static void ended(swivel_timer timer)
{
    (void)timer;
}

static void closed(void *owner)
{
    (void)owner;
}

/// A loop knows its driver by the address of that thread's storage, which the threads of a model
/// share: while another one runs, it finds a different address there.
static void hide_driver(int from, int to)
{
    static const swivel_thread elsewhere;
    static int driver = -1;
    if (atomic_load(&stage_loop->driver) == &swivel__thread) {
        atomic_store(&stage_loop->driver, &elsewhere);
        driver = from;
    }
    if (to == driver && atomic_load(&stage_loop->driver) == &elsewhere) {
        atomic_store(&stage_loop->driver, &swivel__thread);
    }
}

void stage_open(void)
{
    static const swivel_hooks hooks = {run,   tick,   release, hand_over, release_context,
                                       ended, closed};
    swivel_config config = {.drive = SWIVEL_CALLER, .hooks = &hooks};
    explorer_thread_local(&swivel__thread, sizeof swivel__thread, hide_driver);
    stage_now = 100;
    stage_ending = false;
    stage_rings = 0;
    stage_contexts_released = 0;
    stage_asleep = NULL;
    if (swivel_loop_create(&config, &stage_loop) != SWIVEL_OK) {
        abort();
    }
    // Numbers begin where the inbox's directory is about to come round.
    stage_loop->inbox.cursor = (SWIVEL_DIRECTORY_SLOTS - 2) << SWIVEL_SEGMENT_SHIFT;
    atomic_store(&stage_loop->inbox.head, stage_loop->inbox.cursor);
    atomic_store(&stage_loop->inbox.tail, stage_loop->inbox.cursor);
    // Fills the magazine of this thread, which all threads of a model share: locks are not what
    // most models are about.
    stage_work unused = {0};
    swivel_cancel(swivel_schedule(stage_loop, 1000, 0, stage_words(&unused)));
    stage_on_loop(NULL);
    EXPLORER_CHECK(unused.released == 1);
    // A bell that still rings would end the first sleep, and hide that nobody rang in it.
    the_park.rung = false;
    stage_rings = 0;
}

void stage_close(void)
{
    const char *broken = swivel__checks_wheel(&stage_loop->wheel);
    if (broken != NULL) {
        explorer_fail(broken, __FILE__, __LINE__);
    }
    swivel_loop_release(stage_loop);
    EXPLORER_CHECK(stage_loop->armed == 0);
    EXPLORER_CHECK(stage_loop->handed == 0);
    // Late producers leave empty segments in the directory; the next execution starts without.
    for (uint64_t slot = 0; slot < SWIVEL_DIRECTORY_SLOTS; slot++) {
        swivel_segment *segment = atomic_exchange(&stage_loop->inbox.directory[slot], NULL);
        if (segment != NULL) {
            EXPLORER_CHECK(atomic_load(&segment->slots[0].first) == 0);
            EXPLORER_CHECK(atomic_load(&segment->slots[1].first) == 0);
            swivel__pages_unmap(segment, sizeof *segment);
        }
    }
}

static void enter(void)
{
    swivel__thread.own = swivel__thread.current = stage_loop;
    swivel__wake_unpark(&stage_loop->wake);
}

void stage_on_loop(void (*setup)(void))
{
    swivel_thread before = swivel__thread;
    enter();
    if (setup != NULL) {
        setup();
    }
    swivel__turn(stage_loop, stage_now);
    swivel__thread = before;
}

void stage_drive(void)
{
    enter();
    while (!stage_ending) {
        bool more = swivel__turn(stage_loop, stage_now);
        swivel__park(stage_loop, !more, more ? 0 : swivel__wheel_next_deadline(&stage_loop->wheel));
    }
    swivel__turn(stage_loop, stage_now);
}

swivel_work stage_words(stage_work *work)
{
    swivel_work words = {1, (uintptr_t)work};
    return words;
}
