// SPDX-License-Identifier: Apache-2.0
/// An inbox by itself, and the sleep of its consumer.
#ifndef SWIVEL_TEST_INBOX_BED_H
#define SWIVEL_TEST_INBOX_BED_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_inbox_bed swivel_inbox_bed;

/// An open inbox.
swivel_inbox_bed *swivel_inbox_bed_make(void);
void swivel_inbox_bed_free(swivel_inbox_bed *bed);

int swivel_inbox_bed_push(swivel_inbox_bed *bed, uint64_t first, uint64_t second);
bool swivel_inbox_bed_take(swivel_inbox_bed *bed, uint64_t *first, uint64_t *second);
bool swivel_inbox_bed_is_empty(swivel_inbox_bed *bed);
/// One drain's ends, as a turn has them. Returns whether a producer holds it up.
void swivel_inbox_bed_begin_drain(swivel_inbox_bed *bed);
bool swivel_inbox_bed_end_drain(swivel_inbox_bed *bed);

/// The consumer's sleep. A wake without an entry returns whether it has notified the consumer; a park
/// returns whether the consumer is to sleep.
bool swivel_inbox_bed_wake(swivel_inbox_bed *bed);
bool swivel_inbox_bed_park(swivel_inbox_bed *bed, uint64_t until);
void swivel_inbox_bed_unpark(swivel_inbox_bed *bed);

/// The two halves of a push: a producer that is interrupted between them.
uint64_t swivel_inbox_bed_claim(swivel_inbox_bed *bed);
void swivel_inbox_bed_publish(swivel_inbox_bed *bed, uint64_t number, uint64_t first,
                              uint64_t second);

bool swivel_inbox_bed_close(swivel_inbox_bed *bed);
/// Frees the segments of a closed, consumed inbox.
void swivel_inbox_bed_reset(swivel_inbox_bed *bed);
/// The same, and opens it for the next life.
void swivel_inbox_bed_reopen(swivel_inbox_bed *bed);

/// Segments that are in the directory.
uint32_t swivel_inbox_bed_segments(const swivel_inbox_bed *bed);
/// Emptied segments that wait for producers.
uint32_t swivel_inbox_bed_spares(const swivel_inbox_bed *bed);
/// A step of the consumer's before its sleep.
bool swivel_inbox_bed_give(swivel_inbox_bed *bed);
/// Leaves memory in the entry that was taken last. False: its segment is empty.
bool swivel_inbox_bed_defer_free(swivel_inbox_bed *bed, uint64_t memory);
/// The sum of the deferred words that were freed, and how many they were, in all inboxes.
uint64_t swivel_inbox_bed_freed(uint64_t *count);
/// Pretends that as many entries wait as the inbox can hold, or `less` fewer.
void swivel_inbox_bed_fill(swivel_inbox_bed *bed, uint64_t less);

/// Threads that push at the same time while the caller consumes.
typedef struct swivel_storm {
    uint32_t producers;
    uint64_t entries_each;
    bool close_midway; ///< Another thread closes the inbox.
    uint64_t accepted, consumed, refused;
    uint64_t out_of_order; ///< Entries that overtook an older one of their producer.
} swivel_storm;

void swivel_inbox_bed_storm(swivel_inbox_bed *bed, swivel_storm *storm);

/// Producers that send blocks of memory, and a consumer that defers the free of most of them and
/// frees the others. Returns how many blocks were not freed once the inbox is reset; the entries
/// out of order count, too.
int64_t swivel_inbox_deferred_free_storm(uint32_t producers, uint64_t entries_each);

SWIVEL_ASSUME_NONNULL_END

#endif
