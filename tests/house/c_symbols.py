#!/usr/bin/env python3
"""Compares the C symbols of the built libraries with the list of those that programs may rely on.

usage: c_symbols.py NM ROOT LIBRARY...

The list is ROOT/tests/house/c_symbols.txt, a line 'library symbol' each. A library must define with C linkage
what the list has of it and nothing else. Every symbol must be declared in mctensor/c_api.h, which declares no
others, and named in docs/c_api.md.

Exit codes: 0 all agree, 1 they differ, 2 bad usage.
"""
import re
import subprocess
import sys
from pathlib import Path

LIST = Path("tests/house/c_symbols.txt")
HEADER = Path("include/mctensor/c_api.h")
PAGE = Path("docs/c_api.md")
NAME = re.compile(r"^lib(\w+)\.(?:a|so|dylib)")
DECLARED = re.compile(r"^[a-z][\w *]*?\b(mct_\w+)\(", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# mangled names of C++; and what compiler, assembler and linker add: names with dots, ends of segments
NOT_C = re.compile(r"^_Z|\.|^(?:_init|_fini|_edata|_end|__bss_start|__clang_call_terminate)$")


def read_list(path):
    symbols = {}
    for number, line in enumerate(path.read_text("ascii").splitlines(), 1):
        words = line.split("#")[0].split()
        if len(words) not in (0, 2):
            raise ValueError(f"{path}:{number}: '{line}' is not 'library symbol'")
        if words:
            symbols.setdefault(words[0], set()).add(words[1])
    return symbols


def defined(nm, library):
    """Names with C linkage that a library defines for others."""
    table = ["-D"] if ".so" in library.name else []
    listing = subprocess.run([nm, *table, "-g", "--defined-only", "-P", str(library)], check=True, text=True,
                             capture_output=True).stdout
    rows = (line.split() for line in listing.splitlines())
    names = {row[0].split("@")[0] for row in rows if len(row) >= 2 and len(row[1]) == 1}
    return {name for name in names if not NOT_C.search(name)}


def compare(found, listed, what):
    return ([f"{what}: {name} is not in {LIST}" for name in sorted(found - listed)] +
            [f"{what}: {name} is missing" for name in sorted(listed - found)])


def problems(nm, root, libraries):
    listed = read_list(root / LIST)
    found = []
    for library in libraries:
        match = NAME.match(library.name)
        name = match.group(1) if match else library.name
        found += compare(defined(nm, library), listed.get(name, set()), str(library))
    everything = set().union(*listed.values())
    declared = set(DECLARED.findall(COMMENT.sub("", (root / HEADER).read_text("ascii"))))
    found += compare(declared, everything, str(HEADER))
    named = set(re.findall(r"`(mct_\w+)", (root / PAGE).read_text("utf-8")))
    found += [f"{PAGE}: {name} is missing" for name in sorted(everything - named)]
    return found, len(everything)


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found, count = problems(arguments[0], Path(arguments[1]), [Path(a) for a in arguments[2:]])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join([*found, f"{count} symbols, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
