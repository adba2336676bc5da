// SPDX-License-Identifier: Apache-2.0
// The executions that reduction.c leaves out have no outcome of their own: random programs end in
// the same ways with it and without it. See reduction.h.
#include "reduction.h"
#include "explorer.h"
#include "memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3
#define STEPS_MAX 4
#define PROGRAMS 400
#define OUTCOMES_MAX 65536

typedef enum { LOAD, STORE, ADD, SWAP, READ, WRITE, WAIT, CHOOSE, PICK, KINDS } kind;

typedef struct step {
    kind kind;
    int place, order;
    uint32_t value;
} step;

static step program[THREADS][STEPS_MAX];
static int lengths[THREADS];

/// The memory of a program, of which `plain` is told and not ordered. Seeded bug 2 moves it.
static struct memory {
    uint64_t atomic[2], plain[2];
} memories[2], *memory = memories;
static uint64_t found[THREADS][STEPS_MAX];
static bool was_stuck;

typedef struct outcomes {
    uint64_t all[OUTCOMES_MAX];
    int count;
} outcomes;

static outcomes with, without, *collected;

static uint64_t random_state;

static uint32_t below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % limit;
}

static void make_program(uint64_t seed)
{
    static const int orders[] = {memory_order_relaxed, memory_order_seq_cst};
    random_state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int thread = 0; thread < THREADS; thread++) {
        lengths[thread] = 1 + (int)below(STEPS_MAX);
        for (int i = 0; i < STEPS_MAX; i++) {
            program[thread][i] =
                (step){(kind)below(KINDS), (int)below(2), orders[below(2)], 1 + below(2)};
        }
    }
}

static void reset(void)
{
#if SWIVEL_MODEL_BUG == 2
    memory = memory == memories ? memories + 1 : memories;
#endif
    memset(memory, 0, sizeof *memory);
    memset(found, 0, sizeof found);
    was_stuck = false;
}

static bool is_written(void *place)
{
    return *(uint64_t *)place != 0 || was_stuck;
}

static bool stuck(void)
{
    bool is_first = !was_stuck;
    was_stuck = true;
    return is_first;
}

static uint64_t make(const step *step)
{
    uint64_t *object = &memory->atomic[step->place], *plain = &memory->plain[step->place];
    uint64_t expected = 0;
    switch (step->kind) {
    case LOAD:
        return memory_load(object, 8, step->order);
    case STORE:
        memory_store(object, 8, step->value, step->order);
        return 0;
    case ADD:
        return memory_rmw(object, 8, MEMORY_ADD, step->value, step->order);
    case SWAP:
        memory_cas(object, 8, &expected, step->value, step->order, memory_order_relaxed);
        return expected;
    case READ:
        return *plain;
    case WRITE:
#if SWIVEL_MODEL_BUG == 1
        memory_count(plain, step->value); // Is not told.
#else
        *plain += step->value;
#endif
        return 0;
    case WAIT:
        explorer_wait(is_written, plain);
        return *plain;
    case CHOOSE:
        return (uint64_t)explorer_choose(2);
    case PICK:
        return memory->plain[explorer_choose(2)] += step->value;
    default:
        return 0;
    }
}

static void run(int thread)
{
    for (int i = 0; i < lengths[thread]; i++) {
        found[thread][i] = make(&program[thread][i]);
    }
}

static int compare(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static void unite(outcomes *outcomes)
{
    qsort(outcomes->all, (size_t)outcomes->count, sizeof *outcomes->all, compare);
    int kept = 0;
    for (int i = 0; i < outcomes->count; i++) {
        if (kept == 0 || outcomes->all[kept - 1] != outcomes->all[i]) {
            outcomes->all[kept++] = outcomes->all[i];
        }
    }
    outcomes->count = kept;
}

static void check(void)
{
    const uint64_t *all = (const uint64_t *)memory;
    uint64_t outcome = was_stuck;
    for (size_t i = 0; i < sizeof *memory / sizeof *all; i++) {
        outcome = (outcome + all[i]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    for (int thread = 0; thread < THREADS; thread++) {
        for (int i = 0; i < STEPS_MAX; i++) {
            outcome = (outcome + found[thread][i]) * UINT64_C(0x9E3779B97F4A7C15);
        }
    }
    if (collected->count == OUTCOMES_MAX) {
        unite(collected);
        EXPLORER_CHECK(collected->count < OUTCOMES_MAX);
    }
    collected->all[collected->count++] = outcome;
}

/// The outcomes of the program, and how many executions have shown them.
static long collect(outcomes *outcomes, bool is_whole)
{
    static const explorer_model model = {
        "reduction: random programs", THREADS, reset, run, stuck, check};
    collected = outcomes;
    outcomes->count = 0;
    explorer_is_whole = is_whole;
    long executions = explorer_explore(&model, 3);
    unite(outcomes);
    return executions;
}

int main(void)
{
    long all = 0, explored = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        make_program(seed);
        all += collect(&without, true);
        explored += collect(&with, false);
        if (with.count != without.count ||
            memcmp(with.all, without.all, (size_t)with.count * sizeof *with.all) != 0) {
            char text[96];
            snprintf(text, sizeof text, "program %d: the same outcomes, %d and %d of them,",
                     (int)seed, without.count, with.count);
            explorer_fail(text, __FILE__, __LINE__);
        }
    }
    EXPLORER_CHECK(explored < all);
    printf("reduction: %d programs %s: %ld executions of %ld\n", PROGRAMS,
           getenv("EXPLORER_WEAK") != NULL ? "weak" : "strong", explored, all);
    return 0;
}
