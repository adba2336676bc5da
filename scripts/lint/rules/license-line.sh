#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file begins with its license line (after #! or the tools version, where there is one).
lint=${0%/*}/..
. "$lint/files.sh"
set -- awk '
function flush() { if (expected) print file ":" expected ": the license line is missing" }
FNR == 1 { flush(); file = FILENAME; expected = /^(#!|\/\/ swift-tools-version)/ ? 2 : 1 }
FNR == expected && /^(\/\/|#) SPDX-License-Identifier: Apache-2[.]0$/ { expected = 0 }
END { flush() }'
each_file "$code Package.swift" "*.swift *.sh $c_files" "$@"
each_file 'Makefile setup scripts .ci' '*' "$@"
