#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file has at most 350 lines, in the C core 300, a C function there 40; README.md at most 1500 words.
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
[ ! -f README.md ] || [ "$(wc -w <README.md)" -le 1500 ] ||
    echo "README.md: $(wc -w <README.md) words are more than can be read in five minutes"
