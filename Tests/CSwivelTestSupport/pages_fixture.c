// SPDX-License-Identifier: Apache-2.0
#include "include/pages_fixture.h"
#include "internal/memory/slab.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define COUNT_MAX 8
#define STEP_BYTES (512 * 1024)

/// Bytes that are mapped from `memory` on.
static size_t count_mapped(const char *memory, size_t bytes)
{
    unsigned char resident;
    size_t mapped = 0;
    while (mapped < bytes && mincore((void *)(memory + mapped), 1, (void *)&resident) == 0) {
        mapped += 4096;
    }
    return mapped;
}

uint32_t swivel_pages_fixture_steps(const uint64_t *bytes, uint32_t count)
{
    swivel_surplus *list = NULL;
    char *memory[COUNT_MAX] = {0};
    size_t mapped = 0;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_paged = bytes[i] >= SWIVEL_PAGED_BYTES;
        void *one = is_paged ? swivel__pages_map(bytes[i]) : malloc(bytes[i]);
        if (one == NULL) {
            abort();
        }
        memset(one, 1, bytes[i]);
        swivel__pages_leave(&list, one, bytes[i]);
        memory[i] = is_paged ? one : NULL;
        mapped += is_paged ? count_mapped(one, bytes[i]) : 0;
    }
    while (swivel__pages_give(&list)) {
        size_t left = 0;
        for (uint32_t i = 0; i < count; i++) {
            left += memory[i] == NULL ? 0 : count_mapped(memory[i], bytes[i]);
        }
        if (mapped - left > STEP_BYTES) {
            return 0;
        }
        mapped = left;
        steps += 1;
    }
    return mapped == 0 ? steps : 0;
}
