#!/usr/bin/env python3
"""Writes a compilation database that names every file once.

usage: tidy_commands.py DATABASE DIRECTORY

Kernels are compiled for each instruction set; clang-tidy would read them as often. The last command
counts, which is that of the largest instruction set.
"""
import json
import sys
from pathlib import Path


def main(database, directory):
    commands = {entry["file"]: entry for entry in json.loads(Path(database).read_text())}
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "compile_commands.json").write_text(json.dumps(list(commands.values()), indent=1))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
