#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Explores the interleavings of the lock-free parts. The sources are the production ones, built so
# that every atomic operation is a point at which the explorer may switch threads, with segments of
# two entries and a wake for the third entry that waits. Then each model is run with its seeded bugs, and
# has to find them: a model that finds nothing in bad code says nothing about good code.
#
# Usage: Tests/Model/run.sh [MODEL ...]     MODEL: inbox, wake, stop, cancel, kept, handed, close; all if none
set -eu
here=$(cd "${0%/*}" && pwd)
core=$here/../../CSources/CSwivel
# EXPLORER_TRACE=N: what each thread does in execution N. EXPLORER_KEEP=FOLDER: where the programs stay.
build=${EXPLORER_KEEP:-$(mktemp -d)}
mkdir -p "$build"
[ -n "${EXPLORER_KEEP:-}" ] || trap 'rm -rf "$build"' EXIT
[ $# -gt 0 ] || set -- inbox wake stop cancel kept handed close

flags="-U_FORTIFY_SOURCE -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wno-unused-value -D_GNU_SOURCE -DSWIVEL_MODEL=1
    -DSWIVEL_SEGMENT_SHIFT=1 -DSWIVEL_DIRECTORY_SHIFT=4 -DSWIVEL_WAITING_MAX=2
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

# build_model MODEL BUG: as MODELBUG for strong explorations and MODELBUG-weak for weak ones
build_model() {
    compile "$here/$1_model.c" model -DSWIVEL_MODEL_BUG="$2"
    weak_model=$build/model.o
    # The inbox is modelled alone; the others run whole turns of a loop on a stage.
    parts=$stage weak_parts=$weak_stage
    if [ "$1" = inbox ]; then
        parts="$build/inbox.o $build/stage_pages.o"
        weak_parts="$build/inbox-weak.o $build/stage_pages.o"
        # Its functions are the header's; the other models look at what threads share in their checks.
        compile "$here/$1_model.c" model-weak -DSWIVEL_MODEL_BUG="$2" $watched
        weak_model=$build/model-weak.o
    fi
    # shellcheck disable=SC2086
    ${CC:-cc} -no-pie "$build/model.o" $explorer $parts -lpthread -o "$build/$1$2"
    # shellcheck disable=SC2086
    ${CC:-cc} -no-pie "$weak_model" $explorer $weak_parts -lpthread -o "$build/$1$2-weak"
}

# weakly PROGRAM: names the lines of a data race
weakly() {
    EXPLORER_WEAK=1 "$1" 2>"$build/errors" && return
    cat "$build/errors" >&2
    sed -n 's/.*code at \(0x[0-9a-f]*\) after that at \(0x[0-9a-f]*\).*/\1 \2/p' "$build/errors" |
        xargs -r addr2line -p -i -f -e "$1" >&2
    return 1
}

# explore MODEL BUG
explore() {
    "$build/$1$2" && weakly "$build/$1$2-weak"
}

stage=
weak_stage=
for source in inbox slab wheel near_heap ring turn timer rearm send kept handed repeat shutdown \
    loop records magazine checks guest manual; do
    compile "$core/src/$source.c" "$source"
    compile "$core/src/$source.c" "$source-weak" $watched
    stage="$stage $build/$source.o"
    # The threads of a model share one magazine, which is no thread's in particular.
    [ "$source" = magazine ] || weak_stage="$weak_stage $build/$source-weak.o"
done
weak_stage="$weak_stage $build/magazine.o"
for source in stage stage_park stage_pages; do
    compile "$here/$source.c" "$source"
    stage="$stage $build/$source.o"
    weak_stage="$weak_stage $build/$source.o"
done
explorer=
for source in explorer history memory plain tsan; do
    compile "$here/$source.c" "$source"
    explorer="$explorer $build/$source.o"
done
for model; do
    build_model "$model" 0
    explore "$model" 0
    # A model names its bugs where it seeds them.
    for bug in $(sed -n 's/^#.*SWIVEL_MODEL_BUG == \([0-9]*\)$/\1/p' "$here/${model}_model.c" |
        sort -u); do
        build_model "$model" "$bug"
        if explore "$model" "$bug" >"$build/found" 2>&1; then
            echo "$model: seeded bug $bug is not found" >&2
            exit 1
        fi
        echo "$model: seeded bug $bug is found: $(sed -n 's/.*: \(.*\), after.*/\1/p' "$build/found")"
    done
done
