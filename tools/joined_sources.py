#!/usr/bin/env python3
"""Writes a compilation database with one entry a source.

usage: joined_sources.py DATABASE RESULT

Where CMake compiles several sources as one (UNITY_BUILD), compile_commands.json knows but the unit that
includes them. Whatever reads sources one by one, as clang-tidy, wants them there.

Exit codes: 0 written, 2 bad usage.
"""
import json
import re
import sys
from pathlib import Path

INCLUDED = re.compile(r'^#include "([^"\n]+[.]cpp)"$', re.MULTILINE)


def entries_of(database):
    for entry in json.loads(Path(database).read_text(encoding="utf-8")):
        path = Path(entry["file"])
        joined = INCLUDED.findall(path.read_text(encoding="utf-8")) if "Unity" in path.parts else []
        for source in joined:
            yield {**entry, "file": source,
                   "command": entry["command"].replace(entry["file"], source)}
        if not joined:
            yield entry


def main(words):
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    Path(words[1]).write_text(json.dumps(list(entries_of(words[0]))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
