#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file in C has at most 300 lines, and the body of a function at most 40.
lint=${0%/*}/..
. "$lint/files.sh"
each_file 'CSources' "$c_files" awk '
FNR == 1 { start = 0 }
FNR == 301 { print FILENAME ":301: longer than 300 lines" }
/^[{]$/ { start = FNR }
/^}/ {
    if (start && FNR - start > 41) print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
    start = 0
}'
