// SPDX-License-Identifier: Apache-2.0
/// The parts of the C library that Swift code uses, which has a module of another name for it on
/// each platform.
#ifndef SWIVEL_INTERNAL_LIBC_H
#define SWIVEL_INTERNAL_LIBC_H

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#endif
