# SPDX-License-Identifier: Apache-2.0
# Sourced by the rules that ask the compiler: sets the arguments to what finds the built modules, if
# there are any. BUILD names the folder of the build.
build=$PWD/${BUILD:-.build}/debug
modules=$build/Modules
set +f # Here the shell does match patterns.
set -- -swift-version 6 -suppress-remarks
if [ -d "$modules" ]; then
    # The tests share what has package access, in the package that is named after its folder.
    package=$(basename "$PWD" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9_]/_/g')
    set -- "$@" -I "$modules" -package-name "$package"
    for map in "$PWD"/CSources/*/module.modulemap "$PWD"/CSources/*/include/module.modulemap \
        "$build"/*.build/module.modulemap; do
        [ ! -f "$map" ] || set -- "$@" -Xcc -fmodule-map-file="$map" -Xcc -I"${map%/*}"
    done
fi
