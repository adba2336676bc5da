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
# EXPLORER_TRACE=N: what each thread does in execution N. EXPLORER_KEEP=FOLDER: where the programs stay.
# EXPLORER_PREEMPTIONS=N: no more of them than N in a strong exploration, N - 1 in a weak one.
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

flags="-U_FORTIFY_SOURCE -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wno-unused-value -D_GNU_SOURCE -DSWIVEL_MODEL=1
    -DSWIVEL_SEGMENT_SHIFT=1 -DSWIVEL_DIRECTORY_SHIFT=4 -DSWIVEL_WAITING_MAX=2 -DSWIVEL_POOL_TRIES=0
    -DSWIVEL_SPARES_MAX=2 -DSWIVEL_SPARES_ASLEEP=1
    -I$core/include -I$here
    -Dsched_yield=stage_sched_yield"
# Has the compiler announce each access to memory. tsan.c answers, so nothing is linked for it.
watched="-fsanitize=thread -Wno-attributes"

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

# parts_of MODEL SUFFIX: what a model is linked with; -weak where it is for weak explorations
parts_of() {
    case $1 in
    inbox) echo "$build/inbox$2.o $build/stage_pages.o" ;;
    pool) echo "$build/inbox$2.o $build/pool$2.o $build/worker$2.o $build/stage_pages.o $build/stage_locks.o" ;;
    parker) echo "$build/parker$2.o $build/look$2.o $build/latch$2.o $build/stage_locks.o" ;;
    *) [ -n "$2" ] && echo "$weak_stage" || echo "$stage" ;;
    esac
}

# build_model MODEL BUG: as MODELBUG for strong explorations and MODELBUG-weak for weak ones
build_model() {
    compile "$here/$1_model.c" "$1_model" -DSWIVEL_MODEL_BUG="$2"
    weak_model=$build/$1_model.o
    # The first three are modelled alone; the others run whole turns of a loop on a stage.
    parts=$(parts_of "$1" "") weak_parts=$(parts_of "$1" -weak)
    if [ "$1" = inbox ]; then
        # Its functions are the header's; the other models look at what threads share in their checks.
        compile "$here/$1_model.c" "$1_model-weak" -DSWIVEL_MODEL_BUG="$2" $watched
        weak_model=$build/$1_model-weak.o
    fi
    # shellcheck disable=SC2086
    ${CC:-cc} -no-pie "$build/$1_model.o" $explorer $parts -lpthread -o "$build/$1$2"
    # shellcheck disable=SC2086
    ${CC:-cc} -no-pie "$weak_model" $explorer $weak_parts -lpthread -o "$build/$1$2-weak"
}

# weakly PROGRAM: names the lines of a data race
weakly() {
    EXPLORER_WEAK=1 "$1" 2>"$1.errors" && return
    cat "$1.errors" >&2
    sed -n 's/.*code at \(0x[0-9a-f]*\) after that at \(0x[0-9a-f]*\).*/\1 \2/p' "$1.errors" |
        xargs -r addr2line -p -i -f -e "$1" >&2
    return 1
}

# explore MODEL BUG
explore() {
    "$build/$1$2" && weakly "$build/$1$2-weak"
}

# hunt STRONG WEAK: fails at the first bug found. Two preemptions show most bugs, in a fraction of the time;
# 9 are more than any model asks for.
hunt() {
    for most in 2 9; do
        EXPLORER_PREEMPTIONS=$most "$1" || return 1
        EXPLORER_PREEMPTIONS=$most weakly "$2" || return 1
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
        */"$part".o | */"$part"-weak.o) ;;
        *) echo "$object" ;;
        esac
    done
}

# link_mutant MODEL CHANGED SUFFIX FLAG ...: the model with the changed source as MODEL-mutantSUFFIX
link_mutant() {
    model=$1 changed=$2 suffix=$3
    shift 3
    name=${changed##*/}
    place=$(source_of "$name")
    compile "$changed" "$model-mutant" -Wno-unused "-I${place%/*}" "$@"
    # shellcheck disable=SC2086,SC2046
    ${CC:-cc} -no-pie "$build/${model}_model.o" $explorer "$build/$model-mutant.o" \
        $(without "${name%.c}" $(parts_of "$model" "$suffix")) -lpthread -o "$build/$model-mutant$suffix"
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
    compile "$here/$1_model.c" "$1_model" -DSWIVEL_MODEL_BUG=0
    link_mutant "$1" "$changed" ""
    # shellcheck disable=SC2086
    link_mutant "$1" "$changed" -weak $watched
    found=0
    hunt "$build/$1-mutant" "$build/$1-mutant-weak" >"$build/$1.found" 2>&1 || found=1
    must_find "$1" "$2 with $3" "$found"
}

# check_model MODEL: the model, and then each of its seeded bugs, which it names where it seeds them
check_model() {
    build_model "$1" 0
    explore "$1" 0
    for bug in $(sed -n 's/^#.*SWIVEL_MODEL_BUG == \([0-9]*\)$/\1/p' "$here/$1_model.c" | sort -u); do
        build_model "$1" "$bug"
        found=0
        hunt "$build/$1$bug" "$build/$1$bug-weak" >"$build/$1.found" 2>&1 || found=1
        must_find "$1" "seeded bug $bug" "$found"
    done
    sed -n 's|^// Mutant: \([a-z_]*\.c\): |\1 |p' "$here/$1_model.c" |
        while read -r source expression; do seed "$1" "$source" "$expression"; done
}

stage=
weak_stage=
explorer=
for source in registry now object slab slab_give near_sort near_heap near_tree ring inbox post doorway wheel checks magazine life settle grid repeat \
    messages send share mover rearm kept handed cancel make guest turn park_host close driver manual drive shutdown \
    create loop; do
    if [ -z "${EXPLORER_BUILD:-}" ]; then
        compile "$(source_of "$source.c")" "$source"
        compile "$(source_of "$source.c")" "$source-weak" $watched
    fi
    stage="$stage $build/$source.o"
    # The threads of a model share one magazine, which is no thread's in particular.
    [ "$source" = magazine ] || weak_stage="$weak_stage $build/$source-weak.o"
done
weak_stage="$weak_stage $build/magazine.o"
for source in pool worker look parker latch; do
    if [ -z "${EXPLORER_BUILD:-}" ]; then
        compile "$(source_of "$source.c")" "$source"
        compile "$(source_of "$source.c")" "$source-weak" $watched
    fi
done
for source in stage stage_park stage_locks stage_barrier stage_pages explorer history memory plain tsan \
    swift/runtime swift/threads; do
    [ -n "${EXPLORER_BUILD:-}" ] || compile "$here/$source.c" "${source##*/}"
done
for source in stage stage_park stage_locks stage_barrier stage_pages; do
    stage="$stage $build/$source.o"
    weak_stage="$weak_stage $build/$source.o"
done
for source in explorer history memory plain tsan; do
    explorer="$explorer $build/$source.o"
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
