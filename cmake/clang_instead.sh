#!/usr/bin/env bash
# Compiles by another compiler what a build gives to its own: a launcher of compilations for CMake.
#
# usage: clang_instead.sh [LAUNCHER...] COMPILER -- ITS_COMPILER [ARGUMENT...]
set -eu
command=()
while [[ $1 != -- ]]; do
  command+=("$1")
  shift
done
arguments=("${@:3}")
# a precompiled header of before, which clang would read while it writes the new one
for ((i = 1; i < ${#arguments[@]}; ++i)); do
  [[ ${arguments[i - 1]} != -o || ${arguments[i]} != *.gch ]] || rm -f "${arguments[i]}"
done
exec "${command[@]}" "${arguments[@]}"
