#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Expressions take the compiler 200 ms at most, mistakes 2 s; errors are where "// error: text" marks them.
lint=${0%/*}/..
. "$lint/files.sh"
command -v swiftc >/dev/null 2>&1 || exit 0
. "$lint/modules.sh"

# check UNBUILT LIMIT FILES FLAGS: UNBUILT: an error of what is not built; the limit is in ms of the
# compiler's own processor time.
check() {
    unbuilt=$1 limit=$2 files=$3
    shift 3
    # A busy machine makes the compiler slow, too: an expression is slow in three runs of three.
    for _ in 1 2 3; do
        # shellcheck disable=SC2086
        log=$(swiftc -typecheck "$@" -plugin-path "$plugins" \
            -Xfrontend -warn-long-expression-type-checking="$limit" $files 2>&1 | sed "s|^$PWD/||")
        printf '%s\n' "$log" | grep -q 'expression took' || break
    done
    if printf '%s\n' "$log" | grep -q "$unbuilt"; then
        echo "skipped: $(printf "%s" "$files" | head -n 1) does not compile with what is built; run swift build first"
        return
    fi
    {
        # shellcheck disable=SC2086
        grep -Hn '// error: ' $files | sed 's|^\([^:]*:[0-9]*\):.*// error: |mark \1 |'
        printf '%s\n' "$log" | sed -n 's/^\([^ :]*:[0-9]*\):[0-9]*: error: /error \1 /p
            s/^\([^ :]*:[0-9]*\):[0-9]*: warning: \(expression took\)/slow \1 \2/p' | sort -u
    } | awk '
    { text = $0; sub(/^[^ ]* [^ ]* /, "", text) }
    $1 == "mark" { mark[$2] = text }
    $1 == "slow" || ($1 == "error" && !($2 in mark)) { print $2 ": " text }
    $1 == "error" && index(text, mark[$2]) { found[$2] }
    END {
        for (place in mark)
            if (!(place in found)) print place ": the compiler does not report \"" mark[place] "\" here"
    }'
}

# Chains of operators are where overloads multiply. Next to the rest, which takes as long.
for files in Snippets/*.swift Snippets/*/*.swift; do
    [ -f "$files" ] || continue
    form=
    ! grep -q '^@main' "$files" || form=-parse-as-library
    # shellcheck disable=SC2086
    check ' error: ' "${EXPRESSION_MS:-200}" "$files" "$@" $form
done &
# The manifests of the pages.
manifests=$(dirname "$(realpath "$(command -v swiftc)")")/../lib/swift/pm/ManifestAPI
for files in Tests/Manifests/*.swift; do
    [ ! -f "$files" ] || check 'no such module' 2000 "$files" -I "$manifests" \
        -swift-version 6 -package-description-version 6.2
done
# As one job of the compiler, which takes half the time.
for folder in Tests/SwivelOperatorsTests Tests/SwivelCompatTests; do
    [ ! -d "$folder" ] || check ' error: ' "${EXPRESSION_MS:-200}" "$(find "$folder" -name '*.swift')" "$@" -parse-as-library -wmo
done
for files in Tests/Mistakes/*.swift; do
    for mode in 5 6; do
        [ ! -f "$files" ] || check 'no such module' 2000 "$files" "$@" -swift-version "$mode" \
            -parse-as-library
    done
done
for files in Tests/Scripts/*.swift; do
    [ ! -f "$files" ] || check 'no such module' 2000 "$files" "$@"
done
wait
