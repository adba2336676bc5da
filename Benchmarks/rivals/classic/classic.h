// SPDX-License-Identifier: Apache-2.0
#ifndef CLASSIC_H
#define CLASSIC_H

#include <stdint.h>

// The rivals in C that are processes of their own. The work is written once and compiled for each
// library; `LIBRARY` is the header that has its calls, so that none goes through a pointer.
#include LIBRARY

/// The numbers of a request; those that it does not name are 0.
struct request {
    uint32_t outstanding, operations, warmup, count, range_ms, producers, each, capturing, trips;
    uint32_t core;
};

/// The resources that the process has used: CPU time of all its threads in nanoseconds, and their
/// switches.
struct usage {
    int64_t cpu_ns, sleeps, preemptions;
};

/// Elapsed time, and what the process has used until it was idle again.
struct span {
    uint64_t start_ns;
    int64_t wall_ns;
    struct usage used;
};

/// The findings of one sample. The lab compares the counts with what they have to be.
struct answer {
    struct span span;
    uint64_t operations; ///< done
    uint64_t fired;      ///< callbacks that ran
    int64_t left;        ///< timers that were armed and neither stopped nor fired
    int64_t *times_ns;   ///< single times, `operations` of them, or NULL; the caller frees them
};

struct answer pairs(const struct request *request);
struct answer churn(const struct request *request);
struct answer debounce(const struct request *request);
struct answer threads(const struct request *request);
struct answer burst(const struct request *request);
struct answer spread(const struct request *request);
struct answer lateness(const struct request *request);
struct answer posts(const struct request *request);
struct answer round_trips(const struct request *request);

uint64_t now_ns(void);
void sleep_until(uint64_t instant_ns);

/// Waits until the process is idle, and begins.
void span_begin(struct span *span);

/// Ends a span at an instant, and counts CPU time until the process is idle, but not the calling
/// thread's while it waits for that.
void span_end(struct span *span, uint64_t instant_ns);

/// Memory, or the end of the program.
void *memory(size_t count, size_t size);

/// The next of a series of random numbers, the same in every run.
uint64_t draw(uint64_t *state);

/// The delay with this number, counted round: 1 to 60 s, drawn beforehand as the lab's own are.
uint64_t far_us(uint32_t index);

/// Timers that stand by. In the end each of them has fired or was stopped.
struct field {
    loop *loop;
    timer *timers;
    uint32_t count;
    uint64_t fired;
};

void field_open(struct field *field, loop *loop, uint32_t count);

/// Stops all timers. Returns how many of the `armed` ones are lost: they have not fired, and were
/// stopped neither here nor among the `stopped` before.
int64_t field_close(struct field *field, uint64_t armed, uint64_t stopped);

/// Adds one to the count that the timer's data points at.
void count_fire(timer *timer);

/// Gives the calling thread the core with this number, as the lab does with its producers and with
/// threads that are measured alone. Returns the cores that it had.
uint64_t take_core(uint32_t number);

/// Gives the calling thread these cores.
void give_cores(uint64_t cores);

/// Leaves the first cores to as many producers, if that leaves the calling thread any.
void leave_free(uint32_t producers);

#endif
