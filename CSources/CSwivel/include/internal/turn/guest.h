// SPDX-License-Identifier: Apache-2.0
// The main queue, which the process's first thread runs besides Swivel's loops. This core imports
// no Dispatch, and has the queue only as a guest: by functions that another module installs.
//
// A loop that hosts the guest (`swivel_config.hosts_guest`) serves it as a phase of its turns. A
// wait on the guest's thread outside of loops serves it too, and so does one inside the guest's own
// work, as far as the guest lets work nest.
#ifndef SWIVEL_INTERNAL_GUEST_H
#define SWIVEL_INTERNAL_GUEST_H

#include "../thread/mono.h"

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_loop;

typedef struct swivel_guest {
    /// Whether the calling thread is the one that runs the guest's work now. **Thread:** any.
    bool (*is_here)(void);
    /// Prepares `wait`. Returns `SWIVEL_OK` or a negative errno. **Thread:** the guest's.
    int (*open)(void);
    /// Runs the work that waits. Returns whether some was left. If not `always`, it may leave work
    /// that `wait` has not returned for: the next `wait` does. **Thread:** the guest's.
    bool (*serve)(bool always);
    /// Sleeps until there may be work, until `notify`, or until `until`, as part of a wait that began
    /// at `began`. May wake for no reason. **Thread:** the guest's.
    void (*wait)(swivel_mono began, swivel_mono until);
    /// Ends a `wait` under way, or the next one. **Thread:** any.
    void (*notify)(void);
    /// A descriptor that is readable while there is work; negative where there is none to watch.
    /// **Thread:** the guest's.
    int (*descriptor)(void);
    /// Serves the guest and sleeps as `wait`, or until the host's descriptor is readable. False: it
    /// cannot here, and the host waits as ever. `NULL` where hosts watch `descriptor` instead.
    /// **Thread:** the guest's.
    bool (*SWIVEL_NULLABLE host_wait)(int descriptor, swivel_mono until);
} swivel_guest;

/// Makes the guest known, for good. **Thread:** any, before the guest's work is waited for.
void swivel__guest_install(const swivel_guest *guest);

/// Whether the calling thread runs the guest's work: a wait here serves it.
///
/// **Thread:** any. False without a guest.
bool swivel__guest_is_here(void);

/// The loop whose guest's work the calling thread runs, or `NULL`.
struct swivel_loop *SWIVEL_NULLABLE swivel__guest_host(void);

/// Serves the guest until `done(argument)` is true or `deadline` is reached. A thread that makes it
/// true calls `swivel__guest_notify` afterwards.
///
/// **Thread:** the guest's. Returns as `swivel_loop_pump`, or the negative errno of the guest's
/// `open`.
int swivel__guest_pump(bool (*done)(void *SWIVEL_NULLABLE argument), void *SWIVEL_NULLABLE argument,
                      swivel_mono deadline);

/// Runs the guest's work that waits, once. **Thread:** the guest's.
void swivel__guest_serve(void);

/// Makes the thread that serves the guest check again. **Thread:** any.
void swivel__guest_notify(void);

/// After new work that the guest may run nested: makes a wait inside the guest's work check again,
/// if there is one. **Thread:** any.
void swivel__guest_nudge(void);

// For drive.c, turn.c and park.c
/// The loop hosts the guest while it is driven from here on, if it is to and the guest is here.
void swivel__guest_enter(struct swivel_loop *loop);
void swivel__guest_leave(struct swivel_loop *loop);
/// The guest's phase of a turn. **Thread:** the loop's.
void swivel__guest_turn(struct swivel_loop *loop);
/// Sleeps in a guest that the poller cannot watch. False: it did not. **Thread:** the loop's.
bool swivel__guest_host_wait(struct swivel_loop *loop, swivel_mono until);
/// Before a wait in the guest's work: the thread can run its host's turns, until
/// `swivel__guest_resume` gives it back to the work. False: the thread is not in the guest's work.
bool swivel__guest_suspend(struct swivel_loop *loop);
void swivel__guest_resume(struct swivel_loop *loop);

// guest.c, for park_host.c
const swivel_guest *SWIVEL_NULLABLE swivel__guest_installed(void);
/// The loop hosts the guest from here on: a notification for the guest wakes it.
void swivel__guest_host_begins(struct swivel_loop *loop);
void swivel__guest_host_ends(void);
/// The thread is in the loop's turn again. Undoes `swivel__guest_resume`.
void swivel__guest_leave_work(struct swivel_loop *loop);

SWIVEL_ASSUME_NONNULL_END

#endif
