// SPDX-License-Identifier: Apache-2.0
/// The state that a thread has of its own, in one struct, and the threads that Swivel starts.
#ifndef SWIVEL_INTERNAL_THREAD_H
#define SWIVEL_INTERNAL_THREAD_H

#include "../../swivel_loop.h"
#include "lock.h"
#include "parker.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

SWIVEL_ASSUME_NONNULL_BEGIN

struct swivel_magazine;

/// The loops that a thread is in. A drive sets them, and puts them back as it found them.
typedef struct swivel_thread_loops {
    swivel_loop *SWIVEL_NULLABLE own;     ///< Work for this loop takes the direct path here.
    swivel_loop *SWIVEL_NULLABLE current; ///< The loop whose turn this thread is in.
    swivel_loop *SWIVEL_NULLABLE owner;   ///< The loop whose source's work this thread runs.
    uint64_t read_ns; ///< The latest real instant that this thread read on a loop it has left.
} swivel_thread_loops;

/// A thread's own state. Zero at first; each part belongs to the file that it names.
typedef struct swivel_thread {
    swivel_thread_loops loops; ///< First: every schedule, cancel and post reads it.

    bool wakes_host; ///< create.c: it is in a host's wake function, which must not drive the loop.
    char spawned_name[16]; ///< spawn.c: its name while it runs a spawned function; else empty.

    // thread.c
    bool is_end_expected; ///< Its end is noticed.
    uintptr_t stack_low; ///< See `swivel__stack_is_low`; 0: not asked yet, it takes microseconds.
    uint64_t number; ///< See `swivel__thread_number`; 0: none yet.
    bool is_first, knows_first; ///< See `swivel__thread_is_first`; not known in a child at first.

    bool is_awaited;  ///< See `swivel__note_woken`.
    swivel_spin spin; ///< For its waits outside of loops.

    // magazine.c
    struct swivel_magazine *SWIVEL_NULLABLE magazines; ///< By the record's number.
    uint32_t magazine_count;

    uintptr_t cell[16]; ///< The Swift layer's; see `swivel__thread_cell`.
} swivel_thread;

/// At a fixed distance from the thread pointer, so that reading makes no call. Only glibc keeps
/// room for that in libraries that are loaded later.
#ifdef __GLIBC__
#define SWIVEL_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) _Thread_local
#else
#define SWIVEL_THREAD_LOCAL _Thread_local
#endif

extern SWIVEL_THREAD_LOCAL swivel_thread swivel__thread;

/// Returns whether another thread waits for the calling thread's processor, and forgets it.
static inline bool swivel__take_awaited(void)
{
    bool is_awaited = swivel__thread.is_awaited;
    swivel__thread.is_awaited = false;
    return is_awaited;
}

/// The calling thread's own sixteen words, zero at first, for the Swift layer. **Thread:** any.
void *swivel__thread_cell(void);
/// A number that no other thread of the process has or had. **Thread:** any.
uint64_t swivel__thread_number(void);
/// Whether the calling thread is the process's first, or the only thread of a forked child.
bool swivel__thread_is_first(void);
/// Whether the calling thread's stack has no room for a closure that a pump calls.
bool swivel__stack_is_low(void);

// The end of any thread gives back what it holds of Swivel's; one inside a closure is found.
/// Makes ends of threads noticeable, as the library is loaded.
void swivel__thread_end_watch(void);
/// Notices the calling thread's end. False without memory: a few nodes and words are lost then.
bool swivel__thread_end_expect(void);

/// The steps of a thread's end, in this order.
typedef enum swivel_end {
    SWIVEL_END_CLOSURE,  ///< Whether it ends inside a closure.
    SWIVEL_END_SPARE,    ///< Releases the object that the Swift layer has kept in its cell.
    SWIVEL_END_MAGAZINE, ///< Gives its nodes back.
    SWIVEL_ENDS,
} swivel_end;

typedef void swivel_end_function(void);

/// Calls `run` at the end of every thread whose end is noticed. Returns whether this one's is.
/// **Thread:** any, as often as it likes, with one function for each `end`.
bool swivel__thread_end_call(swivel_end end, swivel_end_function *run);

// spawn.c
/// Starts a detached thread. Returns `SWIVEL_OK` or a negative errno.
int swivel__thread_spawn(const char *name, void (*run)(void *SWIVEL_NULLABLE argument),
                        void *SWIVEL_NULLABLE argument);
/// All signals but those of a thread's own faults, for a mask: a crash must not be silent.
sigset_t swivel__all_but_faults(void);
/// Starts a thread with these signals blocked. Returns `SWIVEL_OK` or a negative errno.
int swivel__thread_begin(pthread_t *thread, void *SWIVEL_NULLABLE (*SWIVEL_NONNULL run)(void *),
                         void *argument);
/// Gives the calling thread its name and its timer slack.
void swivel__thread_configure(const char *name, uint64_t slack_ns);
/// Pins a thread to a processor. Returns `SWIVEL_OK` or a negative errno. **Thread:** any.
int swivel__thread_pin(pthread_t thread, int processor);

// probe.c
/// A thread, and its last reading. May be copied; the thread must exist when it is read.
typedef struct swivel_probe {
    uint32_t thread; ///< The kernel's number.
    bool was_asleep; ///< At the last reading.
    uint64_t cpu_ns; ///< CPU time at the last reading.
#if defined(__linux__)
    clockid_t clock; ///< The thread's CPU clock.
#endif
} swivel_probe;

/// A probe of the calling thread.
swivel_probe swivel__probe_of_thread(void);
/// Whether the thread is blocked, by its CPU clock and, if that has hardly moved since the last
/// reading, its state; not once it has ended. Reads a file: not under a lock. **Thread:** any.
bool swivel__probe_is_blocked(swivel_probe *probe);

// registry.c
/// Records that a process can have.
#define SWIVEL_RECORDS_MAX 65536u
/// Guards the records, and whether a loop has them.
extern swivel_lock swivel__records_lock;
/// The record with this number, or `NULL`. **Thread:** one with the lock, or the only one.
swivel_loop *SWIVEL_NULLABLE swivel__loop_record(uint32_t id);
/// Gives a new record the next number; there must be room. **Thread:** as above.
void swivel__registry_add(swivel_loop *loop);

// now.c
/// The loop's exact time, which decides what is due: the system's clock, or the manual instant.
/// **Thread:** any.
uint64_t swivel__exact_now(swivel_loop *loop);
/// Whether the loop's time has come to `deadline_ns`, so that work for then may start at once.
/// Waits out the microsecond by which `swivel_loop_now` may be ahead. **Thread:** any.
bool swivel__has_come(swivel_loop *loop, uint64_t deadline_ns);
/// The calling thread begins to run the loop: its clock continues from the time that it has read.
void swivel__clock_enter(swivel_loop *loop);
/// The calling thread touches the wheel of its own loop no more, if that refuses its own posts.
void swivel__thread_disown(void);
/// The calling thread has run the loop, and is in its loops of `before`, with the time it has read.
void swivel__clock_leave(swivel_loop *loop, swivel_thread_loops before);

SWIVEL_ASSUME_NONNULL_END

#endif
