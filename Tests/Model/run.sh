#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Explores the interleavings of the lock-free parts. The sources are the production ones, built so
# that every atomic operation is a point at which the explorer may switch threads, with segments of
# two entries and a wake for the third entry that waits. Then each model is run with its seeded bugs, and
# has to find them: a model that finds nothing in bad code says nothing about good code.
#
# Usage: Tests/Model/run.sh [MODEL ...]     MODEL: inbox, wake, cancel, kept, handed, close; all if none
set -eu
here=$(cd "${0%/*}" && pwd)
core=$here/../../CSources/CSwivel
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
[ $# -gt 0 ] || set -- inbox wake cancel kept handed close

flags="-U_FORTIFY_SOURCE -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -DSWIVEL_MODEL=1
    -DSWIVEL_SEGMENT_SHIFT=1 -DSWIVEL_DIRECTORY_SHIFT=4 -DSWIVEL_WAITING_MAX=2
    -I$core/include -I$here
    -Dpthread_mutex_lock=stage_mutex_lock -Dpthread_mutex_unlock=stage_mutex_unlock
    -Dpthread_mutex_trylock=stage_mutex_trylock -Dpthread_cond_broadcast=stage_cond_broadcast
    -Dsched_yield=stage_sched_yield"

# compile SOURCE OBJECT [FLAG]
compile() {
    # shellcheck disable=SC2086
    ${CC:-cc} $flags "${3:--DSWIVEL_MODEL=1}" -c "$1" -o "$build/$2.o"
}

# build_model MODEL BUG
build_model() {
    # The inbox is modelled alone; the others run whole turns of a loop on a stage.
    parts=$stage
    [ "$1" != inbox ] || parts="$build/inbox.o $build/stage_pages.o"
    compile "$here/$1_model.c" model -DSWIVEL_MODEL_BUG="$2"
    # shellcheck disable=SC2086
    ${CC:-cc} "$build/model.o" "$build/explorer.o" $parts -lpthread -o "$build/$1$2"
}

stage=
for source in inbox slab wheel near_heap near_tree ring turn timer rearm send kept handed repeat shutdown \
    drive loop records magazine checks guest manual; do
    compile "$core/src/$source.c" "$source"
    stage="$stage $build/$source.o"
done
for source in stage stage_park stage_pages; do
    compile "$here/$source.c" "$source"
    stage="$stage $build/$source.o"
done
compile "$here/explorer.c" explorer
for model; do
    build_model "$model" 0
    "$build/${model}0"
    # A model names its bugs where it seeds them.
    for bug in $(sed -n 's/^#.*SWIVEL_MODEL_BUG == \([0-9]*\)$/\1/p' "$here/${model}_model.c" |
        sort -u); do
        build_model "$model" "$bug"
        if "$build/$model$bug" >"$build/found" 2>&1; then
            echo "$model: seeded bug $bug is not found" >&2
            exit 1
        fi
        echo "$model: seeded bug $bug is found: $(sed -n 's/.*: \(.*\), after.*/\1/p' "$build/found")"
    done
done
