// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/loop.h"

void swivel__latch_close(swivel_latch *latch)
{
    SWIVEL_STORE(&latch->word, 0, relaxed);
}

bool swivel__latch_is_open(swivel_latch *latch)
{
    // Acquire: what led to it is seen from here on.
    return SWIVEL_LOAD(&latch->word, acquire) & SWIVEL_LATCH_OPEN;
}

uint32_t swivel__latch_open(swivel_latch *latch)
{
    return SWIVEL_FETCH_OR(&latch->word, SWIVEL_LATCH_OPEN, acq_rel);
}

void swivel__latch_wake(swivel_latch *latch, uint32_t before)
{
    if (before & SWIVEL_LATCH_OPEN) {
        return;
    }
    if (before & SWIVEL_LATCH_SLEPT) {
        swivel__sleep_end(&latch->word, true);
        swivel__note_woken(before);
    }
    if (before & SWIVEL_LATCH_PUMPED) {
        swivel__lock(&latch->lock); // No host's function is called: the loops are driven.
        for (swivel_latch_pump *pump = latch->pumps; pump != NULL; pump = pump->next) {
            swivel_loop_wake(pump->loop);
        }
        swivel__unlock(&latch->lock);
    }
    if (before & SWIVEL_LATCH_SERVED) {
        swivel__source_notify();
        swivel__note_woken(before);
    }
}

/// Enters a flag. False: the latch is open, and what led to it is seen from here on.
static bool enter(swivel_latch *latch, uint32_t flag)
{
    return !(SWIVEL_FETCH_OR(&latch->word, flag, acquire) & SWIVEL_LATCH_OPEN);
}

static bool is_open(void *latch)
{
    return swivel__latch_is_open(latch);
}

bool swivel__latch_spin(swivel_latch *latch)
{
    return swivel__latch_is_open(latch) || swivel__thread_spin(is_open, latch);
}

bool swivel__latch_sleep(swivel_latch *latch, swivel_mono until)
{
    bool in_time = true;
    bool open = !enter(latch, SWIVEL_LATCH_SLEPT | swivel__sleep_cpu());
    while (!open && in_time) {
        uint32_t word = SWIVEL_LOAD(&latch->word, acquire);
        open = word & SWIVEL_LATCH_OPEN;
        // Others may have entered their flags since: then it is another word, and the loop repeats.
        in_time = open || swivel__sleep_while(&latch->word, word, until);
    }
    return open || swivel__latch_is_open(latch);
}

bool swivel__latch_enter(swivel_latch *latch, swivel_latch_pump *pump)
{
    // In the list first: a thread that sees the flag finds the loop.
    swivel__lock(&latch->lock);
    pump->next = latch->pumps;
    latch->pumps = pump;
    swivel__unlock(&latch->lock);
    bool waits = enter(latch, SWIVEL_LATCH_PUMPED);
    if (!waits) {
        swivel__latch_leave(latch, pump);
    }
    return waits;
}

void swivel__latch_leave(swivel_latch *latch, swivel_latch_pump *pump)
{
    swivel__lock(&latch->lock);
    swivel_latch_pump **link = &latch->pumps;
    while (*link != NULL && *link != pump) {
        link = &(*link)->next;
    }
    if (*link != NULL) { // Else the wait is in a forked child.
        *link = pump->next;
    }
    swivel__unlock(&latch->lock);
}

int swivel__latch_serve(swivel_latch *latch, swivel_mono until)
{
    bool waits = enter(latch, SWIVEL_LATCH_SERVED | swivel__sleep_cpu());
    return waits ? swivel__source_pump(is_open, latch, until) : 1;
}
