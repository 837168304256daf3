#!/usr/bin/env python3
"""Plants small faults in the sources, one at a time, and reports which of them no test notices.

Most mutants are compiled together into each test program, each behind a question to a number from
the environment (mutate_source.py), so that a mutant costs one run of the tests that reach it,
which a run without mutants has noted. Those that the compiler evaluates are compiled alone. All of
it happens in a copy of the sources in the build folder.

Exit codes: 0 at least 95 % of the mutants that are not equivalent were killed, 1 fewer, 2 bad usage
or programs that fail without a mutant.
"""
import argparse
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

from mutate_programs import programs_for
from mutate_session import ROOT, Session, write_atomically
from mutate_source import find_mutants
from mutate_workshop import BASE_FLAGS, CompileError, Workshop

LAYERS = {
    "eft": ["include/mctensor/eft/*.hpp"],
    "expansion": ["include/mctensor/expansion/*.hpp", "src/expansion/*.[hc]pp"],
    "math": ["include/mctensor/math/*.hpp"],
    "certified": ["include/mctensor/certified/radius.hpp", "include/mctensor/certified/spread.hpp",
                  "src/certified/kernels/*.cpp"],
    "kernels": ["src/tensor/kernels/*.hpp", "src/linalg/kernels/*.hpp"],
    "geometry": [f"include/mctensor/geometry/{folder}*.hpp" for folder in
                 ("", "gyro/", "means/", "models/", "storage/", "storage/halfspace/", "tensors/")],
}
DATA = {"error_bounds.hpp", "bounds.hpp"}  # promises, not code: a looser one fails nothing
REQUIRED = 0.95
COUNTED = ("killed", "alive", "equivalent")


def active_lines(path, root):
    """The lines that the preprocessor leaves: not those of CUDA or of other instruction sets."""
    text = path.read_text(encoding="utf-8")
    if not re.search(r"^ *# *if", text, re.MULTILINE):
        return range(1, text.count("\n") + 2)
    done = subprocess.run(["g++", *BASE_FLAGS, f"-I{root}", f"-I{root}/include", "-E", "-x", "c++",
                           str(path)], capture_output=True, text=True, check=True)
    lines, here, number = set(), False, 0
    for line in done.stdout.splitlines():
        if line.startswith("# "):
            place = line.split(" ", 2)
            number, here = int(place[1]), place[2].startswith(f'"{path}"')
            continue
        if here and line.strip():
            lines.add(number)
        number += 1
    return lines


def all_mutants(root, layers):
    """{layer: its mutants that some program may notice}"""
    found = {}
    for layer in layers:
        found[layer] = []
        for pattern in LAYERS[layer]:
            for path in sorted(root.glob(pattern)):
                file = str(path.relative_to(root))
                if path.name in DATA or not programs_for(file, root):
                    continue
                lines = active_lines(path, root)
                text = path.read_text(encoding="utf-8")
                found[layer] += [m for m in find_mutants(file, text) if m.line in lines]
    return found


def in_order(found, seed):
    """All mutants in the order of the seed, the layers by turns. A mutant's place among the others
    depends on itself alone, so that an edit elsewhere changes little."""
    def place(mutant):
        return hashlib.sha256(f"{seed} {mutant.key}".encode()).digest()

    shuffled = [sorted(found[layer], key=place) for layer in sorted(found)]
    turns = max((len(m) for m in shuffled), default=0)
    return [mutants[i] for i in range(turns) for mutants in shuffled if i < len(mutants)]


def read_equivalents(path):
    """{key: reason} of the list of equivalent mutants."""
    entries, waiting, file, text = {}, [], "", ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        word = line.strip()
        if not word or line.startswith("#"):
            continue
        if not line.startswith(" "):
            file = word
        elif not line.startswith("   "):
            text = word
        elif word.startswith("because "):
            entries |= dict.fromkeys(waiting, word)
            waiting = []
        else:
            waiting.append(f"{file}|{text}|{word}")
    if waiting:
        raise ValueError(f"{path.name}: no 'because' behind {waiting[0].replace('|', ': ')}")
    return entries


def outdated(equivalents, mutants, root):
    """Keys of the list that no mutant of these files has: their line has changed."""
    known, files = {m.key for m in mutants}, {m.file for m in mutants}
    return [key for key in equivalents
            if key not in known and (key.split("|")[0] in files or not (root / key.split("|")[0]).exists())]


def report(session):
    """Prints the table, writes it beside the results, and returns the exit code."""
    rows, counts = [], {status: 0 for status in COUNTED}
    layers = {}
    for mutant in session.chosen():
        record = session.record_of(mutant)
        counts[record["status"]] += 1
        layer = next(name for name, patterns in LAYERS.items()
                     if any(Path(mutant.file).match(p) for p in patterns))
        layers.setdefault(layer, {status: 0 for status in COUNTED})[record["status"]] += 1
        if record["status"] == "alive":
            rows.append(f"{mutant.file}:{mutant.line}\n{mutant.text}\n{mutant.change}\n"
                        f"  ({record['how']})\n")
    tried = counts["killed"] + counts["alive"]
    share = counts["killed"] / tried if tried else 1.0
    lines = ["alive:\n", *rows] if rows else []
    lines.append(f"{'layer':<12}{'killed':>8}{'alive':>8}{'equivalent':>12}")
    for layer, c in [*sorted(layers.items()), ("all", counts)]:
        lines.append(f"{layer:<12}{c['killed']:>8}{c['alive']:>8}{c['equivalent']:>12}")
    lines.append(f"{100 * share:.1f} % of those that are not equivalent were killed; "
                 f"required: {100 * REQUIRED:.0f} %")
    text = "\n".join(lines)
    print(text)
    session.save(summary={**counts, "tried": tried, "share": share, "required": REQUIRED})
    write_atomically(session.workshop.folder / "table.txt", text + "\n")
    return 0 if share >= REQUIRED else 1


def build_library(mutants, folder, root):
    """Builds the static library, with baseline kernels alone, if a program of these mutants links it."""
    if not any(p.library for m in mutants for p in programs_for(m.file, root)):
        return
    options = ["-DBUILD_SHARED_LIBS=OFF", "-DMCT_NATIVE=OFF", "-DMCT_CAN_RUN_FMA=OFF", "-DMCT_CAN_RUN_AVX512=OFF",
               "-DMCT_BUILD_TESTS=OFF", "-DMCT_BUILD_EXAMPLES=OFF"]
    for command in (["--preset", "quick", "-B", str(folder), *options],
                    ["--build", str(folder), "--target", "mctensor"]):
        if subprocess.run(["cmake", *command], cwd=root, check=False).returncode != 0:
            raise CompileError("the library cannot be built")


def arguments(words):
    parser = argparse.ArgumentParser(prog="run mutate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="which mutants (1)")
    parser.add_argument("--count", type=int, default=100, help="how many mutants (100)")
    parser.add_argument("--only", default=",".join(LAYERS), metavar="LAYERS",
                        help=f"some of {','.join(LAYERS)} (all)")
    parser.add_argument("--list", action="store_true", help="print the mutants chosen and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="how many programs are compiled or run at once (one a processor)")
    parsed = parser.parse_args(words)
    parsed.layers = parsed.only.split(",")
    if parsed.count < 1:
        parser.error("--count is at least 1")
    for layer in parsed.layers:
        if layer not in LAYERS:
            parser.error(f"unknown layer '{layer}'")
    return parsed


def main(words):
    options = arguments(words)
    order = in_order(all_mutants(ROOT, options.layers), options.seed)
    if options.list:
        for mutant in order[:options.count]:
            print(f"{mutant.file}:{mutant.line}: {mutant.change}: {mutant.text}")
        return 0
    folder = ROOT / "build/mutate"
    shop = Workshop(ROOT, folder, folder / "library/src/libmctensor.a", max(1, options.jobs))
    try:
        equivalents = read_equivalents(Path(__file__).with_name("equivalent_mutants.txt"))
        for key in outdated(equivalents, order, ROOT):
            print(f"equivalent_mutants.txt: no such mutant any more: {key.replace('|', ': ')}")
        session = Session(order, options.count, shop, equivalents)
        build_library(session.chosen(), folder / "library", ROOT)
        shop.reset()
        session.run()
    except (CompileError, ValueError) as error:
        print(f"mutate: {str(error)[:4000]}", file=sys.stderr)
        return 2
    return report(session)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
