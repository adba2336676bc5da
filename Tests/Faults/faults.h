// SPDX-License-Identifier: Apache-2.0
// Makes calls to the system fail. The functions are the program's own: its dynamic symbols come
// before those of the C library, for libuv too.
#ifndef SWIVEL_FAULTS_H
#define SWIVEL_FAULTS_H

#include <stdbool.h>

/// Has the `nth` call of the function fail with `error`, 1 being the next one; and all after it, if
/// it `lasts`.
void faults_begin(const char *function, int error, int nth, bool lasts);

/// Ends that. Returns whether a call has failed.
bool faults_end(void);

#endif
