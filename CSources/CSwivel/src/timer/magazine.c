// SPDX-License-Identifier: Apache-2.0
// A thread's small store of nodes for each loop that is not its own.
#include "../../include/internal/timer/timer.h"

#include <stdlib.h>
#include <string.h>

/// Nodes of timers that a thread has recalled and not used again, at most: a thread that cancels
/// more timers than it arms leaves others to the loop.
#define SWIVEL_RECALLED_MAX 13

/// The nodes of one record that a thread holds. They are void once the record has another epoch.
typedef struct swivel_magazine {
    uint32_t head;
    uint32_t epoch;
    uint32_t recalled_count;
    /// They name no others: once recalled, a node may be in its record's next life.
    uint32_t recalled[SWIVEL_RECALLED_MAX];
} magazine;

_Static_assert(sizeof(magazine) == 64, "a magazine is one cache line");

/// Whether the nodes are the loop's that has the record now. Epochs begin at 1.
static bool is_of_this_life(const magazine *entry, const swivel_loop *loop)
{
    return entry->epoch == SWIVEL_SETTING(&loop->epoch);
}

// No loop is retained here: the records' lock keeps each record from being reused in between.
static void give_back(void)
{
    swivel__lock(&swivel__records_lock);
    for (uint32_t id = 0; id < swivel__thread.magazine_count; id++) {
        const magazine *entry = &swivel__thread.magazines[id];
        swivel_loop *loop = swivel__loop_record(id);
        if (loop != NULL && is_of_this_life(entry, loop) && !loop->dead) {
            swivel__slab_undraw(&loop->wheel.slab, entry->head, entry->recalled,
                                entry->recalled_count);
        }
    }
    swivel__unlock(&swivel__records_lock);
    free(swivel__thread.magazines);
    swivel__thread.magazines = NULL;
    swivel__thread.magazine_count = 0;
}

/// The thread's magazine for the loop; `NULL` without memory.
static magazine *find(swivel_loop *loop)
{
    uint32_t before = swivel__thread.magazine_count;
    if (SWIVEL_UNLIKELY(loop->id >= before)) {
        uint32_t count = loop->id + 8;
        magazine *entries = realloc(swivel__thread.magazines, count * sizeof *entries);
        if (entries == NULL) {
            return NULL;
        }
        memset(entries + before, 0, (count - before) * sizeof *entries);
        swivel__thread.magazines = entries;
        swivel__thread.magazine_count = count;
        swivel__thread_end_call(SWIVEL_END_MAGAZINE, give_back);
        swivel__thread_number(); // For its stripe of the counter.
    }
    magazine *entry = &swivel__thread.magazines[loop->id];
    if (SWIVEL_UNLIKELY(!is_of_this_life(entry, loop))) {
        *entry = (magazine){.epoch = SWIVEL_SETTING(&loop->epoch)};
    }
    return entry;
}

uint32_t swivel__magazine_take(swivel_loop *loop)
{
    magazine *entry = find(loop);
    if (entry == NULL) {
        return SWIVEL_NIL;
    }
    if (entry->recalled_count > 0) {
        return entry->recalled[--entry->recalled_count];
    }
    if (entry->head == SWIVEL_NIL) {
        entry->head = swivel__slab_draw(&loop->wheel.slab);
    }
    uint32_t index = entry->head;
    if (index != SWIVEL_NIL) {
        entry->head = swivel__slab_node(&loop->wheel.slab, index)->next;
    }
    return index;
}

magazine *swivel__magazine_with_room(const swivel_loop *loop)
{
    if (loop->id >= swivel__thread.magazine_count) {
        return NULL;
    }
    magazine *entry = &swivel__thread.magazines[loop->id];
    bool has_room = entry->recalled_count < SWIVEL_RECALLED_MAX;
    return has_room && is_of_this_life(entry, loop) ? entry : NULL;
}

void swivel__magazine_keep(magazine *entry, uint32_t index)
{
    entry->recalled[entry->recalled_count++] = index;
}
