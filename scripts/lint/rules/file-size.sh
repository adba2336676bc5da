#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file has at most 350 lines.
lint=${0%/*}/..
. "$lint/files.sh"
each_file "$code" "*.swift $c_files" awk 'FNR == 351 { print FILENAME ":351: longer than 350 lines" }'
