// SPDX-License-Identifier: Apache-2.0
// The Swift runtime's tasks. Each task that a world makes prefers the world's executor, also one of
// `Task { }` and `Task.detached`, which do not inherit a preference: so each hop from an actor is a
// job of its own, and the world decides when it runs.
//
// The layout of the options is the runtime's (TaskOptionRecord in swift/ABI/Task.h), read from
// Swift 6.3. SwivelSimulation checks it with a task before the first run.
#if defined(__linux__)
#include "../include/swivel_simulation.h"

#include <dlfcn.h>
#include <stddef.h>

typedef struct option {
    size_t flags; ///< Its lowest byte is its kind.
    struct option *parent;
} option;

enum kind {
    KIND_GROUP = 1,
    KIND_LET = 3,
    KIND_EXECUTOR = 5,
    KIND_OWNED_EXECUTOR = 6,
    KIND_NAME = 7,
};

typedef struct executor_option {
    option option;
    void *executor;
    uintptr_t table;
} executor_option;

typedef struct name_option {
    option option;
    const char *name;
} name_option;

typedef struct made {
    void *task, *context;
} made;

typedef __attribute__((swiftcall)) made (*create)(size_t, option *, const void *, const int32_t *,
                                                  void *);

/// The function of a task: the runtime is given its distance from the word itself.
static const void *function(const int32_t *relative)
{
    return relative == NULL ? NULL : (const char *)relative + *relative;
}

/// The runtime's function; `NULL` if it is linked statically.
static create of_runtime;

__attribute__((constructor)) static void find(void)
{
    of_runtime = (create)dlsym(RTLD_NEXT, "swift_task_create");
}

// Weak: a program with the static runtime has the runtime's own, and no simulation.
__attribute__((swiftcall, weak)) made swift_task_create(size_t flags, option *options,
                                                        const void *result, const int32_t *entry,
                                                        void *context)
{
    swivel_sim_thread *here = swivel_sim_here();
    if (here->world == NULL || here->executor == NULL) {
        return of_runtime(flags, options, result, entry, context);
    }
    bool prefers = false; // An executor, itself or by its parent.
    const char *name = NULL;
    for (option *each = options; each != NULL; each = each->parent) {
        uint8_t kind = (uint8_t)each->flags;
        prefers |= kind == KIND_GROUP || kind == KIND_LET || kind == KIND_EXECUTOR ||
                   kind == KIND_OWNED_EXECUTOR;
        name = kind == KIND_NAME ? ((name_option *)each)->name : name;
    }
    executor_option preference = {
        {KIND_EXECUTOR, options}, here->executor, here->executor_table};
    here->makes_task = true;
    made made = of_runtime(flags, prefers ? options : &preference.option, result, entry, context);
    here->makes_task = false;
    if (here->made != NULL) {
        here->made(here->world, made.task, name, function(entry));
    }
    return made;
}

extern uint64_t swift_task_getJobTaskId(const void *job) __attribute__((swiftcall));
extern void swift_task_cancel(const void *task) __attribute__((swiftcall));
extern size_t swift_retainCount(void *object);
extern void *swift_retain(void *object);
extern void swift_release(void *object);

uint64_t swivel_sim_task_number(const void *job)
{
    return swift_task_getJobTaskId(job);
}

void swivel_sim_cancel(const void *task)
{
    swift_task_cancel(task);
}

size_t swivel_sim_references(void *object)
{
    return swift_retainCount(object);
}

void swivel_sim_retain(void *object)
{
    swift_retain(object);
}

void swivel_sim_release(void *object)
{
    swift_release(object);
}

#endif
