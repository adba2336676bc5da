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
    uintptr_t executor[2];
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
    if (here->world == NULL) {
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
        {KIND_EXECUTOR, options}, {here->executor[0], here->executor[1]}};
    here->makes_task = true;
    made made = of_runtime(flags, prefers ? options : &preference.option, result, entry, context);
    here->makes_task = false;
    // The runtime is given the distance of the function from the word itself.
    here->made(here->world, made.task, name, entry == NULL ? NULL : (const char *)entry + *entry);
    return made;
}

#endif
