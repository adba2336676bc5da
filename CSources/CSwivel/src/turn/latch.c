// SPDX-License-Identifier: Apache-2.0
#include "../../include/internal/turn/latch.h"
#include "../../include/internal/thread/parker.h"
#include "../../include/internal/thread/sleep.h"
#include "../../include/internal/turn/guest.h"

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
    SWIVEL_STORE(&latch->opener, swivel__sleep_place(), relaxed);
    return SWIVEL_FETCH_OR(&latch->word, SWIVEL_LATCH_OPEN, acq_rel);
}

/// Takes one loop out of the list; `NULL`: none is left. The record is its thread's again.
static swivel_loop *take(swivel_latch *latch)
{
    swivel__lock(&latch->lock);
    swivel_latch_pump *pump = latch->pumps;
    swivel_loop *loop = NULL;
    if (pump != NULL) {
        latch->pumps = pump->next;
        loop = pump->loop; // Records of loops are never freed.
    }
    swivel__unlock(&latch->lock);
    return loop;
}

void swivel__latch_wake(swivel_latch *latch, uint32_t before)
{
    if (before & SWIVEL_LATCH_OPEN) {
        return;
    }
    if (before & SWIVEL_LATCH_SLEPT) {
        swivel__sleep_end(&latch->word, true);
        swivel__expect_woken(before); // The thread that was served may ask again.
    } else if (before & SWIVEL_LATCH_LOOKED) {
        swivel__expect(SWIVEL_REPLY_SOON);
    }
    for (swivel_loop *loop; before & SWIVEL_LATCH_PUMPED && (loop = take(latch)) != NULL;) {
        swivel_loop_wake(loop);
    }
    if (before & SWIVEL_LATCH_SERVED) {
        swivel__guest_ring();
        swivel__expect_woken(before);
    }
}

/// Enters a flag. False: the latch is open, and what led to it is seen from here on.
static bool enter(swivel_latch *latch, uint32_t flag)
{
    return !(SWIVEL_FETCH_OR(&latch->word, flag, acquire) & SWIVEL_LATCH_OPEN);
}

/// The place of a thread that is about to sleep. Those of several make one that may be nobody's: it
/// is only a hint.
static uint32_t place(void)
{
    return swivel__sleep_place() << SWIVEL_SLEEP_PLACE_SHIFT;
}

static bool is_open(void *latch)
{
    return swivel__latch_is_open(latch);
}

bool swivel__latch_look(swivel_latch *latch)
{
    return !enter(latch, SWIVEL_LATCH_LOOKED) || swivel__thread_look(is_open, latch);
}

/// Whoever opened the latch on this thread's processor goes on once this thread sleeps again.
static void expect_opener(swivel_latch *latch)
{
    uint32_t opener = SWIVEL_LOAD(&latch->opener, relaxed);
    if (opener != 0 && opener == swivel__sleep_place()) {
        swivel__expect(SWIVEL_REPLY_BEHIND);
    }
}

bool swivel__latch_sleep(swivel_latch *latch, swivel_real until)
{
    bool in_time = true;
    bool open = !enter(latch, SWIVEL_LATCH_SLEPT | place());
    while (!open && in_time) {
        uint32_t word = SWIVEL_LOAD(&latch->word, acquire);
        open = word & SWIVEL_LATCH_OPEN;
        // Others may enter their flags meanwhile: then it is another word, and this goes round.
        in_time = open || swivel__sleep_while(&latch->word, word, until);
    }
    open = open || swivel__latch_is_open(latch);
    if (open) {
        expect_opener(latch);
    }
    return open;
}

bool swivel__latch_enter(swivel_latch *latch, swivel_latch_pump *pump)
{
    // In the list first: whoever sees the flag finds the loop.
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
    if (*link != NULL) {
        *link = pump->next;
    }
    swivel__unlock(&latch->lock);
}

int swivel__latch_serve(swivel_latch *latch, swivel_real until)
{
    return enter(latch, SWIVEL_LATCH_SERVED | place()) ? swivel__guest_pump(is_open, latch, until)
                                                       : 1;
}
