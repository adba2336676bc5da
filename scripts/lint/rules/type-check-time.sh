#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Expressions take the compiler 200 ms at most, and 2 s to find the mistakes of Tests/Mistakes on their lines.
lint=${0%/*}/..
. "$lint/files.sh"
# Chains of operators are where overloads multiply. The time is the compiler's own processor time.
limit=${EXPRESSION_MS:-200}
command -v swiftc >/dev/null 2>&1 || exit 0
. "$lint/swiftc.sh"
plugins=$(dirname "$(command -v swiftc)")/../lib/swift/host/plugins/testing

# expressions: the compiler's warnings about time, as findings.
expressions() {
    sed -n "s|^$PWD/||; s|^\([^ ]*:[0-9]*\):[0-9]*: warning: \(expression took [0-9]*ms\).*|\1: \2|p" | sort -u
}

# time_of FLAGS FILES: the findings, or why there are none.
time_of() {
    log=$(swiftc -typecheck -plugin-path "$plugins" \
        -Xfrontend -warn-long-expression-type-checking="$limit" "$@" 2>&1) || {
        for last in "$@"; do :; done
        echo "skipped: $last does not compile with what is built; run swift build first"
        return
    }
    printf '%s\n' "$log" | expressions
}

# mistakes_of FLAGS FILE: the lines marked "// error: text" without such an error, and what took long.
mistakes_of() {
    for file in "$@"; do :; done
    log=$(swiftc -typecheck -Xfrontend -warn-long-expression-type-checking=2000 "$@" 2>&1)
    if printf '%s\n' "$log" | grep -q 'no such module'; then
        echo "skipped: $file needs what is not built; run swift build first"
        return
    fi
    grep -n '// error: ' "$file" | while IFS= read -r line; do
        number=${line%%:*}
        printf '%s\n' "$log" | grep -F "$file:$number:" | grep -F ' error: ' |
            grep -qF "${line##*// error: }" ||
            echo "$file:$number: the compiler does not report '${line##*// error: }' here"
    done
    printf '%s\n' "$log" | expressions
}

for file in Snippets/*.swift; do
    [ ! -f "$file" ] || time_of "$@" "$file"
done
for folder in Tests/SwivelOperatorsTests Tests/SwivelCompatTests; do
    # shellcheck disable=SC2046
    [ ! -d "$folder" ] || time_of "$@" -parse-as-library $(find "$folder" -name '*.swift')
done
for file in Tests/Mistakes/*.swift; do
    [ ! -f "$file" ] || mistakes_of "$@" -parse-as-library "$file"
done
