#!/usr/bin/env python3
"""Writes the header-only core, eft/, expansion/ and math/, as one header that needs nothing else.

usage: amalgamate.py ROOT FILE

ROOT is the project. Left out is what is compiled code: decimal text (expansion/io.hpp and the literals).
Comments stay: they have the bounds.

Exit codes: 0 written, 1 a header is missing or needs another library, 2 bad usage.
"""
import re
import sys
from pathlib import Path

UMBRELLAS = ("eft/all.hpp", "expansion/all.hpp", "math/all.hpp")
COMPILED = {"expansion/io.hpp", "expansion/literals.hpp"}
FIRST = ("config.hpp", "version.h")  # refuse compilers and options before anything else is read
OURS = re.compile(r'^#include "mctensor/([^"]+)"\n', re.MULTILINE)
STANDARD = re.compile(r"^#include <([^>]+)>\n", re.MULTILINE)
ONCE = re.compile(r"^#pragma once\n", re.MULTILINE)
LAYERS = re.compile(r"^(?:eft|expansion|math)/")

HEAD = """\
// The header-only core of MCTensor {version} in one file: error-free transforms, expansions, elementary functions.
// Made by `./run amalgamate` of MCTensor's headers, which say more and have decimal text, tensors and all else;
// a program includes this file or those, not both.
//
// Compile with -std=c++20 -ffp-contract=off, with g++ -fno-tree-slp-vectorize, too, and -mfma where the processor
// has it: contraction breaks the transforms, g++ 12 leaves out that two neighbours are rounded to float, and without
// fma products split their operands. -ffast-math is refused.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

"""


class Problem(Exception):
    """What cannot be put into one file."""


def texts_in_order(public):
    """Names and texts of all headers, each after those that it includes."""
    done = {}

    def add(name, includer):
        if name in done or name in COMPILED:
            return
        path = public / name
        if not path.is_file():
            raise Problem(f"{includer}: #include \"mctensor/{name}\" does not exist")
        if not LAYERS.match(name) and name not in FIRST:
            raise Problem(f"{includer}: #include \"mctensor/{name}\" is not part of the core")
        text = path.read_text("utf-8")
        done[name] = None  # a circle ends here
        for included in OURS.findall(text):
            add(included, name)
        del done[name]
        done[name] = text

    for name in (*FIRST, *UMBRELLAS):
        add(name, "amalgamate.py")
    return {name: text for name, text in done.items() if name not in UMBRELLAS}


def amalgamated(root):
    public = Path(root) / "include" / "mctensor"
    texts = texts_in_order(public)
    standard = sorted({name for text in texts.values() for name in STANDARD.findall(text)})
    foreign = [name for name in standard if "/" in name or name.endswith((".h", ".hpp"))]
    if foreign:
        raise Problem(f"the core includes <{foreign[0]}>, which is no header of C++")
    numbers = re.findall(r"^#define MCT_VERSION_[A-Z]+ (\d+)$", texts["version.h"], re.MULTILINE)

    def body(name):
        text = STANDARD.sub("", OURS.sub("", ONCE.sub("", texts[name])))
        return f"// ---- mctensor/{name}\n" + re.sub(r"\n{3,}", "\n\n", text).strip() + "\n\n"

    out = HEAD.format(version=".".join(numbers)) + "".join(body(name) for name in FIRST)
    out += "".join(f"#include <{name}>\n" for name in standard) + "\n"
    return out + "".join(body(name) for name in texts if name not in FIRST)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        text = amalgamated(arguments[0])
        path = Path(arguments[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except (Problem, OSError) as error:
        print(f"amalgamate.py: {error}", file=sys.stderr)
        return 1
    print(f"{path}: {len(text.splitlines())} lines, {len(text.encode()) // 1024} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
