#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The C core reaches atomics through the macros of atomics.h, which model checking needs.
lint=${0%/*}/..
. "$lint/files.sh"
each_file CSources "$c_files" awk '
{ code = $0; sub(/\/\/.*/, "", code) }
code ~ /(^|[^A-Za-z0-9_])(atomic_[a-z]|_Atomic|__atomic_|__sync_)|stdatomic[.]h/ {
    print FILENAME ":" FNR ": a bare atomic; use a macro of internal/thread/atomics.h"
}' | except atomics
