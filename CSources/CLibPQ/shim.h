// SPDX-License-Identifier: Apache-2.0
// The one include of libpq.
#ifndef SWIVEL_CLIBPQ_SHIM_H
#define SWIVEL_CLIBPQ_SHIM_H

#if !__has_include(<libpq-fe.h>)
#error                                                                                             \
    "The trait PostgreSQL needs libpq with its headers. Install libpq-dev and pkg-config (apt), libpq-devel (dnf) or libpq (brew)."
#endif

#include <libpq-fe.h>

#endif
