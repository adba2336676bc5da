// SPDX-License-Identifier: Apache-2.0
/// Descriptors that an application closes under a loop.
#ifndef SWIVEL_TEST_DESCRIPTORS_H
#define SWIVEL_TEST_DESCRIPTORS_H

#include "swivel.h"

/// The descriptor that a loop loses, and the one that the application then has under its number.
typedef enum swivel_lost {
    SWIVEL_LOSE_BELL,
    SWIVEL_LOSE_TIME,
    SWIVEL_LOSE_POLLER,
    SWIVEL_LOSE_TIME_ASLEEP, ///< The clock of a loop that sleeps for a timer, and for nothing else.
} swivel_lost;
typedef enum swivel_found {
    SWIVEL_FIND_NOTHING,
    SWIVEL_FIND_FILE,
    SWIVEL_FIND_EVENTFD,
    SWIVEL_FIND_TIMERFD,
    SWIVEL_FIND_POLLER,
} swivel_found;

/// Makes a loop, closes that descriptor of it, opens the other thing under its number, and has the
/// loop sleep and be woken. Returns only if nothing comes of it.
///
/// - Parameter file: What `SWIVEL_FIND_FILE` opens for writing.
void swivel_lose_descriptor(swivel_lost lost, swivel_found found, bool has_thread,
                            const char *file);

#endif
