// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/memory/slab.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/// Bytes that one step gives back, in 40 µs with pages of 4 KB. A multiple of any page's size.
#define SWIVEL_GIVEN_AT_ONCE ((size_t)512 * 1024)

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
void __lsan_register_root_region(const void *begin, size_t size);
void __lsan_unregister_root_region(const void *begin, size_t size);
#define SWIVEL_SHOW_TO_LEAK_CHECKER(pages, bytes) __lsan_register_root_region(pages, bytes)
#define SWIVEL_HIDE_FROM_LEAK_CHECKER(pages, bytes) __lsan_unregister_root_region(pages, bytes)
#endif
#endif
#ifndef SWIVEL_SHOW_TO_LEAK_CHECKER
#define SWIVEL_SHOW_TO_LEAK_CHECKER(pages, bytes) ((void)0)
#define SWIVEL_HIDE_FROM_LEAK_CHECKER(pages, bytes) ((void)0)
#endif

void *swivel__pages_map(size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (pages == MAP_FAILED) {
        return NULL;
    }
    // Closures that are pending when a program ends are not leaks.
    SWIVEL_SHOW_TO_LEAK_CHECKER(pages, bytes);
    return pages;
}

void *swivel__pages_grow(void *memory, size_t bytes, size_t wanted)
{
    if (wanted < SWIVEL_PAGED_BYTES) {
        return realloc(memory, wanted);
    }
#if defined(__linux__)
    if (bytes >= SWIVEL_PAGED_BYTES) {
        SWIVEL_HIDE_FROM_LEAK_CHECKER(memory, bytes);
        void *moved = mremap(memory, bytes, wanted, MREMAP_MAYMOVE);
        bool kept = moved == MAP_FAILED;
        SWIVEL_SHOW_TO_LEAK_CHECKER(kept ? memory : moved, kept ? bytes : wanted);
        return kept ? NULL : moved;
    }
#endif
    void *moved = swivel__pages_map(wanted);
    if (moved != NULL && bytes > 0) {
        memcpy(moved, memory, bytes);
        bytes < SWIVEL_PAGED_BYTES ? free(memory) : swivel__pages_unmap(memory, bytes);
    }
    return moved;
}

void swivel__pages_return(void *pages, size_t bytes)
{
#if defined(__linux__)
    madvise(pages, bytes, MADV_DONTNEED);
#else
    // Elsewhere MADV_DONTNEED is a hint that need not zero: map fresh pages over the old ones.
    mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
#endif
}

void swivel__pages_unmap(void *pages, size_t bytes)
{
    SWIVEL_HIDE_FROM_LEAK_CHECKER(pages, bytes);
    munmap(pages, bytes);
}

void swivel__pages_leave(swivel_surplus **list, void *memory, size_t bytes)
{
    if (bytes < SWIVEL_PAGED_BYTES) {
        free(memory);
        return;
    }
    // Hidden as a whole: it is unmapped piece by piece.
    SWIVEL_HIDE_FROM_LEAK_CHECKER(memory, bytes);
    swivel_surplus *surplus = memory;
    surplus->next = *list;
    surplus->bytes = bytes;
    *list = surplus;
}

bool swivel__pages_give(swivel_surplus **list)
{
    swivel_surplus *surplus = *list;
    if (surplus == NULL) {
        return false;
    }
    // From the end: the first page says how much is left.
    if (surplus->bytes > SWIVEL_GIVEN_AT_ONCE) {
        surplus->bytes -= SWIVEL_GIVEN_AT_ONCE;
        munmap((char *)surplus + surplus->bytes, SWIVEL_GIVEN_AT_ONCE);
    } else {
        *list = surplus->next;
        munmap(surplus, surplus->bytes);
    }
    return true;
}
