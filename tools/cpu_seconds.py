#!/usr/bin/env python3
"""Measures compilations.

usage: cpu_seconds.py LOG COMMAND...     run COMMAND, append its CPU seconds and source to LOG
       cpu_seconds.py --print LOG        the slowest sources and the sum of each folder
"""
import collections
import os
import resource
import subprocess
import sys
from pathlib import Path


def measure(log, command):
    code = subprocess.call(command)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    source = next((command[i + 1] for i, word in enumerate(command[:-1]) if word == "-c"), None)
    if source is not None:
        target = command[command.index("-o") + 1] if "-o" in command else ""
        with open(log, "a", encoding="utf-8") as file:  # one short write: lines do not mix
            file.write(f"{usage.ru_utime + usage.ru_stime:.2f} {source} {target}\n")
    return code


def print_table(log):
    rows = []
    for line in Path(log).read_text(encoding="utf-8").splitlines():
        seconds, source, target = line.split(" ")
        rows.append((float(seconds), os.path.relpath(source), target.split("/CMakeFiles/")[-1]))
    folders = collections.Counter()
    for seconds, source, _ in rows:
        folders["/".join(source.split("/")[:2])] += seconds
    print(f"{'CPU s':>8}  source (target)")
    for seconds, source, target in sorted(rows, reverse=True)[:40]:
        print(f"{seconds:8.1f}  {source} ({target.split('.dir')[0]})")
    print(f"\n{'CPU s':>8}  folder")
    for folder, seconds in folders.most_common(25):
        print(f"{seconds:8.1f}  {folder}")
    print(f"{sum(row[0] for row in rows):8.1f}  {len(rows)} units")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--print":
        print_table(sys.argv[2])
    elif len(sys.argv) > 2:
        sys.exit(measure(sys.argv[1], sys.argv[2:]))
    else:
        sys.exit(__doc__)
