// SPDX-License-Identifier: Apache-2.0
// Data races: who wrote and who read each piece of plain memory last. After C. Flanagan and
// S. Freund, "FastTrack", PLDI 2009, with a clock for each reader.
#include "explorer.h"
#include "memory.h"

#include <stdio.h>
#include <string.h>

#define TABLE_SLOTS 16384
#define PIECES_MAX (TABLE_SLOTS / 2)
#define THREAD_LOCAL_BYTES 4096

/// The accesses to a piece of memory in this execution; clocks of 0 are never and before.
typedef struct piece {
    const char *address;
    unsigned long execution;
    int writer;
    uint32_t written;
    uint32_t read[EXPLORER_THREADS_MAX];
    const void *from; ///< The code that came last.
} piece;

static piece table[TABLE_SLOTS];
static unsigned long execution = 1;
/// The pieces of this execution.
static piece *pieces[PIECES_MAX];
static int piece_count;

static piece *find(const char *address)
{
    uint32_t slot = (uint32_t)(((uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15)) >> 50);
    while (table[slot].execution == execution && table[slot].address != address) {
        slot = (slot + 1) % TABLE_SLOTS;
    }
    if (table[slot].execution != execution) {
        EXPLORER_CHECK(piece_count < PIECES_MAX);
        pieces[piece_count++] = &table[slot];
        table[slot] = (piece){.address = address, .execution = execution};
    }
    return &table[slot];
}

static void race(const piece *piece, const char *what, const void *from)
{
    char text[160];
    snprintf(text, sizeof text, "%s at %p, by the code at %p after that at %p: order", what,
             (const void *)piece->address, from, piece->from);
    explorer_fail(text, __FILE__, __LINE__);
}

static void access_piece(const char *address, bool writes, const void *from)
{
    piece *piece = find(address);
    int me = explorer_thread();
    if (!memory_follows(piece->writer, piece->written)) {
        race(piece, writes ? "a write after a write" : "a read after a write", from);
    }
    if (!writes) {
        piece->from = from;
        piece->read[me] = memory_clock();
        return;
    }
    for (int thread = 0; thread < EXPLORER_THREADS_MAX; thread++) {
        if (!memory_follows(thread, piece->read[thread])) {
            race(piece, "a write after a read", from);
        }
    }
    piece->from = from;
    piece->writer = me;
    piece->written = memory_clock();
}

/// Whether it is one of the real thread's own variables. The threads of a model share those, or the
/// explorer gives each its own; they lie below the thread pointer.
static bool is_thread_local(const char *address)
{
    const char *end = __builtin_thread_pointer();
    return address < end && address >= end - THREAD_LOCAL_BYTES;
}

static void access_all(const volatile void *address, size_t size, bool writes, const void *from)
{
    const char *start = (const char *)address;
    if (memory_touched != NULL) {
        memory_touched(address, size, from);
    }
    if (!explorer_is_weak() || is_thread_local(start)) {
        return;
    }
    for (size_t offset = 0; offset < size; offset += 8) {
        access_piece(start + offset, writes, from);
    }
}

void memory_read(const volatile void *address, size_t size, const void *from)
{
    access_all(address, size, false, from);
}

void memory_write(const volatile void *address, size_t size, const void *from)
{
    access_all(address, size, true, from);
}

void memory_forget_plain(const void *start, size_t bytes)
{
    const char *from = start;
    for (int i = 0; i < piece_count; i++) {
        piece *piece = pieces[i];
        if (piece->address >= from && piece->address < from + bytes) {
            piece->written = 0;
            memset(piece->read, 0, sizeof piece->read);
        }
    }
}

void memory_reset_plain(void)
{
    execution += 1;
    piece_count = 0;
}
