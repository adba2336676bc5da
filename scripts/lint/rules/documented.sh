#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every public symbol is documented, its parts in order: thread, parameters, returns, throws, complexity.
lint=${0%/*}/..
. "$lint/files.sh"
each_file 'Sources CSources/CSwivel/include CSources/CSwivelMain/include' '*.swift *.h' printf '%s\n' |
    grep -v /internal/ | xargs awk -v counts="${LINT_COUNTS-}" '
function found(what) { print FILENAME ":" FNR ": " what ": " $0 }
# The parts of the comment come in the order of their names here.
function note(line,    i, name, count, names) {
    if (swift && match(line, /[*][*]Thread:|^ *- (Parameters?|Returns|Throws|Complexity)[ :]/)) {
        name = substr(line, RSTART, RLENGTH)
        count = split("Thread Parameter Returns Throws Complexity", names, " ")
        for (i = 1; i <= count; i++) if (index(name, names[i])) {
            if (i < last) disordered = names[i] " after " names[last]
            else last = i
        }
    }
}
FNR == 1 { swift = FILENAME ~ /swift$/; doc = ""; last = 0; disordered = ""; split("", kind); open = "" }
/^ *\/\/\// { doc = doc $0; sub(/^ *\/\/\/ ?/, ""); note($0); next }
/^ *(\/\/.*)?$/ { doc = ""; last = 0; disordered = ""; next }
{
    held = $0
    match(held, /^ */)
    depth = RLENGTH / 4
    plain = held
    if (spread || (held ~ /^ *@[A-Za-z_]+[(]/ && gsub(/[(]/, "", plain) > gsub(/[)]/, "", plain))) {
        spread = held !~ /^ *[)]/ # An attribute of several lines.
        next
    }
    # Attributes, with what stands in their parentheses, come before what they belong to.
    while (sub(/^ *@[A-Za-z_]+([(][^()]*([(][^()]*[)][^()]*)*[)])?/, "", held)) continue
    if (held ~ /^ *$/) next
    public = 0
    if (swift) {
        inside = depth ? kind[depth - 1] : ""
        if (held ~ /^ *([a-z]+([(][a-z]+[)])? )*(public|open) / && held !~ /import / && held !~ /public extension/) public = 1
        else if (inside == "protocol" && held ~ /^ *([a-z]+ )*(func|var|init|subscript|associatedtype)[ (<]/) public = 1
        else if (inside == "enum" && held ~ /^ *(indirect )?case /) public = 1
        if (held ~ /[{] *$/)
            kind[depth] = held ~ /^ *public ([a-z]+ )*enum / ? "enum" : held ~ /^ *public protocol / ? "protocol" : "other"
    } else if (!depth && held ~ /^(static inline )?[a-z].*swivel_[a-z_]*[(]/ && held !~ /^typedef|^#/) public = 1
    if (public) {
        symbols++
        if (doc == "" && held !~ /func (==|<|hash)|var (hashValue)/) found("no documentation")
        else if (disordered != "") found(disordered)
    }
    doc = ""
    last = 0
    disordered = ""
}
END { if (counts) print "counted: " symbols " public symbols are documented" }'
