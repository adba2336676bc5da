#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Has `compare` check out, build and run two commits of a small repository, whose "builds" are scripts
# that write rows, and sees what it makes of them and that it leaves nothing behind.
#
# Usage: Benchmarks/Tests/commits.sh SWIVEL-BENCH     SWIVEL-BENCH: the program
set -u
bench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
export TMPDIR="$folder/tmp"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
mkdir "$folder/tmp" "$folder/bin" "$folder/repository"

# The build of a commit: a program that is as fast as the file `ratio` says.
cat >"$folder/bin/swift" <<'SWIFT'
#!/bin/sh
echo "swift $*" >>"$LOG"
[ "$1" = build ] || exit 1
while [ $# -gt 0 ]; do
    case $1 in
        --package-path) package=$2 ;;
        --scratch-path) scratch=$2 ;;
    esac
    shift
done
ratio=$(cat "$package/../ratio")
[ "$ratio" != broken ] || { echo 'this commit does not compile' >&2; exit 1; }
mkdir -p "$scratch/release"
sed "s/RATIO/$ratio/g" "$PROGRAM" >"$scratch/release/swivel-bench"
chmod +x "$scratch/release/swivel-bench"
SWIFT
chmod +x "$folder/bin/swift"

# The program: one row with three rounds.
cat >"$folder/program" <<'PROGRAM'
#!/bin/sh
echo "RATIO $*" >>"$LOG"
while [ $# -gt 0 ]; do
    [ "$1" != --json ] || rows=$2
    shift
done
ratios=$(awk 'BEGIN { print RATIO * 0.99 ", " RATIO ", " RATIO * 1.01 }')
cat >"$rows" <<JSON
{"machine": {"processor": "p", "cores": 2, "memoryGiB": 8, "system": "s", "architecture": "a"},
 "versions": {"swift": "6.3", "libuv": "1", "swivel": "1"}, "commit": "with RATIO", "date": "d",
 "quick": true, "asserted": ["churn / 100k / cpu / DispatchSource"],
 "rows": [{"scenario": "churn", "variant": "100k", "metric": "cpu", "unit": "ns/op",
           "subject": "Swivel", "rival": "DispatchSource", "subjectMedian": 60,
           "rivalMedian": 600, "ratio": RATIO, "rounds": 3, "spread": 0.01,
           "ratios": [$ratios]}]}
JSON
echo 'a long table'
PROGRAM

export LOG="$folder/log" PROGRAM="$folder/program" PATH="$folder/bin:$PATH"
cd "$folder/repository" || exit 1
git init --quiet .
mkdir Benchmarks
echo '{"budgets": []}' >Benchmarks/Budgets.json
for ratio in 10 7 broken; do
    echo "$ratio" >ratio
    git add .
    git -c user.name=Nobody -c user.email=nobody@example.org commit --quiet -m "$ratio"
    git tag "at-$ratio"
done

complain() {
    echo "NOT as expected: $1" >&2
    cat "$folder/out" "$folder/err" "$LOG" >&2
    failed=1
}

# expect CODE WHAT ARGUMENTS...: compares, wants this exit code, and nothing left behind.
expect() {
    wanted=$1
    what=$2
    shift 2
    : >"$LOG"
    "$bench" compare "$@" >"$folder/out" 2>"$folder/err"
    code=$?
    if [ "$code" -ne "$wanted" ]; then
        complain "$what: exit code $code, not $wanted"
    elif [ "$(git worktree list | wc -l)" -ne 1 ]; then
        complain "$what: a worktree is left"
    elif [ -n "$(ls "$TMPDIR")" ]; then
        complain "$what: files are left"
    else
        echo "as expected: $what (exit code $code)"
    fi
}

# says PATTERN WHAT FILE: wants a line like this.
says() { grep -Eq -- "$1" "$3" || complain "$2"; }

expect 1 'a slower commit is worse' at-10 at-7 --scenario churn --rounds 3
says '1 worse, 0 better' 'the slower one is named' "$folder/out"
if grep -q 'a long table' "$folder/out"; then complain 'the runs print into the comparison'; fi
# Three turns each, and another one first each time.
order=$(awk '$2 == "run" { printf "%s ", $1 }' "$LOG")
[ "$order" = '10 7 7 10 10 7 ' ] || complain "the runs take turns: $order"
says '^10 run --no-curves --quick --scenario churn --rounds 3 ' 'options are handed on' "$LOG"

expect 0 'a faster commit is not worse' at-7 at-10 --turns 1
[ "$(grep -c ' run ' "$LOG")" -eq 2 ] || complain 'one turn is one run of each'
expect 0 'a commit is as fast as itself' at-10 at-10
expect 2 'a commit that does not compile cannot be compared' at-10 at-broken
expect 64 'a commit that is not there is refused' at-10 at-nothing
expect 64 'a commit beside a file is refused' at-10 ratio
expect 0 'builds are kept where it is said' at-10 at-10 --scratch "$folder/kept"
ls "$folder"/kept/*/build/release/swivel-bench >/dev/null 2>&1 || complain 'no build is kept'
exit $failed
