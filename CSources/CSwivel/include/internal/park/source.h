// SPDX-License-Identifier: Apache-2.0
// A foreign event source: the main queue, whose functions another module installs. The loop that
// owns it (`swivel_config.owns_source`) serves it as a phase of its turns. So does a wait on its
// thread, outside of loops or, if its work may nest, in its work.
#ifndef SWIVEL_INTERNAL_SOURCE_H
#define SWIVEL_INTERNAL_SOURCE_H

#include "../thread/mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_loop;

/// The functions of a source. **Thread:** the source's, if nothing else is said.
typedef struct swivel_source {
    /// Whether the calling thread runs the source's work now. **Thread:** any.
    bool (*is_here)(void);
    /// Prepares `wait`. Returns `SWIVEL_OK` or a negative errno.
    int (*open)(void);
    /// Runs the work that waits. Returns whether some was left. If not `always`, it may leave work
    /// to the next `wait`.
    bool (*serve)(bool always);
    /// As part of a wait that began at `began`, sleeps until there may be work, until `notify`, or
    /// until `until`. May wake for no reason.
    void (*wait)(swivel_mono began, swivel_mono until);
    /// Ends the current `wait`, or the next one. **Thread:** any.
    void (*notify)(void);
    /// A descriptor that is readable while there is work; negative if there is none to watch.
    int (*descriptor)(void);
    /// Serves the source and sleeps as `wait`, or until the owner's descriptor is readable. False:
    /// it cannot here. `NULL` if owners watch `descriptor` instead.
    bool (*SWIVEL_NULLABLE owner_wait)(int descriptor, swivel_mono until);
} swivel_source;

// For the source, and for waits outside of loops.
/// Installs the source, for good. **Thread:** any, before the source's work is waited for.
void swivel__source_install(const swivel_source *source);
/// Makes the thread that serves the source check again. **Thread:** any.
void swivel__source_notify(void);
/// After new work that may run nested: makes a wait in the source's work check. **Thread:** any.
void swivel__source_nudge(void);
/// The source if a wait on the calling thread serves it, else `NULL`. **Thread:** any.
const swivel_source *SWIVEL_NULLABLE swivel__source_here(void);
/// The loop whose source's work the calling thread runs, or `NULL`.
struct swivel_loop *SWIVEL_NULLABLE swivel__source_owner(void);
/// Serves the source until `done(argument)`, or until `deadline`. A thread that makes it true calls
/// `swivel__source_notify` then. Returns as `swivel_loop_pump`, or the negative errno of `open`.
/// **Thread:** the source's.
int swivel__source_pump(bool (*done)(void *SWIVEL_NULLABLE argument),
                        void *SWIVEL_NULLABLE argument, swivel_mono deadline);

// For its owner. **Thread:** the loop's.
/// The loop owns the source, which is here, until `swivel__source_leave`: notifications wake it.
void swivel__source_enter(struct swivel_loop *loop, const swivel_source *source);
/// Ends `swivel__source_enter`, if the loop owns the source.
void swivel__source_leave(struct swivel_loop *loop);
/// The source's phase of a turn.
void swivel__source_turn(struct swivel_loop *loop);
/// Before a wait in the source's work: the thread can run the owner's turns until
/// `swivel__source_resume`. False: the thread is not in the source's work.
bool swivel__source_suspend(struct swivel_loop *loop);
void swivel__source_resume(struct swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
