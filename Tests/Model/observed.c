// SPDX-License-Identifier: Apache-2.0
// Answers what the compiler announces of a model's own code, and of the stub's, which run.sh has
// call these names: all that they touch is announced, no access of theirs is a point, and no race.
#include "memory.h"
#include "reduction.h"

#include <string.h>

#define OBSERVED_PLAIN(name, bytes)                                                                \
    void observed_##name##read##bytes(const void *address);                                        \
    void observed_##name##read##bytes(const void *address)                                         \
    {                                                                                              \
        reduction_touch(address, bytes, false);                                                    \
    }                                                                                              \
    void observed_##name##write##bytes(const void *address);                                       \
    void observed_##name##write##bytes(const void *address)                                        \
    {                                                                                              \
        reduction_touch(address, bytes, true);                                                     \
    }

#define OBSERVED_SIZE(bytes) OBSERVED_PLAIN(, bytes) OBSERVED_PLAIN(unaligned_, bytes)

OBSERVED_SIZE(1)
OBSERVED_SIZE(2)
OBSERVED_SIZE(4)
OBSERVED_SIZE(8)
OBSERVED_SIZE(16)

void observed_read_range(const void *address, size_t size);
void observed_read_range(const void *address, size_t size)
{
    reduction_touch(address, size, false);
}

void observed_write_range(const void *address, size_t size);
void observed_write_range(const void *address, size_t size)
{
    reduction_touch(address, size, true);
}

void *observed_memset(void *to, int byte, size_t size);
void *observed_memset(void *to, int byte, size_t size)
{
    reduction_touch(to, size, true);
    return memset(to, byte, size);
}

void *observed_memcpy(void *to, const void *from, size_t size);
void *observed_memcpy(void *to, const void *from, size_t size)
{
    reduction_touch(from, size, false);
    reduction_touch(to, size, true);
    return memcpy(to, from, size);
}

void *observed_memmove(void *to, const void *from, size_t size);
void *observed_memmove(void *to, const void *from, size_t size)
{
    reduction_touch(from, size, false);
    reduction_touch(to, size, true);
    return memmove(to, from, size);
}

int observed_memcmp(const void *one, const void *other, size_t size);
int observed_memcmp(const void *one, const void *other, size_t size)
{
    reduction_touch(one, size, false);
    reduction_touch(other, size, false);
    return memcmp(one, other, size);
}

#define OBSERVED_RMW(bits, name, does)                                                             \
    uint##bits##_t observed_atomic##bits##_##name(volatile uint##bits##_t *object,                 \
                                                  uint##bits##_t value, int order);                \
    uint##bits##_t observed_atomic##bits##_##name(volatile uint##bits##_t *object,                 \
                                                  uint##bits##_t value, int order)                 \
    {                                                                                              \
        (void)order;                                                                               \
        reduction_touch(object, bits / 8, true);                                                   \
        return does(object, value, __ATOMIC_SEQ_CST);                                              \
    }

#define OBSERVED_ATOMIC(bits)                                                                      \
    uint##bits##_t observed_atomic##bits##_load(const volatile uint##bits##_t *object, int order); \
    uint##bits##_t observed_atomic##bits##_load(const volatile uint##bits##_t *object, int order)  \
    {                                                                                              \
        (void)order;                                                                               \
        reduction_touch(object, bits / 8, false);                                                  \
        return __atomic_load_n(object, __ATOMIC_SEQ_CST);                                          \
    }                                                                                              \
    void observed_atomic##bits##_store(volatile uint##bits##_t *object, uint##bits##_t value,      \
                                       int order);                                                 \
    void observed_atomic##bits##_store(volatile uint##bits##_t *object, uint##bits##_t value,      \
                                       int order)                                                  \
    {                                                                                              \
        (void)order;                                                                               \
        reduction_touch(object, bits / 8, true);                                                   \
        __atomic_store_n(object, value, __ATOMIC_SEQ_CST);                                         \
    }                                                                                              \
    OBSERVED_RMW(bits, exchange, __atomic_exchange_n)                                              \
    OBSERVED_RMW(bits, fetch_add, __atomic_fetch_add)                                              \
    OBSERVED_RMW(bits, fetch_sub, __atomic_fetch_sub)                                              \
    OBSERVED_RMW(bits, fetch_or, __atomic_fetch_or)                                                \
    OBSERVED_RMW(bits, fetch_and, __atomic_fetch_and)

OBSERVED_ATOMIC(8)
OBSERVED_ATOMIC(16)
OBSERVED_ATOMIC(32)
OBSERVED_ATOMIC(64)
