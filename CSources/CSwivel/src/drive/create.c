// SPDX-License-Identifier: Apache-2.0
// Creating a loop, and ending the use of its record: on release, and in a forked child.
#include "../../include/internal/drive/drive.h"
#include "../../include/internal/park/park.h"
#include "../../include/internal/thread/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Default limits of a turn: long enough to make the poller's 0.4 µs vanish, and no longer.
#define SWIVEL_TURN_COUNT 1024
#define SWIVEL_TURN_NS UINT64_C(1000000)

/// Makes an inherited loop dead: it accepts nothing, has nothing to run and touches no descriptor.
/// Only the thread that forked exists here, so plain stores are enough.
static void kill_inherited(swivel_loop *loop)
{
    swivel__lock_renew(&loop->lock);
    swivel__lock_renew(&loop->wheel.slab.lock);
    loop->wheel.slab.closed = true; // Its lists may be half changed.
    loop->dead = loop->refuses_own = true;
    SWIVEL_STORE(&loop->refusal, SWIVEL_EFORKED, relaxed);
    SWIVEL_FETCH_OR(&loop->inbox.tail, SWIVEL_CLOSED, relaxed);
    SWIVEL_STORE(&loop->wake.parked, SWIVEL_AWAKE, relaxed);
    SWIVEL_STORE(&loop->wake.notifying, 0, relaxed);
    SWIVEL_STORE(&loop->signals, 0, relaxed);
    // A turn that is on this thread's stack finds nothing more to do.
    loop->inbox.cursor = SWIVEL_LOAD(&loop->inbox.tail, relaxed) & ~SWIVEL_CLOSED;
    loop->inbox.current = NULL;
    loop->local.head = loop->local.tail;
    swivel__watchers_forget(&loop->watchers);
    swivel__wheel_forget(&loop->wheel);
    swivel__lock_renew(&loop->closed.lock);
    loop->closed.pumps = NULL;
    SWIVEL_STORE(&loop->closed.word, SWIVEL_LATCH_OPEN, relaxed);
    loop->has_thread = loop->is_free = false;
}

/// A record that no loop has is dead, too: another thread may have been about to use it.
static void after_fork(void *unused)
{
    (void)unused;
    swivel__lock_renew(&swivel__records_lock);
    swivel_loop *loop;
    for (uint32_t id = 0; (loop = swivel__loop_record(id)) != NULL; id++) {
        kill_inherited(loop);
    }
    swivel__signals_forget();
    swivel__thread.loops.own = NULL;
    swivel__thread.loops.read_ns = 0; // The child may be in another time namespace.
}

__attribute__((constructor)) static void watch_forks(void)
{
    static swivel_fork_call call = {.run = after_fork};
    swivel__forks_call_in_child(&call);
}

/// Clears a record for its next loop. It keeps the slab's addresses and generations, and the
/// inbox's directory and numbers. Words that a late waker may still write are cleared atomically.
static void clear(swivel_loop *loop)
{
    memset(&loop->wheel, 0, offsetof(swivel_wheel, due));
    size_t first = offsetof(swivel_loop, local);
    memset((char *)loop + first, 0, offsetof(swivel_loop, inbox) - first);
    loop->watchers.check_at = SWIVEL_MONO_NEVER;
    swivel__counter_begin(&loop->counter);
    SWIVEL_STORE(&loop->wake.urgent, UINT64_MAX, relaxed);
    SWIVEL_STORE(&loop->wake.parked, SWIVEL_AWAKE, relaxed);
    SWIVEL_STORE(&loop->drove, NULL, relaxed);
    swivel_count *counts[] = {&loop->refused, &loop->waiting_posts, &loop->room_mark, &loop->sent};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        SWIVEL_STORE(counts[i], 0, relaxed);
    }
    SWIVEL_ATOMIC(bool) *flags[] = {&loop->has_timeless, &loop->is_high,    &loop->stop,
                                    &loop->woken,        &loop->has_signal, &loop->source_is_ready};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        SWIVEL_STORE(flags[i], false, relaxed);
    }
    SWIVEL_STORE(&loop->refusal, SWIVEL_ESHUTDOWN, relaxed);
    swivel__latch_close(&loop->closed);
    loop->report = (swivel_report){0};
    loop->has_thread = loop->joined = loop->driven = loop->dead = false;
    SWIVEL_COUNT(&loop->epoch, 1);
}

/// Wakes the loop in its park; or its host, if it has one and is not driven.
static void notify(void *park)
{
    swivel_loop *loop = (swivel_loop *)((char *)park - offsetof(swivel_loop, park));
    if (SWIVEL_LIKELY(loop->config.host_wake == NULL) || !SWIVEL_LOAD(&loop->rests, relaxed)) {
        swivel__park_notify(park);
        return;
    }
    bool before = swivel__thread.wakes_host;
    swivel__thread.wakes_host = true;
    loop->config.host_wake(loop->config.host);
    swivel__thread.wakes_host = before;
}

static swivel_loop *make_record(uint32_t id)
{
    void *memory = NULL;
    if (id == SWIVEL_RECORDS_MAX || posix_memalign(&memory, 64, sizeof(swivel_loop))) {
        return NULL;
    }
    swivel_loop *loop = memset(memory, 0, sizeof(swivel_loop));
    if (swivel__inbox_init(&loop->inbox) < 0 || swivel__slab_init(&loop->wheel.slab) < 0) {
        free(loop->inbox.directory);
        free(loop);
        return NULL;
    }
    loop->notify = notify;
    swivel__registry_add(loop);
    return loop;
}

static swivel_loop *record_take(void)
{
    swivel__lock(&swivel__records_lock);
    uint32_t id = 0;
    swivel_loop *loop = swivel__loop_record(id);
    while (loop != NULL && !loop->is_free) {
        loop = swivel__loop_record(++id);
    }
    loop = loop != NULL ? loop : make_record(id);
    if (loop != NULL) {
        loop->is_free = false;
        clear(loop);
    }
    swivel__unlock(&swivel__records_lock);
    return loop;
}

static void record_put(swivel_loop *loop)
{
    swivel__lock(&swivel__records_lock);
    loop->is_free = true;
    swivel__unlock(&swivel__records_lock);
}

static void run_function(swivel_work *work)
{
    ((void (*)(void *))work->function)((void *)work->context);
}

static void run_tick(swivel_work *work, const swivel_tick *tick)
{
    ((void (*)(void *, const swivel_tick *))work->function)((void *)work->context, tick);
}

static void release_function(swivel_work *work)
{
    (void)work; // The argument of a C function is its caller's.
}

static void ended_nothing(swivel_timer timer)
{
    (void)timer;
}

static void ignore_owner(void *owner)
{
    (void)owner;
}

static const swivel_hooks plain_hooks = {run_function, run_tick, release_function, ended_nothing,
                                         ignore_owner};

/// The defaults of a configuration. False: a value is out of range.
static bool complete(swivel_loop *loop, const swivel_config *config)
{
    swivel_config *own = &loop->config;
    *own = config == NULL ? (swivel_config){0} : *config;
    loop->hooks = own->hooks == NULL ? plain_hooks : *own->hooks;
    if (own->deferred_free != NULL) {
        loop->run_posted = own->deferred_free->run;
        loop->inbox.free_deferred = own->deferred_free->free;
    }
    snprintf(loop->name, sizeof loop->name, "%s", own->name != NULL ? own->name : "swivel.loop");
    own->name = loop->name;
    own->turn_count = own->turn_count != 0 ? own->turn_count : SWIVEL_TURN_COUNT;
    own->turn_ns = own->turn_ns != 0 ? own->turn_ns : SWIVEL_TURN_NS;
    own->has_room = own->has_room != NULL ? own->has_room : ignore_owner;
    own->high_water = own->high_water != NULL ? own->high_water : ignore_owner;
    // Posts that are counted take a path of their own, which diverts them.
    loop->counts_posts =
        own->max_pending_posts != 0 || own->high_water_posts != 0 || own->diverts_posts;
    return own->cpu >= 0 && own->drive <= SWIVEL_MANUAL;
}

/// Prepares a taken record, opens its inbox, and starts the loop's thread if it has one. Returns
/// `SWIVEL_OK`, or why not: then nothing is left behind.
static int start(swivel_loop *loop, const swivel_config *config)
{
    if (!complete(loop, config)) {
        return SWIVEL_ECONFIG;
    }
    const swivel_config *own = &loop->config;
    swivel__clock_start(&loop->clock, own->drive == SWIVEL_MANUAL, own->manual_start_ns);
    swivel__wheel_init(&loop->wheel, swivel__exact_now(loop));
    // The slack would make a sleep outside of the poller late.
    bool is_alone = own->drive == SWIVEL_OWN_THREAD && own->timer_slack_ns == 0;
    int status = swivel__park_create(loop->name, &loop->wakes, is_alone, &loop->park);
    if (status != SWIVEL_OK) {
        return status;
    }
    swivel__inbox_open(&loop->inbox);
    SWIVEL_STORE(&loop->refusal, SWIVEL_OK, release);
    if (own->drive != SWIVEL_OWN_THREAD) {
        // Until someone drives it, every post must make the descriptor readable, or wake the host.
        SWIVEL_STORE(&loop->rests, true, relaxed);
        SWIVEL_STORE(&loop->wake.parked, SWIVEL_INSTANT_LAZY, seq_cst);
        return SWIVEL_OK;
    }
    status = swivel__thread_start(loop);
    if (status != SWIVEL_OK) {
        swivel__inbox_close(&loop->inbox);
        swivel__park_destroy(loop->park);
        loop->park = NULL;
    }
    return status;
}

int swivel_loop_create(const swivel_config *config, swivel_loop **out)
{
    if (!swivel__thread_end_expect()) {
        return -EAGAIN;
    }
    swivel_loop *loop = record_take();
    int status = loop == NULL ? -ENOMEM : start(loop, config);
    if (status == SWIVEL_OK) {
        *out = loop;
    } else if (loop != NULL) {
        record_put(loop);
    }
    return status;
}

void swivel_loop_release(swivel_loop *loop)
{
    if (loop->dead) {
        return; // Not reused: its resources belong to the parent.
    }
    swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, NULL);
    record_put(loop);
}
