#!/usr/bin/env python3
"""Reads every #include of the project and fails on one that points upward.

usage: include_graph.py ROOT

A layer includes itself and the layers before it. The folder below include/mctensor, src or cuda
names the layer of a file. Around the library stand rooms (ROOMS): each lists the rooms that it may
look into besides itself and the public headers. The compiled library's own headers below src/ are
for the library, its tests and nobody else.
"""
import re
import sys
from pathlib import Path

# Lowest first; layers on one line do not include each other.
LAYERS = [
    ["base"],  # files, the floating-point environment
    ["eft"],
    ["expansion"],
    ["math"],
    ["tensor"],
    ["device"],  # GPUs: streams, memory, tensors there
    ["graph"],  # graphs, and the files that they are read from
    ["linalg"],
    ["certified"],  # numbers that carry their error
    ["distributed"],  # processes that work together
    ["autograd"],
    ["nn", "optim"],
    ["geometry"],
    ["attention"],
    ["embed"],
    ["pictures"],  # of embeddings
    ["interop"],  # bridges to other libraries, included only by who needs them
]
# Rooms around the library, with the other folders each may include from.
ROOMS = {
    "output": [],
    "validation": ["output"],
    "apps": ["output", "validation"],
    "bench": ["cuda", "output", "validation"],
    "examples": [],
    "python": [],
    "fuzz": ["apps", "output", "src", "tests", "validation"],
    "tests": ["apps", "bench", "cuda", "output", "src", "validation"],
}
RANK = {name: rank for rank, names in enumerate(LAYERS, 1) for name in names}
ROOT_HEADERS = {"config.hpp", "version.h", "error.hpp", "c_api.h"}  # used by every layer, and use none
# headers whose folder is not their layer: SIMD batches as components, which the kernels of tensor and
# linalg compute with; and the one include of embeddings, which has graphs and pictures too
ELSEWHERE = {"interop/xsimd.hpp": "math", "embed/all.hpp": "pictures"}
UMBRELLA = "mctensor.hpp"  # uses every layer, and is used by the rooms only
PUBLIC = Path("include/mctensor")
ROOTS = [PUBLIC, Path("src"), Path("cuda")]
TOPS = ["include", "src", "cuda", *ROOMS]
SOURCES = {".hpp", ".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def layer_of(path):
    """The layer of a file, as (rank, name); None for a room's."""
    for root in ROOTS:
        if root not in path.parents:
            continue
        below = path.relative_to(root)
        if root == PUBLIC and str(below) in ELSEWHERE:
            name = ELSEWHERE[str(below)]
            return RANK[name], name
        if len(below.parts) > 1:
            name = below.parts[0]
            return RANK.get(name, 0), name
        if root == PUBLIC and below.name in ROOT_HEADERS:
            return 0, "root"
        if root == PUBLIC and below.name == UMBRELLA:
            return len(LAYERS) + 1, "umbrella"
        return 0, below.name  # belongs to no layer
    return None


def resolve(root, including, kind, text):
    """The project file that an #include means, relative to root; None for a system header."""
    places = [root / including.parent] if kind == '"' else []
    for place in places + [root / "include", root]:
        target = (place / text).resolve()
        if target.is_file() and root in target.parents:
            return target.relative_to(root)
    return None


def problem_with(path, target, kind, text):
    """What is wrong with one #include, or None."""
    ours = layer_of(path)
    if target is None:
        if kind == '"' or text.startswith("mctensor/"):
            return "does not exist in the project"
        return None
    theirs = layer_of(target)
    if PUBLIC in path.parents and PUBLIC not in target.parents:
        return "a public header includes a private file"
    if ours is None:
        seen = [path.parts[0], "include", *ROOMS[path.parts[0]]]
        return None if target.parts[0] in seen else f"{seen[0]} may not include {target.parts[0]}/"
    if theirs is None:
        return f"the library may not include {target.parts[0]}/"
    if ours[1] == theirs[1]:
        return None
    if theirs[0] >= ours[0]:
        return f"upward: {ours[1]} includes {theirs[1]}"
    return None


def check(root):
    """The problems below root, each a line 'file:line: #include ...: what', and the file count."""
    root = Path(root).resolve()
    problems = []
    files = [p for top in TOPS for p in sorted((root / top).rglob("*")) if p.suffix in SOURCES]
    for file in files:
        path = file.relative_to(root)
        layer = layer_of(path)
        name = layer[1] if layer else path.parts[0]
        if name not in RANK and name not in ROOMS and name not in ("root", "umbrella"):
            problems.append(f"{path}: '{name}' is not a layer known to include_graph.py")
            continue
        # comments go, but keep their line breaks so that line numbers stay right
        text = COMMENT.sub(lambda m: "\n" * m.group().count("\n"), file.read_text(encoding="utf-8"))
        for match in INCLUDE.finditer(text):
            kind, included = match.groups()
            problem = problem_with(path, resolve(root, path, kind, included), kind, included)
            if problem:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{path}:{line}: #include {included}: {problem}")
    return problems, len(files)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems, count = check(arguments[0])
    for problem in problems:
        print(problem)
    if count == 0:
        print(f"no source files below {arguments[0]}")
    else:
        print(f"{count} files, {len(problems)} problems")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
