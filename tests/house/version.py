#!/usr/bin/env python3
"""Checks that everything that names the version of MCTensor names the one of version.h.

usage: version.py ROOT VERSION

ROOT is the project, VERSION what CMake's project() has. The wheel's version is found as pyproject.toml
tells scikit-build-core to find it; the others are texts: the newest entry of CHANGELOG.md and, where the
files exist, CITATION.cff and the vcpkg port. The project that tests an installed library asks for the first two numbers.

Exit codes: 0 all are the same, 1 they differ, 2 bad usage.
"""
import json
import re
import sys
import tomllib
from pathlib import Path

HEADER = "include/mctensor/version.h"
VERSION_LINE = re.compile(r"^#define MCT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)
NEWEST = re.compile(r"^## \[(\d+\.\d+\.\d+)\]", re.MULTILINE)
CONSUMER = re.compile(r"^find_package\(MCTensor (\d+\.\d+) ", re.MULTILINE)
CITATION = re.compile(r"^version: ([^\n]+)$", re.MULTILINE)


def version_of_wheel(root):
    """What scikit-build-core's provider 'regex' makes of the table in pyproject.toml."""
    with open(root / "pyproject.toml", "rb") as file:
        rule = tomllib.load(file)["tool"]["scikit-build"]["metadata"]["version"]
    match = re.search(rule["regex"], (root / rule["input"]).read_text("utf-8"), re.MULTILINE)
    return rule["result"].format(**match.groupdict()) if match else None


def first(pattern, path):
    match = pattern.search(path.read_text("utf-8"))
    return match.group(1).strip('"') if match else None


def versions(root, of_cmake):
    """Pairs of who names a version, and which."""
    found = [("CMake's project()", of_cmake), ("pyproject.toml", version_of_wheel(root)),
             ("CHANGELOG.md", first(NEWEST, root / "CHANGELOG.md"))]
    citation, port = root / "CITATION.cff", root / "packaging" / "vcpkg" / "vcpkg.json"
    if citation.is_file():
        found.append(("CITATION.cff", first(CITATION, citation)))
    if port.is_file():
        found.append((str(port.relative_to(root)), json.loads(port.read_text("utf-8"))["version"]))
    return found


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0])
    version = ".".join(VERSION_LINE.findall((root / HEADER).read_text("ascii")))
    wrong = [f"{who}: {found}, but {HEADER} says {version}"
             for who, found in versions(root, arguments[1]) if found != version]
    consumer = root / "tests" / "house" / "consumer" / "CMakeLists.txt"
    if first(CONSUMER, consumer) != version.rpartition(".")[0]:
        wrong.append(f"{consumer.relative_to(root)}: {first(CONSUMER, consumer)}, but {HEADER} says {version}")
    print("\n".join(wrong) or f"{version} everywhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
