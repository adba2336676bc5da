#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A function of a suite is a test or is private: one that lost its @Test would never run.
lint=${0%/*}/..
. "$lint/files.sh"
# swift format fixes the indentation, so a member of a suite stands four columns further in.
each_file 'Tests Benchmarks/Tests Examples/Tests' '*.swift' awk '
function indent(line) { match(line, /^ */); return RLENGTH }
FNR == 1 { depth = 0; marked = 0; suite = 0; text = 0 }
{ ends = text; quotes = gsub(/"""/, "&"); if (quotes % 2) text = !text }
ends || /^ *(\/\/.*)?$/ { next }
depth > 0 && indent($0) <= column[depth] && !/^ *[)\]#]/ { depth--; marked = 0 }
/^ *@Suite/ { suite = 1 }
depth > 0 && indent($0) == column[depth] + 4 && /^ *(@[A-Za-z]+ +)*@Test/ { marked = 1 }
/^ *((@[A-Za-z]+([(].*[)])?|final|public|package|private|fileprivate) +)*(struct|class|actor|enum|extension) / {
    name = $0
    sub(/^.*(struct|class|actor|enum|extension) +/, "", name)
    sub(/[^A-Za-z0-9_.].*/, "", name)
    if ((suite || name ~ /Tests$/) && !/}$/) column[++depth] = indent($0)
    suite = 0
    next
}
depth > 0 && indent($0) == column[depth] + 4 && /^[^{]*[ )]func [^ ]/ {
    if (!marked && !/^[^{]*(private|fileprivate|static) /) {
        name = $0
        sub(/^.*func +/, "", name)
        sub(/[(<].*/, "", name)
        print FILENAME ":" FNR ": " name " is neither @Test nor private"
    }
    marked = 0
}'
