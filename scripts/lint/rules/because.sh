#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `@unchecked Sendable` and `nonisolated(unsafe)` stand beside a comment "because ...".
lint=${0%/*}/..
. "$lint/files.sh"
each_file "$code" '*.swift' awk '
function is_comment(i) { return line[i] ~ /^ *\/\// }
function explained(i,    j) {
    if (line[i] ~ /\/\/.*because/) return 1
    for (j = i - 1; j > 0 && is_comment(j); j--) if (line[j] ~ /because/) return 1
    for (j = i + 1; j <= lines && is_comment(j); j++) if (line[j] ~ /because/) return 1
    return 0
}
function flush(    i) {
    for (i = 1; i <= lines; i++)
        if (!is_comment(i) && line[i] ~ /@unchecked Sendable|nonisolated[(]unsafe[)]/ && !explained(i))
            print file ":" i ": no comment says because of which lock or thread this is safe"
}
FNR == 1 { flush(); file = FILENAME }
{ line[FNR] = $0; lines = FNR }
END { flush() }'
