#!/usr/bin/env python3
"""Runs clang-tidy on the sources that have changed since they last passed.

usage: lint.py --database FILE [--root DIR] [--tidy PROGRAM] [--extra-arg ARG]... [--all] [--stamp]

  --database   compile_commands.json of a build
  --all        every source, changed or not
  --stamp      write which texts have passed: tools/lint_passed.txt

A source file below apps, examples, src or validation is read again when its text has changed; a
header when its own text has changed, through a source file that includes it, as few as will do.
What the passed texts were stands in tools/lint_passed.txt, a hash a file. The file belongs to the
commit: whoever changes sources runs `./run lint`, which reads the changed ones and writes it.
Changes of .clang-tidy or of this program count as changes of everything.

Exit codes: 0 no alarms, 1 alarms, 2 bad usage.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINTED = ("apps", "examples", "src", "validation")
STAMP = Path("tools/lint_passed.txt")
RULES = [Path(".clang-tidy"), Path("tools/lint.py")]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
PRECOMPILED = re.compile(r"cmake_pch\.hxx")


def commands_of(database, root):
    """The last command of each source file, without precompiled headers and compiler caches.

    Kernels are compiled once for each instruction set; the last is the largest. Without precompiled
    headers a source must include what it uses.
    """
    commands = {}
    for entry in json.loads(Path(database).read_text(encoding="utf-8")):
        path = Path(entry["file"])
        if root not in path.parents or path.relative_to(root).parts[0] not in LINTED:
            continue
        words, kept = entry["command"].split(), []
        while words:
            word = words.pop(0)
            if word == "-include" and words and PRECOMPILED.search(words[0]):
                words.pop(0)
            elif word not in ("-Winvalid-pch", "-fpch-preprocess"):
                kept.append(word)
        compiler = next(i for i, word in enumerate(kept) if word.startswith("-"))
        entry["command"] = " ".join(kept[compiler - 1:])  # what stands before it is a launcher
        commands[path.relative_to(root)] = entry
    return commands


class Sources:
    """The project's files as text: their hashes, and what each reaches by #include."""

    def __init__(self, root):
        self.root = root
        self.rules = b"".join((root / rule).read_bytes() for rule in RULES)
        self.texts = {}
        self.closures = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_text(encoding="utf-8")
        return self.texts[path]

    def hash(self, path):
        return hashlib.sha256(self.rules + self.text(path).encode()).hexdigest()[:32]

    def included(self, path):
        for name in INCLUDE.findall(self.text(path)):
            for place in (self.root / path.parent, self.root / "include", self.root):
                target = (place / name).resolve()
                if target.is_file() and self.root in target.parents:
                    yield target.relative_to(self.root)
                    break

    def reached(self, path):
        """Every project header below `path`."""
        if path not in self.closures:
            seen, waiting = set(), [path]
            while waiting:
                for target in self.included(waiting.pop()):
                    if target not in seen:
                        seen.add(target)
                        waiting.append(target)
            self.closures[path] = seen
        return self.closures[path]


def read_stamp(path):
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {Path(name): value for value, name in (line.split(maxsplit=1) for line in lines)}


def chosen_units(units, sources, passed):
    """The source files to read: the changed ones, and enough others to see each changed header."""
    changed = {u for u in units if passed.get(u) != sources.hash(u)}
    headers = set().union(*(sources.reached(u) for u in units)) if units else set()
    unseen = {h for h in headers if passed.get(h) != sources.hash(h)}
    for unit in changed:
        unseen -= sources.reached(unit)
    chosen = set(changed)
    while unseen:
        best = max(sorted(units), key=lambda u: len(unseen & sources.reached(u)))
        chosen.add(best)
        unseen -= sources.reached(best)
    return sorted(chosen), headers


def new_stamp(units, headers, chosen, failed, sources, passed):
    """What has passed by now: texts that were read without alarms, and those that had before."""
    seen = set(chosen).union(*(sources.reached(u) for u in chosen)) if chosen else set()
    alarmed = set(failed).union(*(sources.reached(u) for u in failed)) if failed else set()
    stamp = {}
    for path in units | headers:
        if path in seen and path not in alarmed:
            stamp[path] = sources.hash(path)
        elif path in passed:
            stamp[path] = passed[path]
    return stamp


def write_stamp(target, stamp):
    temporary = target.with_suffix(".tmp")
    temporary.write_text("".join(f"{stamp[p]} {p}\n" for p in sorted(stamp)), encoding="utf-8")
    temporary.replace(target)


def run_tidy(tidy, directory, extra, root, unit):
    command = [tidy, "-quiet", "-p", directory, *("-extra-arg=" + arg for arg in extra),
               str(root / unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + (done.stderr if done.returncode else "")


def lint(arguments, root):
    sources = Sources(root)
    commands = commands_of(arguments.database, root)
    units = set(commands)
    if not units:
        print(f"lint.py: no sources of {root} in {arguments.database}", file=sys.stderr)
        return 2
    passed = {} if arguments.all else read_stamp(root / STAMP)
    chosen, headers = chosen_units(units, sources, passed)
    failed = []
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "compile_commands.json").write_text(
            json.dumps([commands[u] for u in sorted(units)]), encoding="utf-8")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            runs = {pool.submit(run_tidy, arguments.tidy, directory, arguments.extra_arg, root, u): u
                    for u in chosen}
            for number, run in enumerate(concurrent.futures.as_completed(runs), 1):
                good, output = run.result()
                print(f"[{number}/{len(chosen)}] {runs[run]}", flush=True)
                if not good:
                    failed.append(runs[run])
                    print(output, flush=True)
    print(f"{len(chosen)} of {len(units)} sources read, {len(failed)} with alarms")
    if arguments.stamp:
        write_stamp(root / STAMP, new_stamp(units, headers, chosen, failed, sources, passed))
    return 1 if failed else 0


def main(words):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", required=True)
    parser.add_argument("--root", default=str(Path(__file__).resolve().parent.parent))
    parser.add_argument("--tidy", default="clang-tidy-14")
    parser.add_argument("--extra-arg", action="append", default=[])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--stamp", action="store_true")
    arguments = parser.parse_args(words)
    if not Path(arguments.database).is_file():
        print(f"lint.py: no file {arguments.database}; build first", file=sys.stderr)
        return 2
    return lint(arguments, Path(arguments.root).resolve())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
