# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Sourced by run.sh: builds the models of Swift code. The sources are the production ones, which a
# model names by lines `// Sources: FOLDER: NAME ...`; what they stand on is named by `// Beside: FILE
# ...`, `// Module: NAME` says which module they all are, and `// On: PART` is `threads` or `stub`.
# `// Edit: SOURCE: EXPRESSION` is a sed expression without which a source cannot run in a model.
# The compiler instruments them as for ThreadSanitizer, and tsan.c answers in its place.

swift_flags="-swift-version 6 -O -wmo -g -parse-as-library -enforce-exclusivity=unchecked
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -package-name swivel -suppress-warnings -I $here/swift -I $core/include
    $(printf -- '-Xcc %s ' $settings) -Xcc -I$here -Xcc -D_GNU_SOURCE"
wrapped=
for name in allocObject deallocClassInstance slowAlloc retain retain_n release release_n \
    bridgeObjectRelease; do
    wrapped="$wrapped -Xlinker --wrap=swift_$name"
done

# named MODEL WORD: what the model's lines of that word say
named() {
    sed -n "s|^// $2: ||p" "$here/swift/$1_model.swift"
}

# What stands in for SwivelCore below the models of SwivelFutures. It is not checked for races.
build_core() {
    sources=$here/../../Sources/SwivelCore
    # shellcheck disable=SC2086
    swiftc $swift_flags -module-name SwivelCore -emit-module \
        -emit-module-path "$build/SwivelCore.swiftmodule" -emit-object -o "$build/swift-core.o" \
        "$here/swift/core.swift" "$sources/Concurrency/Lock.swift" \
        "$sources/Concurrency/Trampoline.swift" "$sources/Contexts/CallbackWords.swift" \
        "$sources/Contexts/ExecutionContext+Callbacks.swift" \
        "$sources/Contexts/ContextIdentity.swift" \
        "$sources/Errors/Check.swift"
}

# change FILE EXPRESSION: by sed, and it has to change something
change() {
    cp "$1" "$1.before"
    sed "$2" "$1.before" >"$1"
    if cmp -s "$1.before" "$1"; then
        echo "${1##*/}: $2 changes nothing" >&2
        exit 1
    fi
    rm "$1.before"
}

# gather MODEL: the production sources, as the model's edits leave them
gather() {
    rm -rf "$build/$1-src"
    mkdir -p "$build/$1-src"
    for source in $(named "$1" Sources | awk -F ': ' '{
        count = split($2, names, " ")
        for (i = 1; i <= count; i++) print $1 "/" names[i] ".swift"
    }'); do
        cp "$here/../../$source" "$build/$1-src"
    done
    named "$1" Edit | sed 's/: / /' |
        while read -r source expression; do change "$build/$1-src/$source" "$expression"; done
}

# beside MODEL: the files that its sources stand on
beside() {
    for source in $(named "$1" Beside); do
        echo "$here/swift/$source"
    done
}

# check_types: whether each model still names the sources that it needs, and each seeded bug what it
# changes
check_types() {
    build_core
    mkdir "$build/mutant"
    for model in "$here"/swift/*_model.swift; do
        model=${model##*/}
        model=${model%_model.swift}
        gather "$model"
        # shellcheck disable=SC2086,SC2046
        swiftc $swift_flags -I "$build" -module-name "$(named "$model" Module)" -typecheck \
            "$here/swift/model.swift" "$here/swift/${model}_model.swift" $(beside "$model") \
            "$build/$model-src"/*.swift
        named "$model" Mutant | sed 's/: / /' | while read -r source expression; do
            cp "$build/$model-src/$source" "$build/mutant/$source"
            change "$build/mutant/$source" "$expression"
        done
        echo "$model: compiles"
    done
}

# build_swift MODEL PROGRAM: of what is gathered
build_swift() {
    objects="$build/threads.o $build/stub_locks.o $build/swift-core.o"
    [ "$(named "$1" On)" = threads ] || objects=$stub
    # shellcheck disable=SC2086,SC2046
    swiftc $swift_flags -sanitize=thread -I "$build" -module-name "$(named "$1" Module)" \
        -emit-object -o "$2.o" "$here/swift/model.swift" "$here/swift/$1_model.swift" $(beside "$1") \
        "$build/$1-src"/*.swift
    # The compiler announces no maximum, for example, which then would be no point.
    if objdump -d --no-show-raw-insn "$2.o" | grep -w lock; then
        echo "$1: an atomic operation that the explorer does not see" >&2
        exit 1
    fi
    # shellcheck disable=SC2086
    swiftc "$2.o" $explorer "$build/runtime.o" $objects $wrapped -Xlinker -no-pie -o "$2"
}

# seed_swift MODEL SOURCE EXPRESSION: explorations of the changed source
seed_swift() {
    gather "$1"
    change "$build/$1-src/$2" "$3"
    build_swift "$1" "$build/$1-mutant"
    found=0
    hunt "$build/$1-mutant" >"$build/$1.found" 2>&1 || found=1
    must_find "$1" "$2 with $3" "$found"
}

check_swift_model() {
    gather "$1"
    build_swift "$1" "$build/$1"
    "$build/$1"
    weakly "$build/$1"
    named "$1" Mutant | sed 's/: / /' |
        while read -r source expression; do seed_swift "$1" "$source" "$expression"; done
}
