// SPDX-License-Identifier: Apache-2.0
#ifndef RAW_UV_H
#define RAW_UV_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// libuv as a C programmer would use it, with nothing of Swivel in between: the rival that shows
// what the Swift layer costs and what the wheel gains. Each call makes a loop of its own, does its
// work on it and closes it; each returns 0 or a libuv error.

/// The timers that stand by while something else is measured, and the table of delays that both
/// they and the measured operations draw from in turn.
struct raw_uv_field {
    uint32_t outstanding;      ///< how many timers stand by
    const uint32_t *delays_ms; ///< a table of delays in milliseconds
    uint32_t delay_mask;       ///< its length less one; the length is a power of two
};

/// The result of a measurement. Times are nanoseconds; CPU is that of the whole process.
struct raw_uv_span {
    uint64_t wall_ns;
    uint64_t cpu_ns;
    uint64_t done;  ///< operations completed
    uint64_t fired; ///< callbacks that ran among the operations measured
};

/// libuv's version as text.
const char *raw_uv_version(void);

/// uv_timer_start and uv_timer_stop of one timer, `operations` times.
int raw_uv_pairs(struct raw_uv_field field, uint32_t operations, struct raw_uv_span *span);

/// Random choices among the outstanding timers, used in turn.
struct raw_uv_picks {
    const uint32_t *indices; ///< each below the number outstanding
    uint32_t mask;           ///< how many less one; how many is a power of two
};

/// Stops a picked one of the outstanding timers and starts it again, `operations` times after
/// `warm_up` times that do not count.
int raw_uv_churn(struct raw_uv_field field, struct raw_uv_picks picks, uint32_t warm_up,
                 uint32_t operations, struct raw_uv_span *span);

/// Arms `count` timers with delays of 1 to `range_ms` ms, sleeps until all are due and lets them
/// fire; the span holds the firing alone.
int raw_uv_burst(uint32_t count, uint32_t range_ms, const uint32_t *delays_ms, uint32_t delay_mask,
                 struct raw_uv_span *span);

/// `producers` threads hand `each` closures over to a loop's thread through a locked list and
/// uv_async_send. Each closure is a heap record, as Swift makes one for captures.
/// `start` is called by each producer before it begins, with its number.
///
int raw_uv_post(uint32_t producers, uint32_t each, void (*start)(uint32_t number),
                struct raw_uv_span *span);

/// A loop with timers standing by, for readings of memory.
struct raw_uv_bed;

/// Opens a loop and arms `field.outstanding` timers.
int raw_uv_bed_open(struct raw_uv_field field, struct raw_uv_bed *_Nullable *_Nonnull bed);

/// Stops every timer, in the order in which they were armed.
void raw_uv_bed_stop_all(struct raw_uv_bed *bed);

/// How many timers stand by.
uint32_t raw_uv_bed_active(const struct raw_uv_bed *bed);

/// Closes every handle and the loop, and frees the bed.
int raw_uv_bed_close(struct raw_uv_bed *_Nullable bed);

/// Connected pairs of sockets whose first ends are watched. Once each of them has been read, all
/// second ends are written again, `rounds` times in all.
struct raw_crowd {
    int *pairs;
    uint32_t count, left, rounds;
    uint64_t read;
};

/// Opens the pairs. Raises the limit of open files to what the system allows. Returns 0 or an error.
int raw_crowd_open(struct raw_crowd *crowd, uint32_t count, uint32_t rounds);
void raw_crowd_close(struct raw_crowd *crowd);
/// Makes the first socket of each pair readable, by a byte.
void raw_crowd_write(const struct raw_crowd *crowd);
/// Counts a byte that was read from one of them, and writes if it was the round's last one. Returns
/// whether it was the last of all.
bool raw_crowd_count(struct raw_crowd *crowd);
/// Reads a byte, and counts it. All contenders but NIO do their work by this function.
bool raw_crowd_read(struct raw_crowd *crowd, int descriptor);

/// Makes `count` sockets readable at once and reads each at its event, `rounds` times: with plain
/// epoll (on Linux only), and with uv_poll.
int raw_epoll_events(uint32_t count, uint32_t rounds, struct raw_uv_span *span);
int raw_uv_events(uint32_t count, uint32_t rounds, struct raw_uv_span *span);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
