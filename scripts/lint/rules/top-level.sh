#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The scripts of Tests/Scripts compile, as the top level of a program in Swift's language mode 6.
lint=${0%/*}/..
command -v swiftc >/dev/null 2>&1 || exit 0
. "$lint/swiftc.sh"
for file in Tests/Scripts/*.swift; do
    [ -f "$file" ] || continue
    log=$(swiftc -typecheck "$@" "$file" 2>&1) && continue
    if printf '%s\n' "$log" | grep -q 'no such module'; then
        echo "skipped: $file needs what is not built; run swift build first"
    else
        printf '%s\n' "$log" | grep -E '^[^ ]+: error: '
    fi
done
