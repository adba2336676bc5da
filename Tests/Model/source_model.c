// SPDX-License-Identifier: Apache-2.0
// The event source's handshake: work that may run nested is run although its thread waits, in a wait
// of its own or as a loop's source; and a wait that is over ends, also where the loop that owns the
// source leaves it at that moment. The source is the model's; all else is production.
//
// A wait that is announced when it sleeps:
// Mutant: source.c: /^int swivel__source_pump/,/^}/{s/^    SWIVEL_FETCH_ADD(&awaited, 1, seq_cst);//; s/^            source->wait(began, deadline);/            SWIVEL_FETCH_ADD(\&awaited, 1, seq_cst); source->wait(began, deadline); SWIVEL_FETCH_SUB(\&awaited, 1, seq_cst);/; s/^    SWIVEL_FETCH_SUB(&awaited, 1, seq_cst);//}
// An owner that is not counted as a wait:
// Mutant: source.c: /^void swivel__source_enter/,/^int swivel__source_pump/s/^    SWIVEL_FETCH_\(ADD\|SUB\)(&awaited, 1, seq_cst);//
// A notification that leaves nothing for the owner's turn:
// Mutant: source.c: s/SWIVEL_EXCHANGE(&loop->source_is_ready, true, release)/(void)0/
// A notification that hides what an earlier one was for:
// Mutant: source.c: s/SWIVEL_EXCHANGE(&loop->source_is_ready, true, release)/SWIVEL_STORE(\&loop->source_is_ready, true, release)/
// A turn that serves before it takes the notification:
// Mutant: source.c: s/^    bool more = loop->source->serve(true);/    bool more = loop->source->serve(true); SWIVEL_STORE(\&loop->source_is_ready, false, relaxed);/
// A notification that may overtake what it is for, and find an owner that has left:
// Mutant: source.c: s/SWIVEL_FETCH_ADD(&owner, 0, seq_cst)/SWIVEL_LOAD(\&owner, seq_cst)/
// A nudge that may overtake the work:
// Mutant: source.c: s/SWIVEL_FETCH_ADD(&awaited, 0, seq_cst)/SWIVEL_LOAD(\&awaited, seq_cst)/
#include "memory.h"
#include "stub.h"

/// Work of two producers: posted, and run. The second is plain memory.
static SWIVEL_ATOMIC(bool) posted[2];
static bool arrived[2], ran[2];
/// The event that the wait is for, next to the work.
static SWIVEL_ATOMIC(bool) is_told;
static int wanted;
/// The source's flag, which a lock guards in production.
static bool notified;

static bool is_here(void)
{
    return explorer_thread() <= 0;
}

static int open_nothing(void)
{
    return SWIVEL_OK;
}

static bool serve(bool always)
{
    (void)always;
    for (int i = 0; i < 2; i++) {
        if (SWIVEL_LOAD(&posted[i], acquire)) {
            SWIVEL_STORE(&posted[i], false, relaxed);
            EXPLORER_CHECK(arrived[i] && !ran[i]);
            ran[i] = true;
        }
    }
    return false;
}

static bool is_rung(void *unused)
{
    (void)unused;
    return notified;
}

static void wait(swivel_mono began, swivel_mono until)
{
    (void)began;
    (void)until;
    explorer_point();
    explorer_wait(is_rung, NULL);
    notified = false;
    memory_take(&notified);
}

static void notify(void)
{
    explorer_point();
    memory_give(&notified);
    notified = true;
}

static int descriptor(void)
{
    return -1; // The handshake has no descriptor to watch.
}

static const swivel_source source = {is_here, open_nothing, serve, wait, notify, descriptor, NULL};

static void post(int number)
{
    arrived[number] = true;
    SWIVEL_STORE(&posted[number], true, release);
    swivel__source_nudge();
}

static void announce(void)
{
    SWIVEL_STORE(&is_told, true, release);
    swivel__source_notify();
}

/// Whether all that was wanted is there.
static bool is_done(void *unused)
{
    (void)unused;
    int done = 0;
    for (int i = 0; i < 2; i++) {
        done += ran[i];
    }
    return done == wanted || SWIVEL_LOAD(&is_told, acquire);
}

static void pump(void)
{
    EXPLORER_CHECK(swivel__source_pump(is_done, NULL, SWIVEL_MONO_NEVER) == 1);
}

/// A drive that owns the source: turns and parks until all is done.
static void own(bool waits)
{
    swivel__thread.loops.own = swivel__thread.loops.current = stub_loop;
    swivel__wake_unpark(&stub_loop->wake);
    swivel__source_enter(stub_loop, &source);
    do {
        bool more = swivel__turn(stub_loop, stub_now);
        if (waits && !is_done(NULL)) {
            swivel__park(stub_loop, !more, SWIVEL_MONO_NEVER);
        }
    } while (waits && !is_done(NULL));
    swivel__source_leave(stub_loop);
    swivel__thread.loops = (swivel_thread_loops){0};
}

static void reset(void)
{
    stub_open();
    swivel__source_install(&source);
    for (int i = 0; i < 2; i++) {
        atomic_store(&posted[i], false);
        arrived[i] = ran[i] = false;
    }
    atomic_store(&is_told, false);
    notified = false;
    wanted = 2;
}

static void nested(int thread)
{
    if (thread == 0) {
        pump();
    } else {
        post(thread - 1);
    }
}

static void post_or_tell(int thread)
{
    if (thread == 1) {
        post(0);
    } else {
        announce();
    }
}

static void notified_wait(int thread)
{
    if (thread == 0) {
        pump();
    } else {
        post_or_tell(thread);
    }
}

static void owned(int thread)
{
    if (thread == 0) {
        own(true);
    } else {
        post(thread - 1);
    }
}

/// A wait behind a drive, which ends as the notification comes.
static void left(int thread)
{
    if (thread == 0) {
        own(false);
        pump();
    } else {
        post_or_tell(thread);
    }
}

static void left_with_work(int thread)
{
    if (thread == 0) {
        own(false);
        pump();
    } else {
        post(thread - 1);
    }
}

static void check(void)
{
    for (int i = 0; i < 2; i++) {
        EXPLORER_CHECK(ran[i] || atomic_load(&is_told));
    }
    stub_close();
}

int main(void)
{
    static const explorer_model models[] = {
        {"source: a nested wait", 3, reset, nested, NULL, check, 3},
        {"source: a wait that is notified", 3, reset, notified_wait, NULL, check, 3},
        {"source: an owner", 3, reset, owned, NULL, check, 3},
        {"source: an owner that leaves", 3, reset, left, NULL, check, 3},
        {"source: an owner that leaves work", 3, reset, left_with_work, NULL, check, 3},
    };
    memory_old_reads = 2; // A wait checks again before it sleeps.
    EXPLORER_RUN(models);
    return 0;
}
