// SPDX-License-Identifier: Apache-2.0
// The one include of libuv, of the Swift module and of the C core.
#ifndef SWIVEL_CLIBUV_SHIM_H
#define SWIVEL_CLIBUV_SHIM_H

#if !__has_include(<uv.h>)
#error                                                                                             \
    "Swivel needs libuv 1.42 or newer with its headers, and uv.h is not here. Install libuv1-dev (apt), libuv-devel (dnf) or libuv (brew)."
#endif

#include <uv.h>

#if UV_VERSION_HEX < ((1 << 16) | (42 << 8))
#error "Swivel needs libuv 1.42 or newer, and uv.h is that of an older one."
#endif

#endif
