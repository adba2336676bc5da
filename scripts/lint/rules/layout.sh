#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files are laid out as `make format` lays them out; C files only where clang-format is installed.
lint=${0%/*}/..
. "$lint/files.sh"
each_file "$code Package.swift" '*.swift' \
    swift format lint --strict --parallel --configuration "$lint/../../.swift-format" 2>&1 || true
command -v clang-format >/dev/null 2>&1 || exit 0
each_file "$code" "$c_files" \
    clang-format --dry-run -Werror --style="file:$lint/../../.clang-format" 2>&1 || true
