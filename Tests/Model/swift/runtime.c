// SPDX-License-Identifier: Apache-2.0
// Answers the calls that compiled Swift code makes for its objects: the linker wraps them
// (`--wrap`), and `free` is replaced. Counts of references are no points, but for the last release:
// what they order is what the runtime promises, that all before a release comes before the deinit.
#include "runtime.h"
#include "../memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ARENA_BYTES (1 << 18)
#define GRAIN 16

/// In front of each block.
typedef struct block {
    size_t bytes;
    const void *freed_by;
} block;

static _Alignas(64) char arena[ARENA_BYTES];
/// For each grain of the arena the grain of its block, if that was released; else 0.
static uint16_t dead[ARENA_BYTES / GRAIN];
static size_t used;
static long live;
static bool is_open;
static long numbers[RUNTIME_NUMBERS];
static void *queue[16];
static int sent, received;
/// The counts of a new object, as the runtime writes them.
static uint64_t new_counts;

// As Swift's RefCount.h and HeapObject.h declare them.
typedef struct type_name {
    const char *text;
    size_t bytes;
} type_name;
type_name swift_getTypeName(const void *type, bool is_qualified);
size_t swift_retainCount(void *object);
void *__real_swift_allocObject(const void *type, size_t bytes, size_t alignment_mask);
void *__real_swift_slowAlloc(size_t bytes, size_t alignment_mask);
void *__real_swift_retain(void *object);
void __real_swift_release(void *object);
void *__real_swift_retain_n(void *object, uint32_t count);
void __real_swift_release_n(void *object, uint32_t count);
void __real_swift_bridgeObjectRelease(void *object);
void __real_swift_deallocClassInstance(void *object, size_t bytes, size_t alignment_mask);
void *__wrap_swift_allocObject(const void *type, size_t bytes, size_t alignment_mask);
void *__wrap_swift_slowAlloc(size_t bytes, size_t alignment_mask);
void *__wrap_swift_retain(void *object);
void __wrap_swift_release(void *object);
void __wrap_swift_deallocClassInstance(void *object, size_t bytes, size_t alignment_mask);
void *__wrap_swift_retain_n(void *object, uint32_t count);
void __wrap_swift_release_n(void *object, uint32_t count);
void __wrap_swift_bridgeObjectRelease(void *object);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
void __tsan_external_write(void *object, void *caller, void *tag);
void __libc_free(void *memory);

static bool is_in_arena(const volatile void *address)
{
    return (const char *)address >= arena && (const char *)address < arena + ARENA_BYTES;
}

static size_t grain_of(const volatile void *address)
{
    return (size_t)((const char *)address - arena) / GRAIN;
}

static void touched(const volatile void *address, size_t size, const void *from)
{
    (void)size;
    if (!is_in_arena(address) || dead[grain_of(address)] == 0) {
        return;
    }
    const block *block = (const void *)(arena + (size_t)dead[grain_of(address)] * GRAIN);
    char text[160];
    snprintf(text, sizeof text, "use before release at %p, by the code at %p after that at %p",
             (const void *)address, from, block->freed_by);
    explorer_fail(text, __FILE__, __LINE__);
}

static void *allocate(size_t bytes)
{
    block *made = (void *)(arena + used);
    size_t whole = (sizeof *made + bytes + GRAIN - 1) / GRAIN * GRAIN;
    EXPLORER_CHECK(used + whole <= ARENA_BYTES);
    *made = (block){bytes, NULL};
    used += whole;
    live += 1;
    return made + 1;
}

void *__wrap_swift_allocObject(const void *type, size_t bytes, size_t alignment_mask)
{
    if (!is_open) {
        return __real_swift_allocObject(type, bytes, alignment_mask);
    }
    uint64_t header[2] = {(uintptr_t)type, new_counts};
    void *object = allocate(bytes);
    memset(object, 0xA5, bytes);
    return memcpy(object, header, sizeof header);
}

void *__wrap_swift_slowAlloc(size_t bytes, size_t alignment_mask)
{
    return is_open ? allocate(bytes) : __real_swift_slowAlloc(bytes, alignment_mask);
}

/// Ends in the arena what the Swift runtime frees, and elsewhere what anybody does.
void free(void *memory)
{
    if (!is_in_arena(memory)) {
        __libc_free(memory);
        return;
    }
    block *block = (struct block *)memory - 1;
    memory_write(memory, block->bytes, __builtin_return_address(0));
    block->freed_by = __builtin_return_address(0);
    for (size_t offset = 0; offset < block->bytes; offset += GRAIN) {
        dead[grain_of((char *)memory + offset)] = (uint16_t)grain_of(block);
    }
    live -= 1;
}

/// The room that an array takes for its elements.
size_t malloc_usable_size(void *memory)
{
    if (is_in_arena(memory)) {
        return ((const block *)memory - 1)->bytes;
    }
    // Before the memory lies its size, with three flags.
    return memory == NULL ? 0 : (((const size_t *)memory)[-1] & ~(size_t)7) - sizeof(size_t);
}

void *__wrap_swift_retain(void *object)
{
    touched(object, sizeof(void *), __builtin_return_address(0));
    return __real_swift_retain(object);
}

void *__wrap_swift_retain_n(void *object, uint32_t count)
{
    touched(object, sizeof(void *), __builtin_return_address(0));
    return __real_swift_retain_n(object, count);
}

/// Whether the object is an array's storage, whose elements the runtime releases.
static bool is_storage(const void *object)
{
    static const char name[] = "_ContiguousArrayStorage";
    type_name found = swift_getTypeName(*(const void *const *)object, false);
    return found.bytes >= sizeof name - 1 && memcmp(found.text, name, sizeof name - 1) == 0;
}

/// Before the storage goes: what comes before that comes before the deinits of its elements.
static void give_elements(void **storage)
{
    size_t words = ((const block *)storage - 1)->bytes / sizeof *storage;
    for (size_t i = 0; i < words; i++) {
        if (is_in_arena(storage[i])) {
            memory_give(storage[i]);
        }
    }
}

/// Before `count` references are given back.
static void give_back(void *object, uint32_t count, const void *from)
{
    if (explorer_thread() >= 0 && is_in_arena(object)) {
        touched(object, sizeof(void *), from);
        memory_give(object);
        if (swift_retainCount(object) == count) {
            explorer_point();
            touched(object, sizeof(void *), from);
            memory_take(object);
            if (explorer_is_weak() && is_storage(object)) {
                give_elements(object);
            }
        }
    }
}

void __wrap_swift_deallocClassInstance(void *object, size_t bytes, size_t alignment_mask)
{
    // The runtime has released this as an element.
    memory_take(object);
    __real_swift_deallocClassInstance(object, bytes, alignment_mask);
}

void __wrap_swift_release(void *object)
{
    give_back(object, 1, __builtin_return_address(0));
    __real_swift_release(object);
}

void __wrap_swift_release_n(void *object, uint32_t count)
{
    give_back(object, count, __builtin_return_address(0));
    __real_swift_release_n(object, count);
}

void __wrap_swift_bridgeObjectRelease(void *object)
{
    give_back(object, 1, __builtin_return_address(0));
    __real_swift_bridgeObjectRelease(object);
}

// Deinits are checked as everything else is: the runtime's order is known here.

void __tsan_ignore_thread_begin(void)
{
}

void __tsan_ignore_thread_end(void)
{
}

/// Comes with a plain access, which is announced by itself.
void __tsan_external_write(void *object, void *caller, void *tag)
{
    (void)object;
    (void)caller;
    (void)tag;
}

void runtime_open(void)
{
    if (new_counts == 0) {
        static uint64_t type[2];
        uint64_t *object = __real_swift_allocObject(type, 2 * sizeof(uint64_t), 15);
        new_counts = object[1];
    }
    memory_touched = touched;
    // The runtime and the standard library do not tell what they touch.
    explorer_is_whole = true;
    memset(dead, 0, used / GRAIN * sizeof *dead);
    used = GRAIN; // No block is at grain 0.
    live = 0;
    sent = received = 0;
    memset(numbers, 0, sizeof numbers);
    is_open = true;
}

/// Names the objects that were not released.
static void name_living(void)
{
    for (const char *place = arena + GRAIN; place < arena + used;) {
        const block *block = (const void *)place;
        const void *const *object = (const void *)(block + 1);
        if (dead[grain_of(object)] == 0) {
            type_name name = swift_getTypeName(*object, true);
            fprintf(stderr, "%.*s of %zu bytes lives\n", (int)name.bytes, name.text, block->bytes);
        }
        place += (sizeof *block + block->bytes + GRAIN - 1) / GRAIN * GRAIN;
    }
}

void runtime_close(void)
{
    is_open = false;
    if (live != 0) {
        name_living();
    }
    EXPLORER_CHECK(live == 0);
}

void runtime_give(const void *object)
{
    memory_give(object);
}

void runtime_take(const void *object)
{
    memory_take(object);
}

void runtime_add(int number, long amount)
{
    numbers[number] += amount;
}

long runtime_value(int number)
{
    return numbers[number];
}

void runtime_set(int number, long value)
{
    numbers[number] = value;
}

typedef struct waiting {
    int number;
    long least;
} waiting;

static bool has_come(void *argument)
{
    const waiting *waiting = argument;
    return numbers[waiting->number] >= waiting->least;
}

void runtime_wait(int number, long least)
{
    waiting waiting = {number, least};
    explorer_wait(has_come, &waiting);
}

void runtime_allow_old_reads(int count)
{
    memory_old_reads = count;
}

void runtime_send(void *object)
{
    EXPLORER_CHECK(sent < (int)(sizeof queue / sizeof *queue));
    memory_give(queue);
    queue[sent++] = object;
}

static bool has_some_or_ends(void *is_over)
{
    return sent > received || *(const bool *)is_over;
}

void *runtime_receive(const bool *is_over)
{
    explorer_wait(has_some_or_ends, (void *)is_over);
    if (sent == received) {
        return NULL;
    }
    memory_take(queue);
    return queue[received++];
}
