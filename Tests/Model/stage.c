// SPDX-License-Identifier: Apache-2.0
#include "stage.h"
#include "internal/memory/pages.h"
#include "internal/park/park.h"
#include "internal/turn/turn.h"
#include "internal/wheel/checks.h"
#include "memory.h"
#include "stage_park.h"

#include <stdlib.h>

swivel_loop *stage_loop;

const swivel_hooks *stage_closures;

/// The hooks that know the work, if it is not the stage's.
static const swivel_hooks *owner_of(const swivel_work *words)
{
    return words->function == 1 ? NULL : stage_closures;
}

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
    if (owner_of(words) != NULL) {
        owner_of(words)->run(words);
        return;
    }
    begin(work_of(words));
    work_of(words)->ran += 1;
    work_of(words)->released += 1;
}

static void tick(swivel_work *words, const swivel_tick *tick)
{
    if (owner_of(words) != NULL) {
        owner_of(words)->tick(words, tick);
        return;
    }
    begin(work_of(words));
    work_of(words)->ticks += 1;
}

static void release(swivel_work *words)
{
    if (owner_of(words) != NULL) {
        owner_of(words)->release(words);
        return;
    }
    work_of(words)->released += 1;
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
    // Nobody is to see what it was before.
    memory_forget(&stage_loop->driver, sizeof stage_loop->driver);
}

void stage_open(void)
{
    static const swivel_hooks hooks = {run, tick, release, ended, closed};
    swivel_config config = {.drive = SWIVEL_CALLER, .hooks = &hooks};
    explorer_thread_local(&swivel__thread.loops, sizeof swivel__thread.loops, hide_driver);
    stage_now = 100;
    swivel__thread.loops.told_ns = 0;
    swivel__thread.expects_reply = swivel__thread.is_awaited = false;
    stage_ending = false;
    stage_asleep = NULL;
    stage_serve = NULL;
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
    // A wake-up that is left would end the first sleep, and hide that there was none in it.
    stage_silence();
}

void stage_limit_posts(uint64_t limit, void (*has_room)(void *owner), void *owner)
{
    stage_loop->config.max_pending_posts = limit;
    stage_loop->config.has_room = has_room;
    stage_loop->config.owner = owner;
    stage_loop->counts_posts = true;
}

void stage_close(void)
{
    const char *broken = swivel__checks_wheel(&stage_loop->wheel);
    if (broken != NULL) {
        explorer_fail(broken, __FILE__, __LINE__);
    }
    swivel_loop_release(stage_loop);
    EXPLORER_CHECK(swivel__pending_timers(stage_loop) == 0);
    // The loop has met every message about a timer, and counted it as its sender has.
    EXPLORER_CHECK(stage_loop->adopted_early == 0);
    for (swivel_counted what = 0; what < SWIVEL_COUNTED_PAIRED; what++) {
        EXPLORER_CHECK(swivel__counter_sum(&stage_loop->counter, what) ==
                       SWIVEL_SETTING(&stage_loop->counter.acknowledged[what]));
    }
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
    swivel__thread.loops.own = swivel__thread.loops.current = stage_loop;
    swivel__wake_unpark(&stage_loop->wake);
}

void stage_on_loop(void (*setup)(void))
{
    swivel_thread_loops before = swivel__thread.loops;
    enter();
    if (setup != NULL) {
        setup();
    }
    swivel__turn(stage_loop, stage_now);
    swivel__thread.loops = before;
}

void stage_drive(void)
{
    enter();
    while (!stage_ending) {
        bool more = swivel__turn(stage_loop, stage_now);
        uint64_t next = swivel__wheel_next_deadline(&stage_loop->wheel);
        swivel__park(stage_loop, !more, swivel__mono_of(&stage_loop->clock, more ? 0 : next));
    }
    swivel__turn(stage_loop, stage_now);
}

swivel_work stage_words(stage_work *work)
{
    swivel_work words = {1, (uintptr_t)work};
    return words;
}
