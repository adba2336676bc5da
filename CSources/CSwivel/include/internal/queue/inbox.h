// SPDX-License-Identifier: Apache-2.0
// The queue through which other threads reach a loop: many producers, one consumer, one order.
//
// A producer claims a number by a compare-and-swap on `tail`, writes its entry there and publishes
// it; the consumer reads in that order. Entries lie in segments of 512 that a directory finds by
// number. A number's producer alone writes there and never comes back, so a consumed segment is
// freed without hazard pointers or epochs. docs/design/inbox.md.
#ifndef SWIVEL_INTERNAL_INBOX_H
#define SWIVEL_INTERNAL_INBOX_H

#include "../../swivel_config.h"
#include "../thread/atomics.h"

SWIVEL_ASSUME_NONNULL_BEGIN

#ifndef SWIVEL_SEGMENT_SHIFT
#define SWIVEL_SEGMENT_SHIFT 9
#endif
#define SWIVEL_SEGMENT_ENTRIES (UINT64_C(1) << SWIVEL_SEGMENT_SHIFT)
#ifndef SWIVEL_DIRECTORY_SHIFT
#define SWIVEL_DIRECTORY_SHIFT 16
#endif
#define SWIVEL_DIRECTORY_SLOTS (UINT64_C(1) << SWIVEL_DIRECTORY_SHIFT)
/// Entries that may wait: 33 million.
#define SWIVEL_INBOX_MAX ((SWIVEL_DIRECTORY_SLOTS - 2) << SWIVEL_SEGMENT_SHIFT)
#ifndef SWIVEL_SPARES_MAX
/// Emptied segments that are kept for producers: those that fill until they wake a consumer.
#define SWIVEL_SPARES_MAX 3
#endif
/// In `tail`: the inbox is closed.
#define SWIVEL_CLOSED (UINT64_C(1) << 63)

/// Work to run, or a message about a node.
/// Work: the two words of a closure; the first is an address, whose top four bits are 0.
/// Callback: see `swivel__callback_word`.
/// Message: `SWIVEL_MESSAGE | generation << 32 | index << 4 | kind`, and why it was sent.
typedef struct swivel_entry {
    uint64_t first, second;
} swivel_entry;

#define SWIVEL_MESSAGE (UINT64_C(1) << 63)
#define SWIVEL_CALLBACK (UINT64_C(1) << 62)
#define SWIVEL_GOES_ON (UINT64_C(1) << 61)
#define SWIVEL_HAS_CLOSURE (UINT64_C(1) << 60)

typedef enum swivel_message {
    SWIVEL_ARM,     ///< Adopt the node: file it, or run it if its instant is 0.
    SWIVEL_CHECK,   ///< The timer was moved or disarmed: check the node.
    SWIVEL_RECLAIM, ///< The node is over; its work is gone.
    SWIVEL_JOB,     ///< Not about a node: see `swivel__post_job`.
    SWIVEL_FENCE,   ///< Among own posts: those behind it wait for the inbox's entry of this number.
    SWIVEL_DUE,     ///< The timer was moved to now by the call with this number: fire it.
} swivel_message;

static inline uint64_t swivel__message(swivel_message kind, uint32_t index, uint32_t generation)
{
    return SWIVEL_MESSAGE | (uint64_t)generation << 32 | (uint64_t)index << 4 | (uint64_t)kind;
}

/// The node that a message is about; of a job's message, its kind.
static inline uint32_t swivel__message_index(uint64_t first)
{
    return (uint32_t)(first >> 4) & 0xFFFFFFFu;
}

static inline bool swivel__is_job(uint64_t first)
{
    return (first & (SWIVEL_MESSAGE | 0xF)) == (SWIVEL_MESSAGE | SWIVEL_JOB);
}

/// The first word of a callback, a post that is a function and its argument; the hooks get both.
/// `goes_on`: it continues work that has run. `has_closure`: its argument begins with a closure.
static inline uint64_t swivel__callback_word(uintptr_t function, bool goes_on, bool has_closure)
{
    return (uint64_t)function | SWIVEL_CALLBACK | (goes_on ? SWIVEL_GOES_ON : 0) |
           (has_closure ? SWIVEL_HAS_CLOSURE : 0);
}

/// Whether the words are such a callback's.
static inline bool swivel__has_closure(uint64_t first)
{
    return (first & (SWIVEL_MESSAGE | SWIVEL_HAS_CLOSURE)) == SWIVEL_HAS_CLOSURE;
}

static inline uintptr_t swivel__callback_function(uint64_t first)
{
    return (uintptr_t)(first & ~(SWIVEL_CALLBACK | SWIVEL_GOES_ON | SWIVEL_HAS_CLOSURE));
}

/// Whether the words are a closure's, and neither a job's nor a callback's.
static inline bool swivel__is_closure(uint64_t first)
{
    return (first & (SWIVEL_MESSAGE | SWIVEL_CALLBACK)) == 0;
}

/// Whether the entry continues work that has run: a job, or such a callback.
static inline bool swivel__goes_on(uint64_t first)
{
    return swivel__is_job(first) || (first & (SWIVEL_MESSAGE | SWIVEL_GOES_ON)) == SWIVEL_GOES_ON;
}

typedef struct swivel_slot {
    SWIVEL_ATOMIC(uint64_t) first; ///< 0: not published yet.
    uint64_t second;               ///< While it is not claimed: memory to free, or 0.
} swivel_slot;

typedef struct swivel_segment {
    swivel_slot slots[SWIVEL_SEGMENT_ENTRIES];
} swivel_segment;

typedef struct swivel_inbox {
    // A producer needs all of these, so they share a line.
    _Alignas(64) SWIVEL_ATOMIC(uint64_t) tail; ///< The next number, and `SWIVEL_CLOSED`.
    SWIVEL_ATOMIC(uint64_t) head;              ///< How far the consumer has come, as it says.
    SWIVEL_ATOMIC(swivel_segment *) *directory;
    SWIVEL_ATOMIC(uint64_t) order; ///< The number of the next call about a timer; see timer.h.
    _Alignas(64) uint64_t cursor;              ///< Consumer. The next entry to take.
    swivel_segment *SWIVEL_NULLABLE current;   ///< Consumer. The segment of `cursor`.
    uint64_t limit;                            ///< Consumer. `tail` as the last drain saw it.
    uint64_t deferred[(SWIVEL_SEGMENT_ENTRIES + 63) / 64]; ///< Consumer. By slot of `current`.
    SWIVEL_ATOMIC(swivel_segment *) spares[SWIVEL_SPARES_MAX]; ///< Emptied, for the next producers.
    /// Frees deferred memory. Set once, while the inbox is closed.
    void (*SWIVEL_NULLABLE free_deferred)(uintptr_t memory);
} swivel_inbox;

/// Makes the directory, once in a record's life. Returns `SWIVEL_OK` or a negative errno.
int swivel__inbox_init(swivel_inbox *inbox);
/// Frees the segments of a closed inbox that was consumed to its end.
void swivel__inbox_reset(swivel_inbox *inbox);
/// Accepts entries (again). **Thread:** any, while no thread pushes.
void swivel__inbox_open(swivel_inbox *inbox);
/// Refuses entries from here on. Returns whether this call closed it. **Thread:** any.
bool swivel__inbox_close(swivel_inbox *inbox);
/// Cold path of `swivel__inbox_push`: puts a segment behind `number`. False without memory.
bool swivel__inbox_extend(swivel_inbox *inbox, uint64_t number);
/// Cold path of `swivel__inbox_take`: frees the consumed segment, finds the next.
bool swivel__inbox_next_segment(swivel_inbox *inbox);

/// Where the directory has the segment of an entry.
static inline SWIVEL_ATOMIC(swivel_segment *) *swivel__inbox_directory(const swivel_inbox *inbox,
                                                                       uint64_t number)
{
    return &inbox->directory[(number >> SWIVEL_SEGMENT_SHIFT) & (SWIVEL_DIRECTORY_SLOTS - 1)];
}

/// Appends an entry. **Thread:** any. Returns `SWIVEL_OK`, `SWIVEL_ESHUTDOWN` or `-ENOMEM`;
/// `*waiting` is the number of entries before this one.
static inline int swivel__inbox_push(swivel_inbox *inbox, swivel_entry entry, uint64_t *waiting)
{
    uint64_t number = SWIVEL_LOAD(&inbox->tail, relaxed);
    for (;;) {
        if (SWIVEL_UNLIKELY(number & SWIVEL_CLOSED)) {
            return SWIVEL_ESHUTDOWN;
        }
        // Acquire pairs with the consumer's release after it has emptied a directory slot.
        *waiting = number - SWIVEL_LOAD(&inbox->head, acquire);
        bool is_full = (int64_t)*waiting >= (int64_t)SWIVEL_INBOX_MAX;
        swivel_segment *segment = SWIVEL_LOAD(swivel__inbox_directory(inbox, number), acquire);
        if (SWIVEL_UNLIKELY(segment == NULL || is_full)) {
            if (is_full || !swivel__inbox_extend(inbox, number)) {
                return -12; // ENOMEM, without its header in every file that pushes
            }
            number = SWIVEL_LOAD(&inbox->tail, relaxed);
            continue;
        }
        if (SWIVEL_CAS(&inbox->tail, &number, number + 1, seq_cst, relaxed)) {
            swivel_slot *slot = &segment->slots[number & (SWIVEL_SEGMENT_ENTRIES - 1)];
            uint64_t memory = slot->second;
            slot->second = entry.second;
            // Sequentially consistent: ordered before the producer reads the park word.
            SWIVEL_STORE(&slot->first, entry.first, seq_cst);
            if (memory != 0) {
                inbox->free_deferred((uintptr_t)memory);
            }
            return SWIVEL_OK;
        }
    }
}

/// The number of the next entry. **Thread:** any.
static inline uint64_t swivel__inbox_tail(swivel_inbox *inbox)
{
    return SWIVEL_LOAD(&inbox->tail, relaxed) & ~SWIVEL_CLOSED;
}

/// The slot of the next entry; there must be a segment. **Thread:** the consumer.
static inline swivel_slot *swivel__inbox_slot(const swivel_inbox *inbox)
{
    return &inbox->current->slots[inbox->cursor & (SWIVEL_SEGMENT_ENTRIES - 1)];
}

/// Whether the next entry is published. **Thread:** the consumer.
static inline bool swivel__inbox_ready(swivel_inbox *inbox)
{
    if (SWIVEL_UNLIKELY(inbox->current == NULL) && !swivel__inbox_next_segment(inbox)) {
        return false;
    }
    return SWIVEL_LOAD(&swivel__inbox_slot(inbox)->first, seq_cst) != 0;
}

/// Whether the next entry is published, and a post: its producer raises the urgency afterwards.
/// **Thread:** the consumer.
static inline bool swivel__inbox_has_post(const swivel_inbox *inbox)
{
    if (SWIVEL_UNLIKELY(inbox->current == NULL)) {
        return false;
    }
    // Relaxed: the taker of the entry acquires.
    uint64_t first = SWIVEL_LOAD(&swivel__inbox_slot(inbox)->first, relaxed);
    return first != 0 && (!(first & SWIVEL_MESSAGE) || swivel__is_job(first));
}

/// Takes the next entry, if it is published. **Thread:** the consumer.
static inline bool swivel__inbox_take(swivel_inbox *inbox, swivel_entry *entry)
{
    if (SWIVEL_UNLIKELY(inbox->current == NULL) && !swivel__inbox_next_segment(inbox)) {
        return false;
    }
    swivel_slot *slot = swivel__inbox_slot(inbox);
    entry->first = SWIVEL_LOAD(&slot->first, seq_cst);
    if (entry->first == 0) {
        return false;
    }
    entry->second = slot->second;
    inbox->cursor += 1;
    if (SWIVEL_UNLIKELY((inbox->cursor & (SWIVEL_SEGMENT_ENTRIES - 1)) == 0)) {
        swivel__inbox_next_segment(inbox);
    }
    return true;
}

/// Leaves memory to free in a taken entry. False: its segment is gone. **Thread:** the consumer.
static inline bool swivel__inbox_defer_free(swivel_inbox *inbox, uint64_t number, uint64_t memory)
{
    if (SWIVEL_UNLIKELY(inbox->current == NULL ||
                        (inbox->cursor ^ number) >> SWIVEL_SEGMENT_SHIFT != 0)) {
        return false;
    }
    uint64_t index = number & (SWIVEL_SEGMENT_ENTRIES - 1);
    inbox->deferred[index / 64] |= UINT64_C(1) << (index % 64);
    inbox->current->slots[index].second = memory;
    return true;
}

/// Whether nothing is claimed behind the cursor. **Thread:** the consumer.
static inline bool swivel__inbox_is_empty(swivel_inbox *inbox)
{
    return (SWIVEL_LOAD(&inbox->tail, seq_cst) & ~SWIVEL_CLOSED) == inbox->cursor;
}

/// Publishes how far the consumer has come.
static inline void swivel__inbox_publish_head(swivel_inbox *inbox)
{
    SWIVEL_STORE(&inbox->head, inbox->cursor, release);
}

/// Begins a drain, up to the entries that are claimed now. Consumer.
static inline uint64_t swivel__inbox_begin_drain(swivel_inbox *inbox)
{
    inbox->limit = SWIVEL_LOAD(&inbox->tail, seq_cst) & ~SWIVEL_CLOSED;
    return inbox->limit;
}

/// Whether the latest drain ended before its limit, at an entry that is claimed and not published.
/// It is never remembered: a pump inside the drain may have gone past that entry since. Consumer.
static inline bool swivel__inbox_is_held_up(const swivel_inbox *inbox)
{
    return inbox->cursor < inbox->limit;
}

SWIVEL_ASSUME_NONNULL_END

#endif
