#!/usr/bin/env python3
"""Reads with clang-tidy, or compiles, the sources that a change concerns and that no other target of the build compiles.

usage: changed.py --database FILE --passed FOLDER [--root DIR] [--all | --limit N [--once]] TARGET...
       changed.py --database FILE --passed FOLDER [...] --tidy PROGRAM [--extra-arg ARG]...

  --database   compile_commands.json of a build
  --passed     folder of hashes of what has passed: a unit that sees the same texts, options and compiler is left out
  --all        every source, changed and passed or not
  --limit      at most N sources, those nearest to the change first; what is left is said in a line, and the next run
               goes on with it
  --once       each changed file through one source, not through all that see it
  --tidy       sources below apps, examples, output, src and validation are read by clang-tidy; otherwise
               those of the TARGETs are compiled

The rule. A change is what differs from the merge base with the upstream branch (origin/HEAD, origin/main or main), on
that branch itself from the first parent: commits, what is not committed, new files. A source is concerned if its own
text or that of a project's file below it by #include has changed. `./run lint` takes all of these; `./run test`, which
has to be bounded whatever has changed, with --limit, and for clang-tidy, which takes ten seconds a source, with --once.
`./run lint --all` takes everything. Where the checks, the compiler's options or a file of which no history is known
(an archive, a clone of depth 1) may have changed, everything counts as changed.

Exit codes: 0 no alarms, 1 alarms, 2 bad usage.
"""
import argparse
import concurrent.futures
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from base import changed_files
from units import Sources, read_units

LINTED = ("apps", "examples", "output", "src", "validation")
RULES = {Path(name) for name in (".clang-tidy", "CMakePresets.json", "cmake/MCTensorCompiler.cmake")}
FAR = 1000  # steps to a change of the rules
KEPT = 20000  # hashes of a file of passed ones: several branches


def concerned(units, sources, everything):
    """[(steps to the change, unit)], the nearest first; those equally near in an order that mixes folders."""
    found = []
    for unit in units:
        steps = [n for path, n in sources.seen(unit.path).items() if path in sources.changed]
        if steps or everything:
            found.append((min(steps, default=FAR), hashlib.sha256(unit.name.encode()).digest(), unit))
    return [(steps, unit) for steps, _, unit in sorted(found, key=lambda f: f[:2])]


def each_change_once(near, sources):
    """Of the nearest units first those that see a changed file which none before them does."""
    done = set()
    for steps, unit in near:
        new = (set(sources.seen(unit.path)) & sources.changed) - done
        if new or steps == FAR:
            done |= new
            yield steps, unit


def passed(path):
    """The hashes of what has passed, from a file of the build folder."""
    return path.read_text(encoding="utf-8").split() if path.is_file() else []


def add_passed(path, hashes):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text("".join(f"{h}\n" for h in list(dict.fromkeys(passed(path) + hashes))[-KEPT:]), encoding="utf-8")
    temporary.replace(path)


def run_unit(arguments, unit, result):
    if arguments.tidy:
        command = [arguments.tidy, "-quiet", str(unit.source), "--", *unit.options, *arguments.extra_arg]
    else:
        command = [unit.compiler, *unit.options, "-c", str(unit.source), "-o", result]
    done = subprocess.run(command, cwd=unit.directory, capture_output=True, text=True, check=False)
    good = done.returncode == 0
    return good, done.stdout + ("" if good and arguments.tidy else done.stderr)


def run_units(arguments, units):
    """Those with alarms."""
    failed = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        runs = {pool.submit(run_unit, arguments, u, str(Path(folder, f"{i}.o"))): u for i, u in enumerate(units)}
        for number, run in enumerate(concurrent.futures.as_completed(runs), 1):
            good, output = run.result()
            print(f"[{number}/{len(units)}] {runs[run].name}", flush=True)
            if not good:
                failed.append(runs[run])
                print(output, flush=True)
    return failed


def chosen_units(arguments, root):
    """The units that the arguments mean, or a sentence that says which are missing."""
    units = list(read_units(arguments.database, root))
    if arguments.tidy:  # kernels are compiled once for each instruction set; the last is the largest
        return list({u.path: u for u in units if u.path.parts[0] in LINTED}.values()) or f"no sources of {root}"
    missing = set(arguments.targets) - {u.target for u in units}
    return f"no sources of {', '.join(sorted(missing))}" if missing else \
        [u for u in units if u.target in arguments.targets]


def check(arguments, root):
    units = chosen_units(arguments, root)
    if isinstance(units, str):
        print(f"changed.py: {units} in {arguments.database}", file=sys.stderr)
        return 2
    base, changed = changed_files(root)
    sources = Sources(root, changed or set())
    everything = arguments.all or base is None or not RULES.isdisjoint(changed)
    if base is None and not arguments.all:
        print("no history of this copy is known: every source counts as changed")
    near = concerned(units, sources, everything)
    if arguments.once:
        near = list(each_change_once(near, sources))
    rules = (root / ".clang-tidy").read_bytes() if arguments.tidy else b""
    hashes = {(u.target, u.name): sources.content(u, arguments.tidy or u.compiler, rules) for _, u in near}
    store = {(u.target, u.name): arguments.passed / ("clang_tidy" if arguments.tidy else u.target) for _, u in near}
    known = set() if arguments.all else set().union(*map(passed, set(store.values())))
    waiting = [u for _, u in near if hashes[u.target, u.name] not in known]
    chosen = waiting[:arguments.limit]
    failed = run_units(arguments, chosen)
    for path in set(store.values()):
        add_passed(path, [hashes[u.target, u.name] for u in chosen
                          if store[u.target, u.name] == path and u not in failed])
    print(f"{len(chosen)} of {len(units)} sources {'read' if arguments.tidy else 'compiled'}, {len(failed)} with alarms")
    if len(waiting) > len(chosen):
        print(f"{len(waiting) - len(chosen)} more see a change since {(base or 'the beginning')[:12]}: ./run lint")
    return 1 if failed else 0


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--database", required=True)
    parser.add_argument("--passed", required=True, type=Path)
    parser.add_argument("--root", default=str(Path(__file__).resolve().parents[2]))
    parser.add_argument("--tidy")
    parser.add_argument("--extra-arg", action="append", default=[])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--once", action="store_true")
    arguments = parser.parse_args(words)
    if bool(arguments.targets) == bool(arguments.tidy):
        parser.error("either TARGETs or --tidy")
    if not Path(arguments.database).is_file():
        print(f"changed.py: no file {arguments.database}; configure first", file=sys.stderr)
        return 2
    return check(arguments, Path(arguments.root).resolve())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
