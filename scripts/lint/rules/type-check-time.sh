#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No expression in Snippets/ or in the tests of the operators takes the compiler over 300 ms to type-check.
lint=${0%/*}/..
. "$lint/files.sh"
# Chains of operators are where overloads multiply. The time is the compiler's own processor time.
limit=${EXPRESSION_MS:-300}
modules=$PWD/.build/debug/Modules
command -v swiftc >/dev/null 2>&1 || exit 0
set +f # Here the shell does match patterns.
# What is built, if anything is, and the C modules below it.
if [ -d "$modules" ]; then
    # The tests share what has package access, in the package that is named after its folder.
    package=$(basename "$PWD" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9_]/_/g')
    set -- -I "$modules" -package-name "$package"
    for map in "$PWD"/CSources/*/module.modulemap "$PWD"/CSources/*/include/module.modulemap \
        "${modules%/*}"/*.build/module.modulemap; do
        [ ! -f "$map" ] || set -- "$@" -Xcc -fmodule-map-file="$map" -Xcc -I"${map%/*}"
    done
fi
plugins=$(dirname "$(command -v swiftc)")/../lib/swift/host/plugins/testing

# time_of FLAGS FILES: the findings, or why there are none.
time_of() {
    log=$(swiftc -typecheck -swift-version 6 -suppress-remarks -plugin-path "$plugins" \
        -Xfrontend -warn-long-expression-type-checking="$limit" "$@" 2>&1) || {
        for last in "$@"; do :; done
        echo "skipped: $last does not compile with what is built; run swift build first"
        return
    }
    printf '%s\n' "$log" | sed -n "s|^$PWD/||; s|^\([^ ]*:[0-9]*\):[0-9]*: warning: \(expression took [0-9]*ms\).*|\1: \2|p" |
        sort -u
}

for file in Snippets/*.swift; do
    [ ! -f "$file" ] || time_of "$@" "$file"
done
for folder in Tests/SwivelOperatorsTests Tests/SwivelCompatTests; do
    # shellcheck disable=SC2046
    [ ! -d "$folder" ] || time_of "$@" -parse-as-library $(find "$folder" -name '*.swift')
done
