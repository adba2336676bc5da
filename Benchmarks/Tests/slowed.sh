#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sees `check` and `compare` fail on a Swivel that is slowed on purpose, and hold on the real one.
#
# Usage: Benchmarks/Tests/slowed.sh SWIVEL-BENCH     SWIVEL-BENCH: the program, built for release
set -u
bench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect CODE WHAT COMMAND...: runs the command and wants this exit code.
expect() {
    wanted=$1
    what=$2
    shift 2
    "$@" >"$folder/out" 2>&1
    code=$?
    if [ "$code" -eq "$wanted" ]; then
        echo "as expected: $what (exit code $code)"
    else
        echo "NOT as expected: $what: exit code $code, not $wanted" >&2
        cat "$folder/out" >&2
        failed=1
    fi
}

# slowed NAME SCENARIO VARIANT RIVALS: the row that shows this slowdown.
slowed() {
    set -- "$1" --scenario "$2" --variant "$3" --rivals "$4" --quick
    name=$1
    shift
    rows="$folder/$name"
    expect 0 "$name: the real Swivel holds" "$bench" check "$@" --write-json "$rows.before"
    expect 1 "$name: check fails" "$bench" check "$@" --slowed "$name" --write-json "$rows.after"
    expect 1 "$name: compare fails" "$bench" compare "$rows.before" "$rows.after"
}

slowed schedule schedule-cancel 100k DispatchSource
slowed allocation allocations 'schedule+cancel, capturing' DispatchBackend
slowed wake-up post '1 producer, capturing' DispatchQueue
exit $failed
