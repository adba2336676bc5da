// SPDX-License-Identifier: Apache-2.0
// Messages that must arrive, even if the inbox is out of memory. Another thread waits until the
// loop has drained, which frees segments. The loop's own thread must not wait for itself, and needs
// no memory.
#include "../../include/internal/hot.h"

#include <errno.h>
#include <sched.h>

/// Acts on a message outside a drain. A timer that it brings and that is due waits for the turn.
static void obey(swivel_loop *loop, swivel_entry entry)
{
    if (swivel__obey(loop, entry)) {
        uint32_t index = swivel__message_index(entry);
        swivel__wheel_file(&loop->wheel, index, swivel__slab_node(&loop->wheel.slab, index));
    }
}

/// Takes the messages about one node that lie in the inbox, ahead of everything else there.
static void take_messages_about(swivel_loop *loop, uint32_t index)
{
    swivel_inbox *inbox = &loop->inbox;
    uint64_t end = SWIVEL_LOAD(&inbox->tail, seq_cst) & ~SWIVEL_CLOSED;
    uint64_t number = inbox->cursor;
    while (number < end) {
        swivel_entry entry;
        if (!swivel__inbox_peek(inbox, number, &entry)) {
            sched_yield(); // Claimed; its producer is about to publish it.
            continue;
        }
        if ((entry.first & SWIVEL_MESSAGE) && swivel__message_index(entry) == index) {
            swivel__inbox_void(inbox, number);
            obey(loop, entry);
        }
        // Work that the message has released may have run turns, which drain.
        number = number + 1 > inbox->cursor ? number + 1 : inbox->cursor;
    }
}

/// Delivers a message on the loop's own thread.
static void deliver(swivel_loop *loop, swivel_entry entry)
{
    // It needs no place among the inbox's messages: one that overtakes it makes it void.
    if (!swivel__ring_push(&loop->local, entry)) {
        take_messages_about(loop, swivel__message_index(entry));
        obey(loop, entry);
    }
}

int swivel__send_surely(swivel_loop *loop, swivel_entry entry, uint64_t instant_ns)
{
    int status;
    while ((status = swivel__send(loop, entry, instant_ns)) == -ENOMEM) {
        if (swivel__is_own(loop)) {
            deliver(loop, entry);
            return SWIVEL_OK;
        }
        swivel_loop_wake(loop); // The waiting entries may be lazy ones, which do not wake it.
        sched_yield();
    }
    return status;
}

void swivel__send_reclaim(swivel_loop *loop, uint32_t index, uint32_t generation, uint64_t why)
{
    swivel_entry entry = {swivel__message(SWIVEL_RECLAIM, index, generation), why};
    swivel_tallied what;
    bool counts = swivel__is_tallied(why, &what);
    if (counts) {
        swivel__tally_sent(&loop->tally, what);
    }
    // Refused only when the loop closes, which frees all nodes.
    if (swivel__send_surely(loop, entry, SWIVEL_INSTANT_LAZY) != SWIVEL_OK && counts) {
        swivel__tally_unsent(&loop->tally, what);
    }
}
