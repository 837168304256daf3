#!/usr/bin/env python3
"""Compiles sources that only show that they compile, unless nothing they see has changed.

usage: compiled.py --database FILE [--root DIR] [--all] [--stamp] TARGET...

  --database   compile_commands.json of a build
  --all        every source, changed or not
  --stamp      write what has compiled: tools/compiled.txt
  TARGET       targets of the build whose sources are meant

A source compiles as it did before when its text, the text of every project file that it reaches by
#include, the compiler's options, the compiler's version and this program are the same; the hash of
all these stands in tools/compiled.txt, a line a source. The file belongs to the commit: whoever
changes a header runs `./run lint`, which compiles what is new to it and writes it. A file that
does not know a source, or knows another text, has it compiled. Headers of other libraries are not
read: after they are exchanged, --all.

Exit codes: 0 everything compiles, 1 something does not, 2 bad usage.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from lint import Sources, write_stamp

STAMP = Path("tools/compiled.txt")
RULES = ("tools/compiled.py", "tools/lint.py")
OUTPUT = re.compile(r"(?:^|/)CMakeFiles/([^/]+)\.dir/")
# how the build goes about it: a compiler cache, files of dependencies, colours
HABITS = {"-fpch-preprocess", "-fdiagnostics-color", "-MD", "-MMD"}


class Unit:
    """One compilation: which target it belongs to, its name in the stamp, its words."""

    def __init__(self, entry):
        self.path = Path(entry["directory"], entry["file"]).resolve()
        self.directory = entry["directory"]
        words = shlex.split(entry["command"])
        at = words.index("-o")
        found = OUTPUT.search(words[at + 1])
        self.target = found.group(1) if found else ""
        self.name = f"{self.target}/{self.path.name}"
        words[at:at + 2] = []
        self.words = [word for word in words if word not in HABITS]

    def options(self, root):
        """The words without places that differ from one copy of the project to the next."""
        kept = [word.replace(str(root), "") for word in self.words
                if Path(self.directory, word) != self.path]
        return [Path(kept[0]).name, *kept[1:]]


class Hasher:
    def __init__(self, root):
        self.root = root
        self.sources = Sources(root)
        self.rules = b"".join((root / rule).read_bytes() for rule in RULES)
        self.versions = {}

    def version(self, compiler):
        """What the compiler says of itself, and the one that nvcc uses."""
        if compiler not in self.versions:
            self.versions[compiler] = b"".join(
                subprocess.run([name, "--version"], capture_output=True, check=False).stdout
                for name in (compiler, "c++"))
        return self.versions[compiler]

    def hash(self, unit):
        # a generated source lies outside; os.path.relpath knows the way back
        path = Path(os.path.relpath(unit.path, self.root))
        digest = hashlib.sha256(self.rules + self.version(unit.words[0]))
        digest.update("\0".join(unit.options(self.root)).encode())
        digest.update(self.sources.text(path).encode())
        for header in sorted(self.sources.reached(path)):
            digest.update(f"\0{header}\0{self.sources.text(header)}".encode())
        return digest.hexdigest()[:32]


def read_stamp(path):
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: value for value, name in (line.split(maxsplit=1) for line in lines)}


def compiles(unit, number, directory):
    command = [*unit.words, "-o", str(Path(directory, f"{number}.o"))]
    done = subprocess.run(command, cwd=unit.directory, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def check(arguments, root):
    entries = json.loads(Path(arguments.database).read_text(encoding="utf-8"))
    units = [u for u in map(Unit, (e for e in entries if " -o " in e["command"]))
             if u.target in arguments.targets]
    missing = set(arguments.targets) - {u.target for u in units}
    if missing:
        print(f"compiled.py: no sources of {', '.join(sorted(missing))} in {arguments.database}",
              file=sys.stderr)
        return 2
    hasher = Hasher(root)
    hashes = {u.name: hasher.hash(u) for u in units}
    known = read_stamp(root / STAMP)
    chosen = [u for u in units if arguments.all or known.get(u.name) != hashes[u.name]]
    failed = set()
    with tempfile.TemporaryDirectory() as directory, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        runs = {pool.submit(compiles, u, i, directory): u for i, u in enumerate(chosen)}
        for number, run in enumerate(concurrent.futures.as_completed(runs), 1):
            good, output = run.result()
            print(f"[{number}/{len(chosen)}] {runs[run].name}", flush=True)
            if not good:
                failed.add(runs[run].name)
                print(output, flush=True)
    print(f"{len(chosen)} of {len(units)} sources compiled, {len(failed)} in vain")
    if arguments.stamp:
        others = {n: h for n, h in known.items() if n.split("/")[0] not in arguments.targets}
        write_stamp(root / STAMP, others | {n: h for n, h in hashes.items() if n not in failed})
    return 1 if failed else 0


def main(words):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="+", metavar="TARGET")
    parser.add_argument("--database", required=True)
    parser.add_argument("--root", default=str(Path(__file__).resolve().parent.parent))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--stamp", action="store_true")
    arguments = parser.parse_args(words)
    if not Path(arguments.database).is_file():
        print(f"compiled.py: no file {arguments.database}; configure first", file=sys.stderr)
        return 2
    return check(arguments, Path(arguments.root).resolve())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
