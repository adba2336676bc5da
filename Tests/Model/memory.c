// SPDX-License-Identifier: Apache-2.0
#include "history.h"
#include "explorer.h"
#include "reduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The reads that each thread has peeked since its last compare-and-swap.
static struct peeked {
    const volatile void *address;
    size_t size;
    const void *from;
} peeked[EXPLORER_THREADS_MAX];

void (*memory_touched)(const volatile void *address, size_t size, const void *from);

#define TOUCH(object, size)                                                                        \
    (memory_touched == NULL ? (void)0                                                              \
                            : memory_touched((object), (size), __builtin_return_address(0)))

uint64_t memory_peek_bytes(const volatile void *object, size_t size)
{
    switch (size) {
    case 1:
        return *(const volatile uint8_t *)object;
    case 2:
        return *(const volatile uint16_t *)object;
    case 4:
        return *(const volatile uint32_t *)object;
    case 8:
        return *(const volatile uint64_t *)object;
    default:
        abort();
    }
}

static void poke(volatile void *object, size_t size, uint64_t value)
{
    switch (size) {
    case 1:
        *(volatile uint8_t *)object = (uint8_t)value;
        break;
    case 2:
        *(volatile uint16_t *)object = (uint16_t)value;
        break;
    case 4:
        *(volatile uint32_t *)object = (uint32_t)value;
        break;
    case 8:
        *(volatile uint64_t *)object = value;
        break;
    default:
        abort();
    }
}

static uint64_t narrow(uint64_t value, size_t size)
{
    return size < 8 ? value & ((UINT64_C(1) << size * 8) - 1) : value;
}

static uint64_t updated(memory_update kind, uint64_t value, uint64_t operand)
{
    switch (kind) {
    case MEMORY_EXCHANGE:
        return operand;
    case MEMORY_ADD:
        return value + operand;
    case MEMORY_SUBTRACT:
        return value - operand;
    case MEMORY_OR:
        return value | operand;
    case MEMORY_AND:
        return value & operand;
    case MEMORY_XOR:
        return value ^ operand;
    }
    return value;
}

static void trace(const char *what, const volatile void *object, uint64_t value, bool is_old,
                  const void *from)
{
    if (explorer_traces()) {
        fprintf(stderr, "thread %d at %p: %s %p %#llx%s\n", explorer_thread(), from, what,
                (const void *)object, (unsigned long long)value, is_old ? " (old)" : "");
    }
}

#define TRACE(what, object, value, is_old)                                                         \
    trace((what), (object), (value), (is_old), __builtin_return_address(0))

uint64_t memory_load(const volatile void *object, size_t size, int order)
{
    explorer_point();
    TOUCH(object, size);
    reduction_touch(object, size, false);
    if (!explorer_is_weak()) {
        TRACE("load", object, memory_peek_bytes(object, size), false);
        return memory_peek_bytes(object, size);
    }
    uint32_t number = history_of(object, size);
    const store *store = history_choose(number, order);
    TRACE("load", object, store->value, store != history_newest(number));
    history_observe(number, store, order);
    return store->value;
}

void memory_store(volatile void *object, size_t size, uint64_t value, int order)
{
    explorer_point();
    TOUCH(object, size);
    reduction_touch(object, size, true);
    value = narrow(value, size);
    TRACE("store", object, value, false);
    if (explorer_is_weak()) {
        history_publish(history_of(object, size), value, order, HISTORY_NONE);
    }
    poke(object, size, value);
}

uint64_t memory_rmw(volatile void *object, size_t size, memory_update kind, uint64_t operand,
                    int order)
{
    explorer_point();
    TOUCH(object, size);
    reduction_touch(object, size, true);
    uint64_t before = memory_peek_bytes(object, size);
    uint64_t value = narrow(updated(kind, before, operand), size);
    TRACE("update", object, value, false);
    if (explorer_is_weak()) {
        uint32_t number = history_of(object, size);
        const store *newest = history_newest(number);
        uint32_t carried = newest->view;
        history_observe(number, newest, order);
        history_publish(number, value, order, carried);
    }
    poke(object, size, value);
    return before;
}

bool memory_cas(volatile void *object, size_t size, void *expected, uint64_t desired, int success,
                int failure)
{
    explorer_point();
    TOUCH(object, size);
    uint64_t wanted = memory_peek_bytes(expected, size), found = memory_peek_bytes(object, size);
    desired = narrow(desired, size);
    reduction_touch(object, size, found == wanted);
    TRACE(found == wanted ? "swap" : "failed swap", object, desired, false);
    if (!explorer_is_weak()) {
        if (found == wanted) {
            poke(object, size, desired);
        } else {
            poke(expected, size, found);
        }
        return found == wanted;
    }
    uint32_t number = history_of(object, size);
    const store *read = history_choose(number, failure);
    const store *newest = history_newest(number);
    if (read->value == wanted) {
        // It may fail only for what it reads, and succeeds only on the latest.
        read = newest;
    }
    struct peeked *peek = &peeked[explorer_thread()];
    size_t peeked_size = peek->size;
    peek->size = 0;
    if (read == newest && newest->value == wanted) {
        uint32_t carried = newest->view;
        memory_read(peek->address, peeked_size, peek->from);
        history_observe(number, newest, success);
        history_publish(number, desired, success, carried);
        poke(object, size, desired);
        return true;
    }
    history_observe(number, read, failure);
    poke(expected, size, read->value);
    return false;
}

void memory_count(volatile void *counter, uint64_t amount)
{
    poke(counter, sizeof amount, memory_peek_bytes(counter, sizeof amount) + amount);
}

uint64_t memory_setting(const volatile void *object, size_t size)
{
    reduction_touch(object, size, false);
    return memory_peek_bytes(object, size);
}

void memory_peek(const volatile void *address, size_t size)
{
    reduction_touch(address, size, false);
    if (explorer_is_weak()) {
        peeked[explorer_thread()] = (struct peeked){address, size, __builtin_return_address(0)};
    }
}

void memory_reset(void)
{
    memset(peeked, 0, sizeof peeked);
    history_reset();
    memory_reset_plain();
}
