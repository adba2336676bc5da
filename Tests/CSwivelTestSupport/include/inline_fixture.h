// SPDX-License-Identifier: Apache-2.0
/// The paths that Swift inlines, compiled as C, as the sanitizers and coverage need them.
#ifndef SWIVEL_TEST_INLINE_FIXTURE_H
#define SWIVEL_TEST_INLINE_FIXTURE_H

#include "swivel.h"

SWIVEL_ASSUME_NONNULL_BEGIN

typedef struct swivel_inline_walk {
    uint32_t rounds; ///< Of some dozen random operations and a leap of time each.
    uint64_t seed;

    uint64_t fired, cancelled, moved; ///< How often that happened.
} swivel_inline_walk;

/// Arms, cancels and re-arms timers of a manual loop at random, next to a list of what must fire.
/// Returns where they differ, or `NULL`.
const char *SWIVEL_NULLABLE swivel_inline_walk_run(swivel_inline_walk *walk);

SWIVEL_ASSUME_NONNULL_END

#endif
