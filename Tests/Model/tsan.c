// SPDX-License-Identifier: Apache-2.0
// Answers the calls that `-fsanitize=thread` puts before each access to memory, instead of that
// sanitizer's runtime: plain accesses are checked for races, atomic ones are the explorer's.
#include "explorer.h"
#include "memory.h"
#include "reduction.h"

#include <string.h>

/// Most accesses are not observed.
#define IS_WATCHED (explorer_is_weak() || memory_touched != NULL)
#define READ(address, size)                                                                        \
    (reduction_touch((address), (size), false),                                                    \
     IS_WATCHED ? memory_read((address), (size), __builtin_return_address(0)) : (void)0)
#define WRITE(address, size)                                                                       \
    (reduction_touch((address), (size), true),                                                     \
     IS_WATCHED ? memory_write((address), (size), __builtin_return_address(0)) : (void)0)

#define TSAN_PLAIN(bytes)                                                                          \
    void __tsan_read##bytes(void *address);                                                        \
    void __tsan_read##bytes(void *address)                                                         \
    {                                                                                              \
        READ(address, bytes);                                                                      \
    }                                                                                              \
    void __tsan_write##bytes(void *address);                                                       \
    void __tsan_write##bytes(void *address)                                                        \
    {                                                                                              \
        WRITE(address, bytes);                                                                     \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(void *address);                                              \
    void __tsan_unaligned_read##bytes(void *address)                                               \
    {                                                                                              \
        READ(address, bytes);                                                                      \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *address);                                             \
    void __tsan_unaligned_write##bytes(void *address)                                              \
    {                                                                                              \
        WRITE(address, bytes);                                                                     \
    }

TSAN_PLAIN(1)
TSAN_PLAIN(2)
TSAN_PLAIN(4)
TSAN_PLAIN(8)
TSAN_PLAIN(16)

void __tsan_read_range(void *address, size_t size);
void __tsan_read_range(void *address, size_t size)
{
    READ(address, size);
}

void __tsan_write_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size)
{
    WRITE(address, size);
}

void *__tsan_memset(void *to, int byte, size_t size);
void *__tsan_memset(void *to, int byte, size_t size)
{
    WRITE(to, size);
    return memset(to, byte, size);
}

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    READ(from, size);
    WRITE(to, size);
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size)
{
    READ(from, size);
    WRITE(to, size);
    return memmove(to, from, size);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_atomic_thread_fence(int order);
/// A fence, as an operation on one word that all fences share: that orders no less.
void __tsan_atomic_thread_fence(int order)
{
    static uint32_t fences;
    memory_rmw(&fences, sizeof fences, MEMORY_ADD, 0, order);
}

#define TSAN_RMW(bits, name, kind)                                                                 \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile void *object, uint##bits##_t value,       \
                                                int order);                                        \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile void *object, uint##bits##_t value,       \
                                                int order)                                         \
    {                                                                                              \
        return (uint##bits##_t)memory_rmw(object, bits / 8, kind, value, order);                   \
    }

#define TSAN_ATOMIC(bits)                                                                          \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile void *object, int order);             \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile void *object, int order)              \
    {                                                                                              \
        return (uint##bits##_t)memory_load(object, bits / 8, order);                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile void *object, uint##bits##_t value, int order);      \
    void __tsan_atomic##bits##_store(volatile void *object, uint##bits##_t value, int order)       \
    {                                                                                              \
        memory_store(object, bits / 8, value, order);                                              \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(                                             \
        volatile void *object, void *expected, uint##bits##_t desired, int success, int failure);  \
    int __tsan_atomic##bits##_compare_exchange_strong(                                             \
        volatile void *object, void *expected, uint##bits##_t desired, int success, int failure)   \
    {                                                                                              \
        return memory_cas(object, bits / 8, expected, desired, success, failure);                  \
    }                                                                                              \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                     \
        volatile void *object, uint##bits##_t expected, uint##bits##_t desired, int success,       \
        int failure);                                                                              \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                     \
        volatile void *object, uint##bits##_t expected, uint##bits##_t desired, int success,       \
        int failure)                                                                               \
    {                                                                                              \
        memory_cas(object, bits / 8, &expected, desired, success, failure);                        \
        return expected;                                                                           \
    }                                                                                              \
    TSAN_RMW(bits, exchange, MEMORY_EXCHANGE)                                                      \
    TSAN_RMW(bits, fetch_add, MEMORY_ADD)                                                          \
    TSAN_RMW(bits, fetch_sub, MEMORY_SUBTRACT)                                                     \
    TSAN_RMW(bits, fetch_or, MEMORY_OR)                                                            \
    TSAN_RMW(bits, fetch_and, MEMORY_AND)                                                          \
    TSAN_RMW(bits, fetch_xor, MEMORY_XOR)

TSAN_ATOMIC(8)
TSAN_ATOMIC(16)
TSAN_ATOMIC(32)
TSAN_ATOMIC(64)
