// SPDX-License-Identifier: Apache-2.0
/// A loop whose inbox has no room.
#ifndef SWIVEL_TEST_SHORTAGE_H
#define SWIVEL_TEST_SHORTAGE_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// Pretends that as many entries wait in the loop's inbox as fit into it, until its next drain
/// ends.
/// **Thread:** the loop's.
void swivel_inbox_pretend_full(swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
