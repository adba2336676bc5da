#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the C core with CC and FLAGS, and runs it with RUN: another C library, processor or libuv.
#
#     Tests/Platforms/run.sh
#     CC=musl-gcc FLAGS='-static -I/opt/uv/include -L/opt/uv/lib' Tests/Platforms/run.sh
#     CC=aarch64-linux-gnu-gcc RUN=qemu-aarch64 FLAGS=… Tests/Platforms/run.sh
set -eu
here=$(cd "${0%/*}" && pwd)
core=$here/../../CSources/CSwivel
programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT

# build_and_run DEFINITION
build_and_run() {
    program=$programs/core$1
    # shellcheck disable=SC2086
    "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra "$1" "-I$core/include" "$here/core.c" \
        "$core"/src/*/*.c -o "$program" ${FLAGS-} -luv -lpthread -ldl
    # shellcheck disable=SC2086
    "$here/../../scripts/limited" 300 ${RUN-} "$program"
}

build_and_run -DSWIVEL_PLAIN=1 &
plain=$!
build_and_run -DSWIVEL_PORTABLE_PARK=1 &
portable=$!
status=0
wait "$plain" || status=1
wait "$portable" || status=1
exit "$status"
