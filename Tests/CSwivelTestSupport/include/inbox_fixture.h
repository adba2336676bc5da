// SPDX-License-Identifier: Apache-2.0
/// An inbox by itself, and the sleep of its consumer.
#ifndef SWIVEL_TEST_INBOX_FIXTURE_H
#define SWIVEL_TEST_INBOX_FIXTURE_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_inbox_fixture swivel_inbox_fixture;

/// An open inbox.
swivel_inbox_fixture *swivel_inbox_fixture_make(void);
void swivel_inbox_fixture_free(swivel_inbox_fixture *fixture);

int swivel_inbox_fixture_push(swivel_inbox_fixture *fixture, uint64_t first, uint64_t second);
bool swivel_inbox_fixture_take(swivel_inbox_fixture *fixture, uint64_t *first, uint64_t *second);
bool swivel_inbox_fixture_is_empty(swivel_inbox_fixture *fixture);
/// One drain's ends, as a turn has them. Returns whether a producer holds it up.
void swivel_inbox_fixture_begin_drain(swivel_inbox_fixture *fixture);
bool swivel_inbox_fixture_end_drain(swivel_inbox_fixture *fixture);

/// The consumer's sleep. A wake without an entry returns whether it has notified the consumer; a park
/// returns whether the consumer is to sleep.
bool swivel_inbox_fixture_wake(swivel_inbox_fixture *fixture);
bool swivel_inbox_fixture_park(swivel_inbox_fixture *fixture, uint64_t until);
void swivel_inbox_fixture_unpark(swivel_inbox_fixture *fixture);

/// The two halves of a push: a producer that is interrupted between them.
uint64_t swivel_inbox_fixture_claim(swivel_inbox_fixture *fixture);
void swivel_inbox_fixture_publish(swivel_inbox_fixture *fixture, uint64_t number, uint64_t first,
                              uint64_t second);

bool swivel_inbox_fixture_close(swivel_inbox_fixture *fixture);
/// Frees the segments of a closed, consumed inbox.
void swivel_inbox_fixture_reset(swivel_inbox_fixture *fixture);
/// The same, and opens it for the next life.
void swivel_inbox_fixture_reopen(swivel_inbox_fixture *fixture);

/// Segments that are in the directory.
uint32_t swivel_inbox_fixture_segments(const swivel_inbox_fixture *fixture);
/// Emptied segments that wait for producers.
uint32_t swivel_inbox_fixture_spares(const swivel_inbox_fixture *fixture);
/// Leaves memory in the entry that was taken last. False: its segment is empty.
bool swivel_inbox_fixture_defer_free(swivel_inbox_fixture *fixture, uint64_t memory);
/// The sum of the deferred words that were freed, and how many they were, in all inboxes.
uint64_t swivel_inbox_fixture_freed(uint64_t *count);
/// Pretends that as many entries wait as the inbox can hold, or `less` fewer.
void swivel_inbox_fixture_fill(swivel_inbox_fixture *fixture, uint64_t less);

/// Threads that push at the same time while the caller consumes.
typedef struct swivel_storm {
    uint32_t producers;
    uint64_t entries_each;
    bool close_midway; ///< Another thread closes the inbox.
    uint64_t accepted, consumed, refused;
    uint64_t out_of_order; ///< Entries that overtook an older one of their producer.
} swivel_storm;

void swivel_inbox_fixture_storm(swivel_inbox_fixture *fixture, swivel_storm *storm);

/// Producers that send blocks of memory, and a consumer that defers the free of most of them and
/// frees the others. Returns how many blocks were not freed once the inbox is reset; the entries
/// out of order count, too.
int64_t swivel_inbox_deferred_free_storm(uint32_t producers, uint64_t entries_each);

SWIVEL_ASSUME_NONNULL_END

#endif
