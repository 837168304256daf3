#!/usr/bin/env python3
"""Checks that the umbrella headers include exactly what they promise.

usage: umbrellas.py ROOT

mctensor/<layer>/all.hpp reaches every header of its layer, and mctensor/mctensor.hpp every layer, but
for what is opt-in: headers that need another library, the bridges of interop/, the published
algorithms and what includes <format> and <locale>. Opt-in headers are reached by none.
"""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)
FOREIGN = re.compile(r"^(boost|fmt|Eigen|xsimd|qd|dlpack)/|^(mpfr|gmp|quadmath)\.h$")
OPT_IN = re.compile(r"^(interop/|expansion/published|expansion/format)")


def reached(public, start):
    seen, waiting = set(), [start]
    while waiting:
        for kind, name in INCLUDE.findall((public / waiting.pop()).read_text(encoding="utf-8")):
            name = name.removeprefix("mctensor/")
            if kind == '"' and name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def is_opt_in(public, name):
    text = (public / name).read_text(encoding="utf-8")
    return bool(OPT_IN.match(name)) or any(
        kind == "<" and FOREIGN.match(header) for kind, header in INCLUDE.findall(text))


def problems(root):
    public = Path(root) / "include" / "mctensor"
    headers = sorted(str(p.relative_to(public)) for p in public.rglob("*.hpp"))
    found = []
    umbrellas = {"mctensor.hpp": ""}
    for layer in sorted(p.name for p in public.iterdir() if p.is_dir() and p.name != "interop"):
        if not (public / layer / "all.hpp").is_file():
            found.append(f"{layer}/all.hpp is missing")
            continue
        umbrellas[f"{layer}/all.hpp"] = layer + "/"
    for umbrella, prefix in umbrellas.items():
        included = reached(public, umbrella)
        for name in headers:
            if name == umbrella or not name.startswith(prefix):
                continue
            if is_opt_in(public, name) and name in included:
                found.append(f"{umbrella} reaches {name}, which is opt-in")
            if not is_opt_in(public, name) and name not in included:
                found.append(f"{umbrella} does not reach {name}")
    return found, len(headers)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found, count = problems(arguments[0])
    print("\n".join([*found, f"{count} headers, {len(found)} problems"]))
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
