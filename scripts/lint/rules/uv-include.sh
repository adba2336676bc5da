#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Only the loop's own files include uv.h.
lint=${0%/*}/..
. "$lint/files.sh"
each_file CSources "$c_files" awk '
/^[ \t]*#[ \t]*include[ \t]*[<"](.*\/)?(uv[.]h|uv\/.*|shim[.]h)[>"]/ {
    print FILENAME ":" FNR ": includes libuv; see exceptions.txt"
}' | except uv-include
