// SPDX-License-Identifier: Apache-2.0
#include "explorer.h"
#include "memory.h"
#include "reduction.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#define STACK_BYTES (256 * 1024)
#define CHOICES_MAX REDUCTION_POINTS_MAX
#define CHOICES_SHOWN 400
/// An execution that makes more steps than this does not end.
#define STEPS_MAX 100000
#define LOCAL_BYTES_MAX 64

typedef struct thread {
    ucontext_t start; ///< Where it begins, on a stack of its own.
    jmp_buf here;     ///< Where it goes on. A jump makes no system call, other than swapcontext.
    bool done, begun;
    bool (*ready)(void *);
    void *argument;
    char local[LOCAL_BYTES_MAX];
} thread;

static thread threads[EXPLORER_THREADS_MAX];
static const explorer_model *model;
static jmp_buf home;
int explorer_running = -1;
static int bound, preempted;
bool explorer_weak;
bool explorer_is_whole;
/// Whether the rest of this execution has been explored already, after other choices.
static bool repeats;
static long traced;
static long executions, steps, longest;
static void *local_storage;
static size_t local_bytes;
static void (*on_switch)(int from, int to);

/// The choices of this execution where there was more than one, and how many there were.
static unsigned char choices[CHOICES_MAX], widths[CHOICES_MAX];
static int depth, replayed;
/// All touches before each of them, in one number.
static uint64_t traces[CHOICES_MAX];

void explorer_fail(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s: %s:%d: %s does not hold in execution %ld, after the choices ", model->name,
            file, line, what, executions + 1);
    for (int i = 0; i < depth && i < CHOICES_SHOWN; i++) {
        fprintf(stderr, "%d", choices[i]);
    }
    fprintf(stderr, "%s\n", depth > CHOICES_SHOWN ? "..." : "");
    exit(1);
}

bool explorer_traces(void)
{
    return executions + 1 == traced && explorer_running >= 0;
}

void explorer_thread_local(void *storage, size_t bytes, void (*switches)(int from, int to))
{
    if (bytes > LOCAL_BYTES_MAX) {
        abort();
    }
    local_storage = storage;
    local_bytes = bytes;
    on_switch = switches;
    reduction_own(storage, bytes);
}

static bool is_enabled(int number)
{
    const thread *thread = &threads[number];
    return !thread->done && (thread->ready == NULL || thread->ready(thread->argument));
}

int explorer_choose(int width)
{
    if (width == 1 || repeats) {
        return 0;
    }
    if (depth == CHOICES_MAX) {
        explorer_fail("an end of the choices", __FILE__, __LINE__);
    }
    if (depth == replayed) {
        choices[depth] = 0;
        widths[depth] = (unsigned char)width;
        traces[depth] = reduction_trace();
        replayed += 1;
    } else if (widths[depth] != width ||
               (!explorer_is_whole && traces[depth] != reduction_trace())) {
        explorer_fail("the same way after the same choices", __FILE__, __LINE__);
    }
    return choices[depth++];
}

/// Leaves out those that sleep, unless all do. Returns how many are left.
static int leave_out_sleepers(int *enabled, int count)
{
    int awake = 0;
    for (int i = 0; i < count && !repeats; i++) {
        if (!reduction_sleeps(enabled[i])) {
            enabled[awake++] = enabled[i];
        }
    }
    repeats |= awake == 0;
    return repeats ? count : awake;
}

/// One of the enabled threads, of which the first is the current one if that `goes_on`.
static int choose_thread(int *enabled, int count, bool goes_on)
{
    count = explorer_is_whole ? count : leave_out_sleepers(enabled, count);
    count = goes_on && preempted >= bound ? 1 : count;
    int point = depth, choice = explorer_choose(count);
    preempted += goes_on && choice > 0;
    if (depth > point && !explorer_is_whole) {
        reduction_choose(point, choice, enabled, goes_on);
    }
    return enabled[choice];
}

/// The thread that goes on: the current one first, so choice 0 is no preemption. -1: all are done.
static int next_thread(void)
{
    for (;;) {
        int enabled[EXPLORER_THREADS_MAX], count = 0;
        bool alive = false;
        // A thread that waits, and that continues in time when no other can, is one of several.
        bool goes_on = explorer_running >= 0 && threads[explorer_running].ready == NULL &&
                       is_enabled(explorer_running);
        if (goes_on) {
            enabled[count++] = explorer_running;
        }
        for (int number = 0; number < model->threads; number++) {
            alive |= !threads[number].done;
            if (!(goes_on && number == explorer_running) && is_enabled(number)) {
                enabled[count++] = number;
            }
        }
        if (!alive) {
            return -1;
        }
        if (count > 0) {
            return choose_thread(enabled, count, goes_on);
        }
        if (model->stuck == NULL || !model->stuck()) {
            explorer_fail("a thread that can go on", __FILE__, __LINE__);
        }
    }
}

__attribute__((noinline)) static void switch_to(int number)
{
    int from = explorer_running;
    if (number == from) {
        return;
    }
    if (from >= 0 && local_bytes > 0) {
        memcpy(threads[from].local, local_storage, local_bytes);
    }
    if (on_switch != NULL) {
        on_switch(from, number);
    }
    explorer_running = number;
    if (number >= 0 && local_bytes > 0) {
        memcpy(local_storage, threads[number].local, local_bytes);
    }
    if (_setjmp(from >= 0 ? threads[from].here : home) != 0) {
        return;
    }
    if (number < 0) {
        _longjmp(home, 1);
    }
    if (threads[number].begun) {
        _longjmp(threads[number].here, 1);
    }
    threads[number].begun = true;
    setcontext(&threads[number].start);
}

/// After a piece of the running thread's work.
static void go_on(void)
{
    const thread *thread = &threads[explorer_running];
    reduction_end(depth, thread->done || thread->ready != NULL);
    switch_to(next_thread());
}

void explorer_point(void)
{
    if (explorer_running < 0) {
        return;
    }
    if (++steps > STEPS_MAX) {
        explorer_fail("an end of the execution", __FILE__, __LINE__);
    }
    go_on();
    reduction_begin(explorer_running);
}

void explorer_wait(bool (*ready)(void *argument), void *argument)
{
    thread *thread = &threads[explorer_running];
    while (!ready(argument)) {
        thread->ready = ready;
        thread->argument = argument;
        explorer_point();
        thread->ready = NULL;
    }
}

typedef struct yielding {
    int who;
    bool others_went_on;
} yielding;

static bool others_went_on(void *argument)
{
    yielding *yielding = argument;
    yielding->others_went_on |= explorer_running != yielding->who;
    return yielding->others_went_on;
}

/// Whether another thread could go on.
static bool is_another_enabled(void)
{
    for (int number = 0; number < model->threads; number++) {
        if (number != explorer_running && is_enabled(number)) {
            return true;
        }
    }
    return false;
}

void explorer_yield(void)
{
    if (explorer_weak && !is_another_enabled()) {
        return; // It waits for a store that is made already, and comes to see it.
    }
    yielding yielding = {explorer_running, false};
    reduction_touch_all();
    explorer_wait(others_went_on, &yielding);
    reduction_touch_all();
}

static void enter(int number)
{
    reduction_begin(number);
    model->body(number);
    threads[number].done = true;
    go_on();
}

/// Gives the thread a stack, and its start.
__attribute__((noinline)) static void prepare(int number)
{
    ucontext_t *start = &threads[number].start;
    if (start->uc_stack.ss_sp == NULL) {
        getcontext(start);
        start->uc_stack.ss_sp = malloc(STACK_BYTES);
        start->uc_stack.ss_size = STACK_BYTES;
    }
    makecontext(start, (void (*)(void))enter, 1, number);
}

static void execute(void)
{
    char local[LOCAL_BYTES_MAX] = {0};
    depth = preempted = 0;
    steps = 0;
    repeats = false;
    memory_reset();
    reduction_reset(replayed - 1);
    for (int number = 0; number < model->threads; number++) {
        threads[number].done = threads[number].begun = false;
        threads[number].ready = NULL;
        memset(threads[number].local, 0, sizeof threads[number].local);
    }
    if (local_bytes > 0) {
        memcpy(local, local_storage, local_bytes);
    }
    switch_to(next_thread());
    if (local_bytes > 0) {
        memcpy(local_storage, local, local_bytes);
    }
}

static void perform(void)
{
    model->reset();
    execute();
    model->check();
}

/// Moves on to the next sequence of choices. False: there is none.
static bool advance(void)
{
    replayed = depth;
    while (replayed > 0 && choices[replayed - 1] + 1 >= widths[replayed - 1]) {
        replayed -= 1;
    }
    if (replayed == 0) {
        return false;
    }
    choices[replayed - 1] += 1;
    return true;
}

static void explore(void)
{
    clock_t began = clock();
    explorer_weak = getenv("EXPLORER_WEAK") != NULL;
    explorer_is_whole |= getenv("EXPLORER_WHOLE") != NULL;
    const char *trace = getenv("EXPLORER_TRACE");
    traced = trace == NULL ? 0 : atol(trace);
    const char *limit = getenv("EXPLORER_PREEMPTIONS");
    bound = limit == NULL || atoi(limit) > model->preemptions ? model->preemptions : atoi(limit);
    bound -= explorer_weak;
    executions = longest = replayed = 0;
    for (int number = 0; number < model->threads; number++) {
        prepare(number);
    }
    // Makes all that is made once, so that the executions below have the same points.
    perform();
    replayed = 0;
    do {
        perform();
        executions += 1;
        longest = longest < steps ? steps : longest;
    } while (advance());
    printf("%-34s %s, %d threads, %d preemptions: %8ld executions, up to %3ld steps, %5.1f s\n",
           model->name, explorer_weak ? "weak" : "strong", model->threads, bound, executions,
           longest, (double)(clock() - began) / CLOCKS_PER_SEC);
    fflush(stdout);
}

void explorer_run(const explorer_model *models, size_t count)
{
    for (model = models; model < models + count; model++) {
        explore();
    }
}
