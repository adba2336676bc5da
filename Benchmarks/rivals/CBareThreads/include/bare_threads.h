// SPDX-License-Identifier: Apache-2.0
#ifndef BARE_THREADS_H
#define BARE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/// Two threads that hand a number to and fro, with nothing around it: the least that a wait for
/// another thread can cost on this machine.
struct bare_pair;

/// Starts the thread that answers. Both sides sleep on a futex while they wait; where `looks` is
/// true, neither sleeps. Gives 0, or the system's error. **Thread:** any.
int bare_pair_open(bool looks, struct bare_pair **out);

/// Has the other thread give `value` back, and waits for it. **Thread:** one at a time.
int64_t bare_pair_call(struct bare_pair *pair, int64_t value);

/// Ends the other thread and waits for that. **Thread:** the one that calls.
void bare_pair_close(struct bare_pair *pair);

#endif
