# SPDX-License-Identifier: Apache-2.0
# Sourced by the rules that have the compiler check types. Sets "$@" to its flags: the modules are those
# that swift build has built, if there are any; $plugins is the folder of Swift Testing's macros.
# shellcheck shell=sh

set +f # Here the shell does match patterns.
build=$PWD/${BUILD:-.build}/debug
set -- -swift-version 6 -suppress-remarks
if [ -d "$build/Modules" ]; then
    # The tests share what has package access, in the package that is named after its folder.
    package=$(basename "$PWD" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9_]/_/g')
    set -- "$@" -I "$build/Modules" -package-name "$package"
    for map in "$PWD"/CSources/*/module.modulemap "$PWD"/CSources/*/include/module.modulemap \
        "$build"/*.build/module.modulemap; do
        [ ! -f "$map" ] || set -- "$@" -Xcc -fmodule-map-file="$map" -Xcc -I"${map%/*}"
    done
fi
plugins=$(dirname "$(command -v swiftc)")/../lib/swift/host/plugins/testing
