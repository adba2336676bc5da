// SPDX-License-Identifier: Apache-2.0
#include "reduction.h"
#include "explorer.h"

#include <stdlib.h>
#include <string.h>

#define WORD 8
#define PIECE_TOUCHES_MAX 4096
#define TABLE_SLOTS 16384
#define WORDS_MAX (TABLE_SLOTS / 2)

typedef struct touch {
    uintptr_t word;
    bool writes;
} touch;

/// The touches of a piece, in all executions that went on with it.
typedef struct piece {
    touch *touches;
    uint32_t count, capacity;
    bool touches_all;
    bool goes_on; ///< Its thread did not wait after it, and had not ended.
} piece;

/// A word whose touch ends sleeps.
typedef struct watched {
    uintptr_t word;
    uint64_t execution;
    uint32_t sleep[EXPLORER_THREADS_MAX]; ///< The latest sleep that it ends.
    bool writes[EXPLORER_THREADS_MAX];    ///< A read ends it too.
} watched;

/// Those of each choice.
static piece pieces[REDUCTION_POINTS_MAX][EXPLORER_THREADS_MAX];
static int first_new;

/// The running piece; `recorded` is `NULL` if it was not chosen.
static int running = -1;
static piece *recorded;
static int recorded_point;
static touch touches[PIECE_TOUCHES_MAX];
static uint32_t touch_count;
static bool has_touched_all;

static watched table[TABLE_SLOTS];
static uint64_t execution;
static int words;
/// The sleep of each thread; 0: it is awake.
static uint32_t asleep[EXPLORER_THREADS_MAX];
static uint32_t sleeps;
static int sleepers;

static uintptr_t own, own_bytes;
static uint64_t trace;

void reduction_reset(int point)
{
    first_new = point;
    execution += 1;
    words = sleepers = 0;
    sleeps = 0;
    running = -1;
    recorded = NULL;
    trace = 0;
    memset(asleep, 0, sizeof asleep);
}

/// The word's place in the table, or a free one.
static watched *find(uintptr_t word)
{
    uint32_t slot = (uint32_t)((word * UINT64_C(0x9E3779B97F4A7C15)) >> 50);
    while (table[slot].execution == execution && table[slot].word != word) {
        slot = (slot + 1) % TABLE_SLOTS;
    }
    return &table[slot];
}

static void fall_asleep(int thread, const piece *piece)
{
    if (piece->touches_all) {
        return;
    }
    asleep[thread] = ++sleeps;
    sleepers += 1;
    for (uint32_t i = 0; i < piece->count; i++) {
        const touch *touch = &piece->touches[i];
        watched *watched = find(touch->word);
        if (watched->execution != execution) {
            words += 1;
            EXPLORER_CHECK(words < WORDS_MAX);
            *watched = (struct watched){.word = touch->word, .execution = execution};
        }
        bool is_again = watched->sleep[thread] == sleeps;
        watched->sleep[thread] = sleeps;
        watched->writes[thread] = touch->writes || (is_again && watched->writes[thread]);
    }
}

static void wake(int thread)
{
    asleep[thread] = 0;
    sleepers -= 1;
}

bool reduction_sleeps(int thread)
{
    return asleep[thread] != 0;
}

void reduction_choose(int point, int choice, const int *threads, bool goes_on)
{
    for (int before = 0; before < choice; before++) {
        const piece *piece = &pieces[point][before];
        if ((before == 0 && goes_on) || !piece->goes_on) {
            fall_asleep(threads[before], piece);
        }
    }
    recorded = &pieces[point][choice];
    recorded_point = point;
    if (point >= first_new) {
        recorded->count = 0;
        recorded->touches_all = recorded->goes_on = false;
    }
}

void reduction_begin(int thread)
{
    running = thread;
    touch_count = 0;
    has_touched_all = false;
}

void reduction_end(int point, bool waits)
{
    // Its touches depend on choices within it; an earlier execution has had the same ones, or not.
    if (recorded != NULL && (recorded_point >= first_new || point > first_new)) {
        if (recorded->count + touch_count > recorded->capacity) {
            recorded->capacity = 2 * (recorded->count + touch_count);
            recorded->touches =
                realloc(recorded->touches, recorded->capacity * sizeof *recorded->touches);
        }
        memcpy(recorded->touches + recorded->count, touches, touch_count * sizeof *touches);
        recorded->count += touch_count;
        recorded->touches_all |= has_touched_all;
        recorded->goes_on |= !waits;
    }
    recorded = NULL;
    running = -1;
}

uint64_t reduction_trace(void)
{
    return trace;
}

void reduction_own(const void *start, size_t bytes)
{
    own = (uintptr_t)start;
    own_bytes = bytes;
}

static void touch_word(uintptr_t word, bool writes)
{
    if (recorded != NULL) {
        EXPLORER_CHECK(touch_count < PIECE_TOUCHES_MAX);
        touches[touch_count++] = (touch){word, writes};
    }
    if (sleepers == 0) {
        return;
    }
    const watched *watched = find(word);
    if (watched->execution != execution) {
        return;
    }
    for (int thread = 0; thread < EXPLORER_THREADS_MAX; thread++) {
        if (asleep[thread] != 0 && asleep[thread] == watched->sleep[thread] &&
            (writes || watched->writes[thread])) {
            wake(thread);
        }
    }
}

void reduction_touch(const volatile void *object, size_t bytes, bool writes)
{
    if (running < 0 || bytes == 0 || (uintptr_t)object - own < own_bytes) {
        return;
    }
    trace = (trace + (uintptr_t)object * 2 + writes) * UINT64_C(0x9E3779B97F4A7C15);
    if (recorded == NULL && sleepers == 0) {
        return;
    }
    uintptr_t last = ((uintptr_t)object + bytes - 1) / WORD;
    for (uintptr_t word = (uintptr_t)object / WORD; word <= last; word++) {
        touch_word(word, writes);
    }
}

void reduction_touch_all(void)
{
    has_touched_all = true;
    for (int thread = 0; thread < EXPLORER_THREADS_MAX && running >= 0; thread++) {
        if (asleep[thread] != 0) {
            wake(thread);
        }
    }
}
