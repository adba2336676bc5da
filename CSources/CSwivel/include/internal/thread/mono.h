// SPDX-License-Identifier: Apache-2.0
// Instants of the monotonic clock, in a type of their own. A plain number of nanoseconds is an
// instant of a loop's time, which a manual loop's driver sets. The compiler refuses to mix the two;
// `swivel__mono_of` and `swivel__instant_of` (clock.h) convert.
#ifndef SWIVEL_INTERNAL_MONO_H
#define SWIVEL_INTERNAL_MONO_H

#include "../../swivel_config.h"

SWIVEL_ASSUME_NONNULL_BEGIN

/// An instant of the system's monotonic clock.
typedef struct swivel_mono {
    uint64_t ns; ///< `SWIVEL_NEVER_NS`: never.
} swivel_mono;

/// An instant that has passed, and one that never comes.
#define SWIVEL_MONO_PAST ((swivel_mono){0})
#define SWIVEL_MONO_NEVER ((swivel_mono){SWIVEL_NEVER_NS})

/// Reads the system's clock. **Thread:** any.
swivel_mono swivel__mono_now(void);

/// A count that grows by one per nanosecond at least, the same on all processors: the processor's
/// counter, at 1 GHz or more, if the kernel keeps time by it. It may jump if the machine is
/// moved. **Thread:** any.
uint64_t swivel__ticks(void);

/// `instant + delay`, saturating at `SWIVEL_NEVER_NS`.
static inline uint64_t swivel__saturating_add(uint64_t instant_ns, uint64_t delay_ns)
{
    uint64_t sum;
    return __builtin_add_overflow(instant_ns, delay_ns, &sum) ? SWIVEL_NEVER_NS : sum;
}

/// As `swivel__saturating_add`.
static inline swivel_mono swivel__mono_after(swivel_mono instant, uint64_t delay_ns)
{
    return (swivel_mono){swivel__saturating_add(instant.ns, delay_ns)};
}

static inline bool swivel__mono_is_before(swivel_mono instant, swivel_mono other)
{
    return instant.ns < other.ns;
}

static inline swivel_mono swivel__mono_first(swivel_mono instant, swivel_mono other)
{
    return swivel__mono_is_before(other, instant) ? other : instant;
}

/// Nanoseconds from `earlier` to `later`; 0 if that is not later.
static inline uint64_t swivel__mono_since(swivel_mono earlier, swivel_mono later)
{
    return swivel__mono_is_before(earlier, later) ? later.ns - earlier.ns : 0;
}

/// Nanoseconds of a Swift `Duration`, rounded up and saturated; 0 for a negative one.
static inline uint64_t swivel__attoseconds_to_ns(int64_t high, uint64_t low)
{
    if (SWIVEL_UNLIKELY(high < 0)) {
        return 0;
    }
    // 10^9 = 2^9 * 5^9. From 2^94 as on the result does not fit, and the sum might not.
    if (SWIVEL_UNLIKELY((uint64_t)high >= UINT64_C(1) << 30)) {
        return SWIVEL_NEVER_NS;
    }
    unsigned __int128 rounded =
        (((unsigned __int128)(uint64_t)high << 64) | low) + UINT64_C(999999999);
    unsigned __int128 dividend = rounded >> 9;
    // Below 2.6 hours one division by 5^9 does, which is a multiplication.
    if (SWIVEL_LIKELY(dividend >> 64 == 0)) {
        return (uint64_t)dividend / 1953125;
    }
    unsigned __int128 quotient = dividend / 1953125;
    return quotient >> 64 == 0 ? (uint64_t)quotient : SWIVEL_NEVER_NS;
}

SWIVEL_ASSUME_NONNULL_END

#endif
