// SPDX-License-Identifier: Apache-2.0
/// A few words that belong to the calling thread.
#ifndef SWIVEL_INTERNAL_THREAD_CELL_H
#define SWIVEL_INTERNAL_THREAD_CELL_H

#include "../swivel_base.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// The calling thread's own sixteen words, zero at first. What they mean is the caller's affair.
///
/// **Thread:** any; the words are nobody else's.
void *swivel_thread_cell(void);

SWIVEL_ASSUME_NONNULL_END

#endif
