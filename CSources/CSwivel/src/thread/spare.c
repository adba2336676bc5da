// SPDX-License-Identifier: Apache-2.0
// An object that a thread keeps from one use to the next, so that it need not be allocated anew.
#include "../../include/internal/thread/thread.h"
#include "../../include/internal/thread/thread_end.h"

static void thread_ended(void)
{
    void *spare = swivel__thread_take_spare();
    if (spare != NULL) {
        swivel__thread.release_spare(spare);
    }
}

bool swivel__thread_keep_spare(void *spare, void (*release)(void *))
{
    if (swivel__thread.spare != NULL) {
        return false;
    }
    bool is_noticed = swivel__thread.is_end_expected || swivel__thread_end_watch() == SWIVEL_OK;
    if (!is_noticed || !swivel__thread.is_end_expected) {
        return false;
    }
    swivel__thread_end_call(SWIVEL_END_SPARE, thread_ended);
    swivel__thread.spare = spare;
    swivel__thread.release_spare = release;
    return true;
}

void *swivel__thread_take_spare(void)
{
    void *spare = swivel__thread.spare;
    swivel__thread.spare = NULL;
    return spare;
}
