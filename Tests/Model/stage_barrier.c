// SPDX-License-Identifier: Apache-2.0
// The barrier for all threads, on a stage. Loops are private where the model says so; in the other
// models they are shared from their beginning, which leaves fewer points to explore.
#include "internal/thread/barrier.h"
#include "explorer.h"
#include "memory.h"
#include "stage.h"

bool stage_is_private;

bool swivel__barrier(void)
{
    if (stage_is_private) {
        memory_barrier();
    }
    return stage_is_private;
}

void swivel__barrier_nap(void)
{
    explorer_fail("there is a barrier", __FILE__, __LINE__);
}

static bool is_zero(void *word)
{
    return *(uint32_t *)word == 0;
}

void swivel__wait_until_zero(SWIVEL_ATOMIC(uint32_t) *word)
{
    while (SWIVEL_LOAD(word, acquire) != 0) {
        explorer_wait(is_zero, (void *)word);
    }
}
