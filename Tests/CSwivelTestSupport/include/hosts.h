// SPDX-License-Identifier: Apache-2.0
/// Event loops of other programs, in which a Swivel loop lives.
#ifndef SWIVEL_TEST_HOSTS_H
#define SWIVEL_TEST_HOSTS_H

/// An epoll set that watches the descriptor. Negative without descriptors, and where there is no
/// epoll.
int swivel_host_epoll(int descriptor);
/// Waits until the set has something to tell.
void swivel_host_epoll_wait(int set);
/// Closes it; nothing for a negative one.
void swivel_host_epoll_close(int set);

/// A libuv loop with a thread of its own, and work that other threads have for that thread.
typedef struct swivel_host_uv swivel_host_uv;

/// Starts it. `adopt(argument, loop)` is called on the thread, with its `uv_loop_t`, before it runs.
swivel_host_uv *swivel_host_uv_start(void (*adopt)(void *argument, void *loop), void *argument);
/// Closes all handles of a `uv_loop_t`, as hosts do at their end.
void swivel_host_uv_sweep(void *loop);
/// Waits until it has nothing left to run, and closes it. Returns what `uv_loop_close` does.
int swivel_host_uv_join(swivel_host_uv *host);

/// A libuv loop that handles a signal, next to Swivel's own handler.
typedef struct swivel_host_signal swivel_host_signal;

swivel_host_signal *swivel_host_signal_begin(int number);
/// How often it has heard of the signal.
int swivel_host_signal_heard(swivel_host_signal *host);
void swivel_host_signal_end(swivel_host_signal *host);

#endif
