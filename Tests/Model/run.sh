#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Explores the interleavings of the lock-free parts. The sources are the production ones, built so
# that every atomic operation is a point at which the explorer may switch threads, with segments of
# two entries and a wake for the third entry that waits. Then each model is run with its seeded bugs, and
# has to find them: a model that finds nothing in bad code says nothing about good code. A bug is
# seeded in the model, as SWIVEL_MODEL_BUG == N, or in a production source, by a line
# `// Mutant: SOURCE: EXPRESSION` of the model, whose sed expression changes that source. Models of
# Swift sources are in swift/, see build.sh there.
#
# Usage: Tests/Model/run.sh [MODEL ...]     MODEL: what stands before _model.c; all if none, two at once
#        Tests/Model/run.sh --types         only checks whether the models of Swift sources compile
# EXPLORER_TRACE=N: what each thread does in execution N. EXPLORER_KEEP=FOLDER: where the programs stay.
# EXPLORER_PREEMPTIONS=N: no more of them than N in a strong exploration, N - 1 in a weak one.
# EXPLORER_WHOLE=1: leaves no execution out that repeats another, see reduction.h.
set -eu
here=$(cd "${0%/*}" && pwd)
core=$here/../../CSources/CSwivel
if [ -n "${EXPLORER_BUILD:-}" ]; then
    build=$EXPLORER_BUILD # Started below, for one model.
else
    build=${EXPLORER_KEEP:-$(mktemp -d)}
    mkdir -p "$build"
    [ -n "${EXPLORER_KEEP:-}" ] || trap 'rm -rf "$build"' EXIT
    # The long ones first.
    [ $# -gt 0 ] || set -- $(cd "$here" &&
        ls -S ./*_model.c swift/*_model.swift | sed 's,.*/\(.*\)_model.*,\1,')
fi

# Sources in C and Swift share them: some are sizes in structs.
settings="-DSWIVEL_MODEL=1 -DSWIVEL_SEGMENT_SHIFT=1 -DSWIVEL_DIRECTORY_SHIFT=4 -DSWIVEL_WAITING_MAX=2
    -DSWIVEL_POOL_TRIES=0 -DSWIVEL_POOL_BANDS=1 -DSWIVEL_SPARES_MAX=2"

if [ "${1-}" = --types ]; then
    . "$here/swift/build.sh"
    check_types
    exit
fi

flags="-U_FORTIFY_SOURCE -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wno-unused-value -D_GNU_SOURCE $settings
    -I$core/include -I$here
    -Dsched_yield=stub_sched_yield"
# Has the compiler announce each access to memory. tsan.c answers, so nothing is linked for it.
watched="-fsanitize=thread -Wno-attributes"
# What is allocated lies where it lay in the execution before.
heap="-Dmalloc=heap_malloc -Dcalloc=heap_calloc -Drealloc=heap_realloc -Dfree=heap_free"

# compile SOURCE OBJECT [FLAG ...]
compile() {
    from=$1 to=$build/$2.o
    shift 2
    # shellcheck disable=SC2086
    ${CC:-cc} $flags "$@" -c "$from" -o "$to"
}

# source_of NAME: the core's source of this name, whatever its folder
source_of() {
    ls "$core"/src/*/"$1"
}

# observe SOURCE OBJECT [FLAG ...]: code whose accesses are no points and no races, and are announced
observe() {
    # shellcheck disable=SC2086
    compile "$@" $watched $heap
    # The beginnings and ends of functions are no accesses: tsan.c answers those.
    nm -u "$build/$2.o" | sed -n '/__tsan_\(init\|func\)/d
        s/^ *U \(__tsan_\)\(.*\)/\1\2 observed_\2/p
        s/^ *U \(memset\|memcpy\|memmove\|memcmp\)$/\1 observed_\1/p' >"$build/$2.names"
    objcopy --redefine-syms="$build/$2.names" "$build/$2.o"
}

# parts_of MODEL: what a model is linked with
parts_of() {
    case $1 in
    inbox) echo "$build/inbox.o $build/stub_pages.o" ;;
    pool | monitor) echo "$build/inbox.o $build/pool.o $build/worker.o $build/monitor.o $build/stub_pages.o $build/stub_locks.o" ;;
    parker) echo "$build/parker.o $build/latch.o $build/stub_locks.o" ;;
    *) echo "$stub" ;;
    esac
}

# compile_model MODEL BUG
compile_model() {
    if [ "$1" = inbox ]; then
        # Its functions are the header's; the other models read what threads share in their checks.
        # shellcheck disable=SC2086
        compile "$here/$1_model.c" "$1_model" -DSWIVEL_MODEL_BUG="$2" $watched $heap
    else
        observe "$here/$1_model.c" "$1_model" -DSWIVEL_MODEL_BUG="$2"
    fi
}

# build_model MODEL BUG: as MODELBUG
build_model() {
    compile_model "$@"
    # The first three are modelled alone; the others run whole turns of a loop on a stub.
    # shellcheck disable=SC2086,SC2046
    ${CC:-cc} -no-pie "$build/$1_model.o" $explorer $(parts_of "$1") -lpthread -o "$build/$1$2"
}

# weakly PROGRAM: names the lines of a data race
weakly() {
    EXPLORER_WEAK=1 "$1" 2>"$1.errors" && return
    cat "$1.errors" >&2
    sed -n 's/.*code at \(0x[0-9a-f]*\) after that at \(0x[0-9a-f]*\).*/\1 \2/p' "$1.errors" |
        xargs -r addr2line -p -i -f -e "$1" >&2
    return 1
}

# hunt PROGRAM: fails at the first bug found. Two preemptions show most bugs, in a fraction of the time;
# 9 are more than any model asks for.
hunt() {
    for most in 2 9; do
        EXPLORER_PREEMPTIONS=$most "$1" || return 1
        EXPLORER_PREEMPTIONS=$most weakly "$1" || return 1
    done
}

# must_find MODEL BUG OUTCOME, where OUTCOME is 0 if the exploration has found nothing
must_find() {
    if [ "$3" -eq 0 ]; then
        echo "$1: $2 is not found" >&2
        exit 1
    fi
    reason=$(sed -n 's/.*: \(.*\), after.*/\1/p' "$build/$1.found")
    echo "$1: $2 is found: ${reason:-the program crashes}"
}

# without PART OBJECT ...: the objects but for that part's
without() {
    part=$1
    shift
    for object; do
        case $object in
        */"$part".o) ;;
        *) echo "$object" ;;
        esac
    done
}

# seed MODEL SOURCE EXPRESSION: explorations of the changed source
seed() {
    changed=$build/$1-src/$2
    mkdir -p "${changed%/*}"
    source=$(source_of "$2")
    sed "$3" "$source" >"$changed"
    if cmp -s "$source" "$changed"; then
        echo "$1: $2: $3 changes nothing" >&2
        exit 1
    fi
    # shellcheck disable=SC2086
    compile "$changed" "$1-mutant" -Wno-unused "-I${source%/*}" $watched $heap
    # shellcheck disable=SC2086,SC2046
    ${CC:-cc} -no-pie "$build/$1_model.o" $explorer "$build/$1-mutant.o" \
        $(without "${2%.c}" $(parts_of "$1")) -lpthread -o "$build/$1-mutant"
    found=0
    hunt "$build/$1-mutant" >"$build/$1.found" 2>&1 || found=1
    must_find "$1" "$2 with $3" "$found"
}

# check_model MODEL: the model, and then each of its seeded bugs, which it names where it seeds them
check_model() {
    build_model "$1" 0
    "$build/${1}0"
    weakly "$build/${1}0"
    for bug in $(sed -n 's/^#.*SWIVEL_MODEL_BUG == \([0-9]*\)$/\1/p' "$here/$1_model.c" | sort -u); do
        build_model "$1" "$bug"
        found=0
        hunt "$build/$1$bug" >"$build/$1.found" 2>&1 || found=1
        must_find "$1" "seeded bug $bug" "$found"
    done
    compile_model "$1" 0
    sed -n 's|^// Mutant: \([a-z_]*\.c\): |\1 |p' "$here/$1_model.c" |
        while read -r source expression; do seed "$1" "$source" "$expression"; done
}

stub=
for source in latch registry now slab inbox post due_queue slots wheel timer repeat \
    messages remote_rearm reusable cancel arm source turn close manual drive shutdown \
    create loop; do
    # shellcheck disable=SC2086
    [ -n "${EXPLORER_BUILD:-}" ] || compile "$(source_of "$source.c")" "$source" $watched $heap
    stub="$stub $build/$source.o"
done
for source in pool worker monitor parker; do
    # shellcheck disable=SC2086
    [ -n "${EXPLORER_BUILD:-}" ] || compile "$(source_of "$source.c")" "$source" $watched $heap
done
# The threads of a model share one magazine, which is no thread's in particular.
[ -n "${EXPLORER_BUILD:-}" ] || observe "$(source_of magazine.c)" magazine
# shellcheck disable=SC2086
[ -n "${EXPLORER_BUILD:-}" ] || compile "$here/../CSwivelTestSupport/wheel_checks.c" wheel_checks $watched $heap
stub="$stub $build/magazine.o $build/wheel_checks.o"
for source in stub stub_park stub_locks; do
    [ -n "${EXPLORER_BUILD:-}" ] || observe "$here/$source.c" "$source"
    stub="$stub $build/$source.o"
done
stub="$stub $build/stub_pages.o"
explorer=
for source in explorer reduction history memory plain tsan observed heap; do
    explorer="$explorer $build/$source.o"
done
# shellcheck disable=SC2086
[ -n "${EXPLORER_BUILD:-}" ] || compile "$here/stub_pages.c" stub_pages $heap
for source in explorer reduction history memory plain tsan observed heap swift/runtime swift/threads; do
    [ -n "${EXPLORER_BUILD:-}" ] || compile "$here/$source.c" "${source##*/}"
done

# find_swift MODEL ...: those that are of Swift sources
find_swift() {
    for model; do
        [ ! -e "$here/swift/${model}_model.swift" ] || echo "$model"
    done
}

. "$here/swift/build.sh"
if [ -n "${EXPLORER_BUILD:-}" ]; then
    if [ -n "$(find_swift "$1")" ]; then check_swift_model "$1"; else check_model "$1"; fi
else
    [ -z "$(find_swift "$@")" ] || build_core
    printf '%s\n' "$@" | EXPLORER_BUILD=$build xargs -n 1 -P 2 "$0"
fi
