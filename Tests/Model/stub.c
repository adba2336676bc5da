// SPDX-License-Identifier: Apache-2.0
#include "stub.h"
#include "internal/memory/slab.h"
#include "internal/park/park.h"
#include "internal/thread/parker.h"
#include "internal/turn/turn.h"
#include "../CSwivelTestSupport/wheel_checks.h"
#include "memory.h"
#include "stub_park.h"

#include <stdlib.h>

swivel_loop *stub_loop;

const swivel_hooks *stub_closures;

/// The hooks that know the work, if it is not the stub's.
static const swivel_hooks *owner_of(const swivel_work *words)
{
    return words->function == 1 ? NULL : stub_closures;
}

static stub_work *work_of(swivel_work *words)
{
    return (stub_work *)words->context;
}

static void begin(stub_work *work)
{
    work->began_ns = stub_now;
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
    if (atomic_load(&stub_loop->driver) == &swivel__thread) {
        atomic_store(&stub_loop->driver, &elsewhere);
        driver = from;
    }
    if (to == driver && atomic_load(&stub_loop->driver) == &elsewhere) {
        atomic_store(&stub_loop->driver, &swivel__thread);
    }
    // Its former value must not be visible.
    memory_forget(&stub_loop->driver, sizeof stub_loop->driver);
}

void stub_open(void)
{
    static const swivel_hooks hooks = {run, tick, release, ended, closed};
    swivel_config config = {.drive = SWIVEL_CALLER, .hooks = &hooks};
    explorer_thread_local(&swivel__thread.loops, sizeof swivel__thread.loops, hide_driver);
    stub_now = 100;
    swivel__thread.loops.read_ns = 0;
    swivel__thread.is_awaited = false;
    stub_ending = false;
    stub_asleep = NULL;
    stub_serve = NULL;
    if (swivel_loop_create(&config, &stub_loop) != SWIVEL_OK) {
        abort();
    }
    // Numbers begin where the inbox's directory is about to come round.
    stub_loop->inbox.cursor = (SWIVEL_DIRECTORY_SLOTS - 2) << SWIVEL_SEGMENT_SHIFT;
    atomic_store(&stub_loop->inbox.head, stub_loop->inbox.cursor);
    atomic_store(&stub_loop->inbox.tail, stub_loop->inbox.cursor);
    // Fills the magazine of this thread, which all threads of a model share: locks are not what
    // most models are about.
    stub_work unused = {0};
    swivel_cancel(swivel_schedule(stub_loop, 1000, 0, stub_words(&unused)));
    stub_on_loop(NULL);
    EXPLORER_CHECK(unused.released == 1);
    // A wake-up that is left would end the first sleep, and hide that there was none in it.
    stub_silence();
}

void stub_limit_posts(uint64_t limit, void (*has_room)(void *owner), void *owner)
{
    stub_loop->config.max_pending_posts = limit;
    stub_loop->config.has_room = has_room;
    stub_loop->config.owner = owner;
    stub_loop->counts_posts = true;
}

void stub_close(void)
{
    const char *broken = swivel_wheel_check(&stub_loop->wheel);
    if (broken != NULL) {
        explorer_fail(broken, __FILE__, __LINE__);
    }
    swivel_loop_release(stub_loop);
    // The loop has met every message about a timer, and counted it as its sender has.
    EXPLORER_CHECK(stub_loop->adopted_early == 0);
    for (swivel_counted what = 0; what < SWIVEL_COUNTED_PAIRED; what++) {
        EXPLORER_CHECK(swivel__counter_sum(&stub_loop->counter, what) ==
                       SWIVEL_SETTING(&stub_loop->counter.acknowledged[what]));
    }
    // Late producers leave empty segments in the directory; the next execution starts without.
    for (uint64_t slot = 0; slot < SWIVEL_DIRECTORY_SLOTS; slot++) {
        swivel_segment *segment = atomic_exchange(&stub_loop->inbox.directory[slot], NULL);
        if (segment != NULL) {
            EXPLORER_CHECK(atomic_load(&segment->slots[0].first) == 0);
            EXPLORER_CHECK(atomic_load(&segment->slots[1].first) == 0);
            swivel__pages_unmap(segment, sizeof *segment);
        }
    }
}

static void enter(void)
{
    swivel__thread.loops.own = swivel__thread.loops.current = stub_loop;
    swivel__wake_unpark(&stub_loop->wake);
}

void stub_on_loop(void (*setup)(void))
{
    swivel_thread_loops before = swivel__thread.loops;
    enter();
    if (setup != NULL) {
        setup();
    }
    swivel__turn(stub_loop, stub_now);
    swivel__thread.loops = before;
}

void stub_drive(void)
{
    enter();
    while (!stub_ending) {
        bool more = swivel__turn(stub_loop, stub_now);
        uint64_t next = swivel__wheel_next_deadline(&stub_loop->wheel);
        swivel__park(stub_loop, !more, swivel__mono_of(&stub_loop->clock, more ? 0 : next));
    }
    swivel__turn(stub_loop, stub_now);
}

swivel_work stub_words(stub_work *work)
{
    swivel_work words = {1, (uintptr_t)work};
    return words;
}

// No thread of these models sleeps on a latch: the loop's end has a stub of its own above.

bool swivel__sleep_while(SWIVEL_ATOMIC(uint32_t) *word, uint32_t value, swivel_mono until)
{
    (void)word, (void)value, (void)until;
    abort();
}

void swivel__sleep_end(SWIVEL_ATOMIC(uint32_t) *word, bool all)
{
    (void)word, (void)all;
}

uint32_t swivel__sleep_cpu(void)
{
    return 0;
}

void swivel__note_woken(uint32_t word)
{
    (void)word;
}

bool swivel__thread_spin(bool (*found)(void *), void *argument)
{
    return found(argument);
}
