#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes loops while each call of the system that this takes fails in turn.
set -eu
here=$(cd "${0%/*}" && pwd)
core=$here/../../CSources/CSwivel
program=$(mktemp)
trap 'rm -f "$program"' EXIT
# Its own symbols are the program's first, for libuv too: that is what -rdynamic is for.
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -rdynamic \
    "-I$core/include" "-I$here" "$here"/*.c "$core"/src/*/*.c -o "$program" -luv -lpthread -ldl
timeout -k 10 120 "$program"
