#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sees scripts/layers find a call upward and a circle in a core of three units, the same among three
# headers, and nothing in a core that has neither.
set -eu
project=$(cd "${0%/*}/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/include/internal/memory" "$folder/include/internal/turn" "$folder/src/memory" "$folder/src/turn"

# core TURN SLAB PAGES: what each unit says beside its own function
core() {
    echo "void turn(void); void slab(void); void pages(void); void turn(void) { $1 }" >"$folder/src/turn/turn.c"
    echo "void turn(void); void slab(void); void pages(void); void slab(void) { $2 }" >"$folder/src/memory/slab.c"
    echo "void turn(void); void slab(void); void pages(void); void pages(void) { $3 }" >"$folder/src/memory/pages.c"
}

# finds TEXT: the script fails, and says so.
finds() {
    if "$project/scripts/layers" "$folder" >"$folder/out" 2>&1 || ! grep -q "$1" "$folder/out"; then
        echo "layers: does not say '$1':" >&2
        cat "$folder/out" >&2
        exit 1
    fi
}

core 'slab();' 'pages();' ''
"$project/scripts/layers" "$folder" >/dev/null
core '' 'turn();' ''
finds 'memory/slab calls upward: turn in turn/turn'
core '' 'pages();' 'slab();'
finds 'circle'

# headers SLAB TURN LOOP: what each header includes
headers() {
    echo "$1" >"$folder/include/internal/memory/slab.h"
    echo "$2" >"$folder/include/internal/turn/turn.h"
    echo "$3" >"$folder/include/internal/loop.h"
}

core '' '' ''
headers '' '#include "../loop.h"' '#include "memory/slab.h"'
"$project/scripts/layers" "$folder" >/dev/null
headers '#include "../turn/turn.h"' '' ''
finds 'memory/slab.h includes upward: turn/turn.h'
headers '#include "../loop.h"' '' '#include "memory/slab.h"'
finds 'include each other in a circle'
