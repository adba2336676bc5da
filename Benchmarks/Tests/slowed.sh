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

# slowed NAME SCENARIO VARIANT METRIC RIVAL FORM MUST: the row that shows this slowdown, and a budget.
slowed() {
    name=$1
    rows=$folder/$name
    cat >"$folder/budgets.json" <<JSON
{"budgets": [{"scenario": "$2", "variant": "$3", "metric": "$4", "rival": "$5", "form": "$6", "must": $7}]}
JSON
    set -- --scenario "$2" --variant "$3" --rivals "$5" --budgets "$folder/budgets.json"
    expect 0 "$name: the real Swivel holds" "$bench" check "$@" --write-json "$rows.before"
    expect 1 "$name: check fails" "$bench" check "$@" --slowed "$name" --write-json "$rows.after"
    expect 1 "$name: compare fails" "$bench" compare "$rows.before" "$rows.after"
}

slowed schedule schedule-cancel 100k cpu DispatchSource 'ratio at least' 16
slowed allocation allocations 'schedule+cancel, capturing' allocations DispatchBackend \
    'value exactly' 1
# Loops that answer each other look, and hardly sleep. Each of a trip's two posts has one sleep more.
slowed wake-up round-trip 'idle machine' sleeps DispatchQueue 'value at most' 1
exit $failed
