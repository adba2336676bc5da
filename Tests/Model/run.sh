#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Explores the interleavings of the lock-free parts. The sources are the production ones, built so that
# every atomic operation is a point at which the explorer may switch threads, with segments of two
# entries and a wake for the third that waits.
#
# Usage: Tests/Model/run.sh [MODEL ...]     MODEL: inbox, wake, cancel, kept, handed, close; all if none
# BUG=N seeds the model's N-th bug, which it must find.
set -eu
here=$(cd "${0%/*}" && pwd)
core=$here/../../CSources/CSwivel
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
[ $# -gt 0 ] || set -- inbox wake cancel kept handed close

flags="-U_FORTIFY_SOURCE -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -DSWIVEL_MODEL=1
    -DSWIVEL_SEGMENT_SHIFT=1 -DSWIVEL_DIRECTORY_SHIFT=4 -DSWIVEL_WAITING_MAX=3
    -DSWIVEL_MODEL_BUG=${BUG:-0} -I$core/include -I$here
    -Dpthread_mutex_lock=stage_mutex_lock -Dpthread_mutex_unlock=stage_mutex_unlock
    -Dpthread_mutex_trylock=stage_mutex_trylock -Dpthread_cond_broadcast=stage_cond_broadcast
    -Dsched_yield=stage_sched_yield"
for source in inbox slab wheel near_heap ring turn timer rearm kept handed repeat shutdown loop \
    records magazine checks; do
    # shellcheck disable=SC2086
    ${CC:-cc} $flags -c "$core/src/$source.c" -o "$build/$source.o"
done
for model; do
    # The inbox is modelled alone; the others run whole turns of a loop on a stage.
    parts="$build/*.o $here/stage*.c"
    [ "$model" != inbox ] || parts="$build/inbox.o $here/stage_pages.c"
    # shellcheck disable=SC2086
    ${CC:-cc} $flags "$here/${model}_model.c" "$here/explorer.c" $parts -lpthread -o "$build/$model"
    "$build/$model"
done
