#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Public callables say thread, parameters, result, errors and complexity.
lint=${0%/*}/..
. "$lint/files.sh"
each_file 'Sources CSources/CSwivel/include CSources/CSwivelMain/include' '*.swift *.h' printf '%s\n' |
    grep -v /internal/ | xargs awk '
# Leaves the names of the parameters in name[1...], and what follows them in rest; returns how many.
function names_of(text,    i, c, depth, part, count) {
    for (i = index(text, "("); i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c ~ /[])>}]/) depth--
        if (depth > 1 || (depth == 1 && c != ",")) part = part c
        else {
            if (swift) sub(/:.*/, "", part)
            gsub(/^.*[^A-Za-z0-9_]/, "", part)
            if (part !~ /^(|file|line|void)$/) name[++count] = part
            part = ""
        }
        if (c ~ /[(<[{]/) depth++
        if (!depth) break
    }
    rest = swift ? substr(text, i + 1) : text
    return count
}
function missing(what, file, line) { print file ":" line ": says nothing about the " what }
function judge(text,    i, count) {
    count = names_of(text)
    if (doc ~ /^ See ``[^`]*``[.]$/) return # A default: its requirement says everything.
    if (doc ~ /^ Not callable[.:]/) return # The message of the compiler says what to write.
    # The modules with a page of their own cannot link to the requirement.
    if (FILENAME ~ /\/(Swivel(Testing|DispatchBackend)|[A-Za-z]*Compat(Support)?)\// && doc ~ /^ See `[^`]*`[.]$/) return
    if (doc !~ /[*][*]Thread:/) silent[type SUBSEP FILENAME SUBSEP FNR]
    for (i = swift ? 1 : 2; i <= count; i++) # A C function is about its first parameter.
        if (doc !~ ("`" name[i] "`|- (Parameter )?" name[i] ":")) break
    if (i <= count) missing("parameters", FILENAME, FNR)
    if ((swift ? rest ~ /->/ && rest !~ /-> *Void/ : rest !~ /^ (static inline )?void [^*]/) &&
        doc !~ /[Rr]eturns|[Ww]hether|True:|False:/) missing("result", FILENAME, FNR)
    if (rest ~ (swift ? "(^|[ )])throws" : "^ int ") && doc !~ /[Tt]hrows|[Ee]rror|SWIVEL_E/)
        missing("errors", FILENAME, FNR)
    if (doc !~ /- Complexity:/) missing("complexity", FILENAME, FNR)
}
FNR == 1 { swift = FILENAME ~ /swift$/; text = doc = "" }
/^ *\/\/\// { sub(/^ *\/\/\//, ""); doc = doc $0; text = ""; next }
/^ *(\/\/.*)?$/ { doc = text = ""; next }
{
    gsub(/"[^"]*"/, "")
    gsub(/->/, "\001") # Until the angle brackets have been counted.
    if (text == "") { match($0, /^ */); depth = RLENGTH / 4 }
    text = text " " $0
    held = text
    if (gsub(/[(]/, "", held) != gsub(/[)]/, "", held)) next
    held = text
    while (sub(/^ *@[A-Za-z_]+([(][^()]*([(][^()]*[)][^()]*)*[)])?/, "", held)) continue
    if (held ~ /^ *$/) next # The declaration follows its attributes.
    type = types[0]
    for (i = 1; i < depth; i++) type = type "." types[i]
    if (swift && match(held, /^ *([a-z]+ )*(class|struct|enum|actor|protocol|extension) [A-Z][A-Za-z0-9_.]*/)) {
        types[depth] = substr(held, 1, RLENGTH)
        sub(/.* /, "", types[depth])
        requires[depth] = held ~ /public protocol/
        if (doc ~ /[*][*]Thread:/) says[depth ? type "." types[depth] : types[0]]
    } else if (swift ? held ~ /^ *([a-z]+([(][a-z]+[)])? )*(func |init[?(<]|subscript[(<])/ && \
        (held ~ /^ *(public|open) / || (depth && requires[depth - 1])) : \
        !depth && held ~ /^ [a-z].*swivel_[a-z_]*[(]/ && held !~ /^ typedef/) {
        gsub(/\001/, "->", held)
        sub(/^.*func [^A-Za-z]*[(]/, "(", held)
        judge(held)
    }
    text = doc = ""
}
END {
    for (key in silent) {
        split(key, part, SUBSEP)
        if (!(part[1] in says)) missing("thread", part[2], part[3])
    }
}'
