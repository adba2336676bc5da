// SPDX-License-Identifier: Apache-2.0
// The production clock, compiled a second time for a simulated machine: its counter, its system
// clock and what comes between two readings are a script's.
#include "include/clock_fixture.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t read_counter(void);
static int read_system(int which, struct timespec *time);
static FILE *open_clocksource(void);

#define SWIVEL_COUNTER() read_counter()
#define clock_gettime(which, time) read_system(0, (time))
#define clock_gettime_nsec_np(which) now_of(&machine)
#define fopen(path, mode) open_clocksource()

#define swivel_now_ns swivel_fixture_now_ns
#define swivel__mono_now swivel_fixture_real_now
#define swivel__ticks swivel_fixture_ticks
#define swivel__clock_start swivel_fixture_clock_start
#define swivel__clock_exact swivel_fixture_clock_exact
#define swivel__clock_ahead_slow swivel_fixture_clock_ahead_slow

typedef struct simulated {
    const swivel_clock_script *script;
    uint64_t true_ns;    ///< Since the machine started.
    uint64_t stopped_ns; ///< For which the counter stood still.
    uint64_t readings, random;
} simulated;

static _Thread_local simulated machine;

/// The system's clock: slewed one way from the start, another way from an instant on.
static uint64_t now_of(const simulated *machine)
{
    const swivel_clock_script *script = machine->script;
    uint64_t before = machine->true_ns, after = 0;
    if (before > script->turn_ns) {
        after = before - script->turn_ns;
        before = script->turn_ns;
    }
    int64_t slewed = (int64_t)before * script->slew_ppm + (int64_t)after * script->then_ppm;
    return script->start_ns + machine->true_ns + (uint64_t)(slewed / 1000000);
}

static void pass(uint64_t ns)
{
    machine.true_ns += ns;
}

static uint64_t draw(uint64_t below)
{
    // xorshift64, as in repeat.c.
    uint64_t x = machine.random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    machine.random = x;
    return x % below;
}

/// A delay before a reading: another process, for as long as the script says.
static void be_interrupted(void)
{
    const swivel_clock_script *script = machine.script;
    bool often = script->delay_one_in != 0 && draw(script->delay_one_in) == 0;
    if (machine.readings++ == script->delayed_reading || often) {
        pass(script->delay_ns);
    }
}

static uint64_t read_counter(void)
{
    be_interrupted();
    uint64_t counter = 1000 + (machine.true_ns - machine.stopped_ns) * 5 / 2;
    pass(8);
    return counter;
}

static int read_system(int which, struct timespec *time)
{
    (void)which;
    be_interrupted();
    pass(10);
    uint64_t now_ns = now_of(&machine);
    pass(10);
    time->tv_sec = (time_t)(now_ns / UINT64_C(1000000000));
    time->tv_nsec = (long)(now_ns % UINT64_C(1000000000));
    return 0;
}

static FILE *open_clocksource(void)
{
    static char name[] = "tsc\n";
    return fmemopen(name, sizeof name - 1, "r");
}

#include "../../CSources/CSwivel/src/thread/clock.c"

/// Reads the clock once, and compares.
static void read_once(swivel_clock *clock, uint64_t *previous, swivel_clock_watched *watched)
{
    uint64_t before = now_of(&machine);
    uint64_t reading = swivel__clock_ahead(clock);
    uint64_t after = now_of(&machine);
    watched->counted += clock->limit_ticks != 0;
    swivel_clock_compare(watched, previous, before, reading, after);
}

swivel_clock_watched swivel_clock_fixture_run(const swivel_clock_script *script)
{
    swivel_clock_watched watched = {0};
    swivel_clock clock;
    uint64_t previous = 0;
    machine = (simulated){.script = script, .random = script->seed | 1};
    swivel__clock_start(&clock, false, 0);
    for (uint64_t i = 0; i < script->readings; i++) {
        if (i == script->stops_at) {
            machine.stopped_ns = script->stop_ns;
            pass(script->stop_ns);
            // Times since then were read by an earlier anchor.
            swivel__clock_exact(&clock);
        }
        if (draw(64) == 0) {
            swivel__clock_exact(&clock); // A turn begins.
        }
        // Closures of some nanoseconds, now and then of microseconds.
        pass(draw(16) == 0 ? draw(20000) : draw(200));
        read_once(&clock, &previous, &watched);
    }
    return watched;
}
