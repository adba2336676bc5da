#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No word marks unfinished work.
lint=${0%/*}/..
. "$lint/files.sh"
each_file "$code" "*.swift $c_files *.md" awk '
{ line = tolower($0) }
line ~ /todo|fixme|xxx|not implemented|unimplemented|placeholder|for now([^a-z_]|$)/ {
    print FILENAME ":" FNR ": " $0
}'
