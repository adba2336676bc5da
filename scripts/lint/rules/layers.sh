#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Imports follow the arrow of layers.txt.
lint=${0%/*}/..
. "$lint/files.sh"
each_file Sources '*.swift' awk -v layers="$lint/layers.txt" '
BEGIN {
    project["CLibUV"]
    while ((getline line < layers) > 0) {
        count = split(line, word, " ")
        if (count == 0 || word[1] == "#") continue
        project[word[1]]
        for (i = 2; i <= count; i++) {
            if (sub(/^!/, "", word[i])) refused[word[1], word[i]]
            else { allowed[word[1], word[i]]; project[word[i]] }
        }
    }
}
FNR == 1 {
    split(FILENAME, path, "/")
    target = path[2]
    if (!(target in project)) print FILENAME ":1: layers.txt has no line for " target
}
/^[ \t]*(@[A-Za-z_]+([(][^)]*[)])?[ \t]+)*((public|package|internal|fileprivate|private)[ \t]+)?import[ \t]/ {
    module = $0
    sub(/^.*import[ \t]+/, "", module)
    sub(/^(struct|class|enum|protocol|typealias|func|let|var)[ \t]+/, "", module)
    sub(/[^A-Za-z0-9_].*/, "", module)
    if (((target, module) in refused) || (module in project && !((target, module) in allowed)))
        print FILENAME ":" FNR ": " target " must not import " module
}'
