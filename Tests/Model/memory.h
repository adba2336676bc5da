// SPDX-License-Identifier: Apache-2.0
// The values that a thread of a model may read: C11's memory orders, by views.
//
// Each atomic object keeps the stores of this execution in modification order. A thread has a view:
// for each object the oldest store that it may still read, and for each thread how far it has
// followed it. A load may return any store that its view allows, and the explorer tries each. A
// release store carries its thread's view, and an acquire load that reads it joins that view; a
// read-modify-write reads the latest store and carries on what that one carried. A seq_cst load
// reads no store older than the object's last seq_cst store. Plain accesses of two threads, of
// which one writes and neither view contains the other, are a data race and end the program.
//
// After J. Kang et al., "A Promising Semantics for Relaxed-Memory Concurrency", POPL 2017, without
// its promises, and with the limits that C. Norris and B. Demsky name in "CDSChecker", OOPSLA 2013:
// a store is last in modification order when it is made, and no load sees a store that is made
// after it. So load buffering is not explored; store buffering, message passing, and reads that are
// old but coherent are.
#ifndef SWIVEL_MODEL_MEMORY_H
#define SWIVEL_MODEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum memory_update {
    MEMORY_EXCHANGE,
    MEMORY_ADD,
    MEMORY_SUBTRACT,
    MEMORY_OR,
    MEMORY_AND,
    MEMORY_XOR,
} memory_update;

/// The orders are C11's, as `memory_order_…` names them. Each operation is a point at which another
/// thread may go on. Objects have 1, 2, 4 or 8 bytes.
uint64_t memory_load(const volatile void *object, size_t size, int order);
void memory_store(volatile void *object, size_t size, uint64_t value, int order);
uint64_t memory_rmw(volatile void *object, size_t size, memory_update kind, uint64_t operand,
                    int order);
/// A strong compare-and-swap; on failure `*expected` holds what was read.
bool memory_cas(volatile void *object, size_t size, void *expected, uint64_t desired, int success,
                int failure);

/// Loads of one execution that may return anything but the latest store. Most mistakes about orders
/// show themselves with one, which is the number at first; a wait that checks twice needs two.
extern int memory_old_reads;

/// An access that decides nothing: no point, no order, no race.
void memory_count(volatile void *counter, uint64_t amount);
uint64_t memory_setting(const volatile void *object, size_t size);

/// Told of each access, plain or atomic, in both explorations. May be `NULL`.
extern void (*memory_touched)(const volatile void *address, size_t size, const void *from);

/// A plain access by the code at `from`. Not a point.
void memory_read(const volatile void *address, size_t size, const void *from);
void memory_write(const volatile void *address, size_t size, const void *from);

/// A plain read that counts only if the thread's next compare-and-swap succeeds.
void memory_peek(const volatile void *address, size_t size);

/// The order of a lock or a descriptor: all before a `memory_give` of an object comes before all
/// after a later `memory_take` of it.
void memory_give(const void *object);
void memory_take(const void *object);

/// The bytes have no owner any more: what comes to lie there is new.
void memory_forget(const void *start, size_t bytes);

/// Called by the explorer, before each execution.
void memory_reset(void);

// Between memory.c and plain.c.

/// Whether the running thread follows what `thread` did at `clock`.
bool memory_follows(int thread, uint32_t clock);
/// The running thread's own clock.
uint32_t memory_clock(void);
void memory_forget_plain(const void *start, size_t bytes);
void memory_reset_plain(void);

#endif
