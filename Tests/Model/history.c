// SPDX-License-Identifier: Apache-2.0
#include "history.h"
#include "explorer.h"
#include "reduction.h"

#include <stdatomic.h>
#include <string.h>

#define LOCATIONS_MAX 512
#define TABLE_SLOTS 2048
#define STORES_MAX 8192
#define VIEWS_MAX 4096

typedef struct view {
    uint32_t clocks[EXPLORER_THREADS_MAX];
    uint32_t count; ///< Locations known; of the others the first store may be read.
    uint16_t oldest[LOCATIONS_MAX];
} view;

typedef struct location {
    const volatile void *object;
    uint32_t newest;
    uint16_t last_seq_cst; ///< Number of the last seq_cst store.
} location;

typedef struct order_given {
    const void *object;
    uint32_t view;
} order_given;

static location locations[LOCATIONS_MAX];
static uint32_t location_count;
static uint16_t table[TABLE_SLOTS]; ///< Number of a location, plus one.
static store stores[STORES_MAX];
static uint32_t store_count;
static view views[VIEWS_MAX];
static uint32_t view_count;
static view seen[EXPLORER_THREADS_MAX];
static order_given given[256];
static uint32_t given_count;
int memory_old_reads = 1;
static int old_reads;

static bool is_acquire(int order)
{
    return order == memory_order_acquire || order == memory_order_acq_rel ||
           order == memory_order_seq_cst || order == memory_order_consume;
}

static bool is_release(int order)
{
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

static void reserve(view *view, uint32_t count)
{
    for (; view->count < count; view->count++) {
        view->oldest[view->count] = 0;
    }
}

static void join(view *view, const struct view *other)
{
    reserve(view, other->count);
    for (uint32_t i = 0; i < other->count; i++) {
        view->oldest[i] =
            view->oldest[i] < other->oldest[i] ? other->oldest[i] : view->oldest[i];
    }
    for (int i = 0; i < EXPLORER_THREADS_MAX; i++) {
        view->clocks[i] = view->clocks[i] < other->clocks[i] ? other->clocks[i] : view->clocks[i];
    }
}

static void copy(view *view, const struct view *other)
{
    memcpy(view, other, offsetof(struct view, oldest) + other->count * sizeof *other->oldest);
}

static uint32_t new_view(const view *from)
{
    EXPLORER_CHECK(view_count < VIEWS_MAX);
    copy(&views[view_count], from);
    return view_count++;
}

static uint32_t add_store(location *location, uint64_t value, uint32_t view)
{
    EXPLORER_CHECK(store_count < STORES_MAX);
    uint32_t before = location->newest;
    uint16_t number = before == HISTORY_NONE ? 0 : (uint16_t)(stores[before].number + 1);
    stores[store_count] = (store){value, before, view, number};
    location->newest = store_count;
    return store_count++;
}

static uint32_t slot_of(const volatile void *object)
{
    uint32_t slot = (uint32_t)(((uintptr_t)object * UINT64_C(0x9E3779B97F4A7C15)) >> 53);
    while (table[slot] != 0 && locations[table[slot] - 1].object != object) {
        slot = (slot + 1) % TABLE_SLOTS;
    }
    return slot;
}

uint32_t history_of(const volatile void *object, size_t size)
{
    uint32_t slot = slot_of(object);
    if (table[slot] == 0) {
        EXPLORER_CHECK(location_count < LOCATIONS_MAX);
        locations[location_count] = (location){object, HISTORY_NONE, 0};
        table[slot] = (uint16_t)++location_count;
    }
    uint32_t number = table[slot] - 1u;
    location *location = &locations[number];
    if (location->newest == HISTORY_NONE) {
        add_store(location, memory_peek_bytes(object, size), HISTORY_NONE);
    } else if (stores[location->newest].value != memory_peek_bytes(object, size)) {
        uint32_t newest = add_store(location, memory_peek_bytes(object, size), HISTORY_NONE);
        for (int thread = 0; thread < EXPLORER_THREADS_MAX; thread++) {
            reserve(&seen[thread], number + 1);
            seen[thread].oldest[number] = stores[newest].number;
        }
        location->last_seq_cst = 0;
    }
    return number;
}

void history_observe(uint32_t number, const store *store, int order)
{
    view *mine = &seen[explorer_thread()];
    reserve(mine, number + 1);
    if (mine->oldest[number] < store->number) {
        mine->oldest[number] = store->number;
    }
    if (is_acquire(order) && store->view != HISTORY_NONE) {
        join(mine, &views[store->view]);
    }
}

const store *history_newest(uint32_t number)
{
    return &stores[locations[number].newest];
}

const store *history_choose(uint32_t number, int order)
{
    const location *location = &locations[number];
    const view *mine = &seen[explorer_thread()];
    uint16_t oldest = number < mine->count ? mine->oldest[number] : 0;
    if (order == memory_order_seq_cst && oldest < location->last_seq_cst) {
        oldest = location->last_seq_cst;
    }
    const store *newest = &stores[location->newest];
    if (old_reads == 0 || newest->number <= oldest) {
        return newest;
    }
    int width = newest->number - oldest + 1;
    int back = explorer_choose(width < 8 ? width : 8);
    old_reads -= back > 0;
    const store *chosen = newest;
    while (back-- > 0) {
        chosen = &stores[chosen->before];
    }
    return chosen;
}

void history_publish(uint32_t number, uint64_t value, int order, uint32_t carried)
{
    int thread = explorer_thread();
    view *mine = &seen[thread];
    location *location = &locations[number];
    uint32_t made = add_store(location, value, carried);
    reserve(mine, number + 1);
    mine->oldest[number] = stores[made].number;
    if (is_release(order)) {
        stores[made].view = new_view(mine);
        if (carried != HISTORY_NONE) {
            join(&views[stores[made].view], &views[carried]);
        }
    }
    if (order == memory_order_seq_cst) {
        location->last_seq_cst = stores[made].number;
    }
    // The thread's later accesses are not in the view that the store carries.
    mine->clocks[thread] += 1;
}

static order_given *find_given(const void *object)
{
    for (uint32_t i = 0; i < given_count; i++) {
        if (given[i].object == object) {
            return &given[i];
        }
    }
    return NULL;
}

void memory_give(const void *object)
{
    if (!explorer_is_weak()) {
        return;
    }
    reduction_touch(object, 1, true);
    view *mine = &seen[explorer_thread()];
    order_given *record = find_given(object);
    if (record == NULL) {
        EXPLORER_CHECK(given_count < sizeof given / sizeof *given);
        record = &given[given_count++];
        *record = (order_given){object, new_view(mine)};
    } else {
        join(&views[record->view], mine);
    }
    mine->clocks[explorer_thread()] += 1;
}

void memory_take(const void *object)
{
    reduction_touch(object, 1, false);
    const order_given *record = explorer_is_weak() ? find_given(object) : NULL;
    if (record != NULL) {
        join(&seen[explorer_thread()], &views[record->view]);
    }
}

bool memory_follows(int thread, uint32_t clock)
{
    return seen[explorer_thread()].clocks[thread] >= clock;
}

uint32_t memory_clock(void)
{
    return seen[explorer_thread()].clocks[explorer_thread()];
}

void memory_forget(const void *start, size_t bytes)
{
    const char *from = start;
    reduction_touch_all();
    if (!explorer_is_weak()) {
        return;
    }
    for (uint32_t i = 0; i < location_count; i++) {
        const char *object = (const char *)locations[i].object;
        if (object >= from && object < from + bytes) {
            locations[i].newest = HISTORY_NONE;
            locations[i].last_seq_cst = 0;
            for (int thread = 0; thread < EXPLORER_THREADS_MAX; thread++) {
                reserve(&seen[thread], i + 1);
                seen[thread].oldest[i] = 0;
            }
        }
    }
    memory_forget_plain(start, bytes);
}

void history_reset(void)
{
    if (location_count > 0) {
        memset(table, 0, sizeof table);
    }
    location_count = store_count = view_count = given_count = 0;
    old_reads = memory_old_reads;
    for (int thread = 0; thread < EXPLORER_THREADS_MAX; thread++) {
        memset(&seen[thread], 0, offsetof(view, oldest));
        // Clock 0 is that of the preparation, which everybody follows.
        seen[thread].clocks[thread] = 1;
    }
}
