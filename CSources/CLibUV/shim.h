// SPDX-License-Identifier: Apache-2.0
#ifndef SWIVEL_CLIBUV_SHIM_H
#define SWIVEL_CLIBUV_SHIM_H

#if defined(__has_include) && !__has_include(<uv.h>)
#error                                                                                             \
    "libuv's development files are missing: run ./setup, or install libuv1-dev (apt), libuv-devel (dnf) or libuv (brew)"
#endif

#include <uv.h>

#if UV_VERSION_HEX < ((1 << 16) | (42 << 8))
#error "Swivel needs libuv 1.42 or newer"
#endif

#endif
