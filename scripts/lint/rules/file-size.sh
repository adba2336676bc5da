#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file has at most 350 lines, in the C core 300, and the body of a C function there at most 40.
lint=${0%/*}/..
. "$lint/files.sh"
each_file "$code" "*.swift $c_files" awk '
FNR == 1 { start = 0; core = FILENAME ~ /^CSources/; limit = core ? 300 : 350 }
FNR == limit + 1 { print FILENAME ":" FNR ": longer than " limit " lines" }
core && /^[{]$/ { start = FNR }
core && /^}/ {
    if (start && FNR - start > 41) print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
    start = 0
}'
