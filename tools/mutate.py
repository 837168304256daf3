#!/usr/bin/env python3
"""Plants small faults in the sources, one at a time, and reports which of them no test notices.

Most mutants are compiled together into each test program, each behind a question to a number from
the environment (tools/mutate_source.py), so that a mutant costs one run of a program. Those that
the compiler evaluates, and those that were never run, are compiled alone. All of it happens in a
copy of the sources in the build folder.

Exit codes: 0 at least 95 % of the mutants that are not equivalent were killed, 1 fewer, 2 bad usage
or programs that fail without a mutant.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from mutate_programs import (BASE_FLAGS, CompileError, Workshop, error_places, programs_for,
                             run_program)
from mutate_source import Schema, find_mutants, mutated

ROOT = Path(__file__).resolve().parent.parent
LAYERS = {
    "eft": ["include/mctensor/eft/*.hpp"],
    "expansion": ["include/mctensor/expansion/*.hpp", "src/expansion/*.[hc]pp"],
    "math": ["include/mctensor/math/*.hpp"],
    "kernels": ["src/tensor/kernels/*.hpp", "src/linalg/kernels/*.hpp"],
    "geometry": ["include/mctensor/geometry/*.hpp", "include/mctensor/geometry/halfspace/*.hpp"],
}
DATA = {"error_bounds.hpp", "bounds.hpp"}  # promises, not code: a looser one fails nothing
REQUIRED = 0.95
COUNTED = ("killed", "alive", "equivalent")


def digest(*paths):
    return hashlib.sha256(b"\0".join(p.read_bytes() for p in paths)).hexdigest()[:16]


def active_lines(path, root):
    """The lines that the preprocessor leaves: not those of CUDA or of other instruction sets."""
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
    entries = {}
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = [x for x in text.splitlines() if not x.startswith("#")]
    for block in "\n".join(lines).split("\n\n"):
        fields = [x.strip() for x in block.strip().splitlines()]
        if not fields:
            continue
        if len(fields) != 4 or not fields[3].startswith("because "):
            raise ValueError(f"{path.name}: not four lines, the last with 'because': {fields[0]}")
        entries["|".join(fields[:3])] = fields[3]
    return entries


def write_atomically(path, text):
    temporary = path.with_suffix(".part")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


class Session:
    """One run: the mutants chosen, what is known of them, and how that was found out."""

    def __init__(self, order, count, workshop, equivalents, root=ROOT):
        self.order, self.count, self.root = order, count, root
        self.workshop, self.equivalents = workshop, equivalents
        self.results_path = workshop.folder / "results.json"
        self.records, self.settled_now, self.begin = {}, 0, time.monotonic()
        self.texts = {}
        self.tests = digest(*sorted(
            p for top in ("tests", "validation", "tools") for p in (root / top).rglob("*")
            if p.suffix in (".cpp", ".hpp")))
        if self.results_path.exists():
            self.records = json.loads(self.results_path.read_text(encoding="utf-8"))["mutants"]
        self.file_digests = {}

    def source(self, file):
        if file not in self.texts:
            self.texts[file] = (self.root / file).read_text(encoding="utf-8")
            self.file_digests[file] = digest(self.root / file)
        return self.texts[file]

    def record_of(self, mutant):
        """What is known of a mutant, unless its file, or for a survivor a test, has changed."""
        if mutant.key in self.equivalents:
            return {"status": "equivalent", "reason": self.equivalents[mutant.key]}
        record = self.records.get(mutant.key)
        self.source(mutant.file)
        if record is None or record["source"] != self.file_digests[mutant.file] or \
                (record["status"] == "alive" and record["tests"] != self.tests):
            return None
        return record

    def chosen(self):
        """The first mutants in order, as many that compile as are asked for."""
        taken, counted = [], 0
        for mutant in self.order:
            record = self.record_of(mutant)
            if record is not None and record["status"] == "invalid":
                continue
            taken.append(mutant)
            counted += 1
            if counted == self.count:
                break
        return taken

    def settle(self, mutant, status, **more):
        self.source(mutant.file)
        self.records[mutant.key] = {
            "status": status, "file": mutant.file, "line": mutant.line, "text": mutant.text,
            "change": mutant.change, "source": self.file_digests[mutant.file],
            "tests": self.tests, **more}
        self.settled_now += status != "invalid"
        self.save()
        states = [self.record_of(m) for m in self.chosen()]
        left = sum(r is None for r in states)
        each = (time.monotonic() - self.begin) / max(1, self.settled_now)
        alive = sum(r is not None and r["status"] == "alive" for r in states)
        print(f"[{len(states) - left}/{len(states)}] {alive} alive, {each:.1f} s each, "
              f"{each * left / 60:.0f} min left: {status} {mutant.file}:{mutant.line} "
              f"{mutant.change}", flush=True)

    def save(self, **summary):
        write_atomically(self.results_path, json.dumps({**summary, "mutants": self.records},
                                                       indent=1, sort_keys=True))

    def run(self):
        while True:
            pending = [m for m in self.chosen() if self.record_of(m) is None]
            if not pending:
                return
            alone = [m for m in pending if m.form == "single"]
            alone += Batch(self, [m for m in pending if m.form != "single"]).run()
            for mutant in alone:
                self.run_alone(mutant)

    def run_alone(self, mutant):
        """Compiles one mutant by itself into one program after the other."""
        shop = self.workshop
        try:
            for program in programs_for(mutant.file, shop.tree):
                shop.restore(mutant.file)
                objects = {source: shop.compile(source, program.definitions, "-O0", "plain")
                           for source in program.sources if not self.sees(source, mutant)}
                shop.write(mutant.file, mutated(self.source(mutant.file), mutant))
                for source in program.sources:
                    if source not in objects:
                        objects[source] = shop.compile(source, program.definitions, "-O0", "alone")
                binary = shop.link(program, objects.values(), "alone")
                status, _ = run_program(binary, program, 0, shop.folder / "mark", 300)
                if status != "passed":
                    self.settle(mutant, "killed", by=program.name, how=f"alone, {status}")
                    return
            self.settle(mutant, "alive", how="compiled alone")
        except CompileError as error:
            if "static assertion" in str(error):  # failed, or no constant any more
                self.settle(mutant, "killed", by="static_assert", how="alone")
            else:
                self.settle(mutant, "invalid")
        finally:
            shop.restore(mutant.file)
            shop.forget("alone")

    @staticmethod
    def sees(source, mutant):
        """False for library code beside a mutant in a header: the tests' own code shows it."""
        return not source.startswith("src/expansion/") or mutant.file.startswith("src/")


class Batch:
    """Mutants that are compiled together."""

    def __init__(self, session, mutants):
        self.session, self.shop = session, session.workshop
        self.numbered = dict(enumerate(mutants, 1))
        self.dropped = []  # do not compile together with the others
        self.schemas = {}

    def run(self):
        """Settles what it can; returns the mutants that are left to be compiled alone."""
        self.write()
        ran, programs = set(), []
        for mutant in self.numbered.values():
            for program in programs_for(mutant.file, self.shop.tree):
                if program not in programs:
                    programs.append(program)
        # what many mutants wait for comes first; each is compiled only if some mutant still lives
        programs.sort(key=lambda p: -sum(p in programs_for(m.file, self.shop.tree)
                                         for m in self.numbered.values()))
        try:
            for program in programs:
                self.run_one(program, ran)
        finally:
            for file in self.schemas:
                self.shop.restore(file)
            self.shop.forget("batch")
        left = []
        for number, mutant in self.numbered.items():
            if self.session.record_of(mutant) is not None:
                continue
            if number in ran:
                self.session.settle(mutant, "alive", how="ran in a program")
            else:
                left.append(mutant)
        return left + self.dropped

    def write(self):
        by_file = {}
        for number, mutant in self.numbered.items():
            by_file.setdefault(mutant.file, {})[number] = mutant
        for file in set(self.schemas) - set(by_file):
            self.shop.restore(file)
        self.schemas = {f: Schema(self.session.source(f), m) for f, m in by_file.items()}
        for file, schema in self.schemas.items():
            self.shop.write(file, schema.text)

    def compile(self, source, definitions):
        """Compiles a source; a mutant at which the compiler stops is taken out."""
        while True:
            try:
                return self.shop.compile(source, definitions, "-O1", "batch")
            except CompileError as error:
                blamed = self.blamed(str(error))
                if not blamed:
                    raise
                print(f"{source}: {len(blamed)} mutants do not compile with the others",
                      flush=True)
                self.dropped += [self.numbered.pop(number) for number in blamed]
                self.write()

    def blamed(self, message):
        numbers = set()
        for places in error_places(message, self.shop.tree):
            for file, line, column in places:
                here = self.schemas[file].mutants_at(line, column) if file in self.schemas else ()
                if here:
                    numbers.update(here)
                    break
        return numbers & set(self.numbered)

    def run_one(self, program, ran):
        session = self.session
        wanted = [n for n, m in self.numbered.items() if session.record_of(m) is None and
                  program in programs_for(m.file, self.shop.tree)]
        if not wanted:
            return
        print(f"compiling {program.name} with {len(self.numbered)} mutants", flush=True)
        objects = [self.compile(source, program.definitions) for source in program.sources]
        binary = self.shop.link(program, objects, "batch")
        mark = self.shop.folder / "mark"
        status, seconds = run_program(binary, program, 0, mark, 600)
        if status != "passed":
            raise CompileError(f"{program.name} {status} without a mutant")
        print(f"{program.name}: {seconds:.1f} s a run", flush=True)
        for number in wanted:
            if number not in self.numbered:
                continue  # taken out meanwhile
            mark.unlink(missing_ok=True)
            status, _ = run_program(binary, program, number, mark, 10 + 6 * seconds)
            if mark.exists():
                ran.add(number)
            if status != "passed":
                session.settle(self.numbered[number], "killed", by=program.name, how=status)


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


def build_library(mutants, preset, root):
    """Builds the library if a program of these mutants links it."""
    if any(p.library for m in mutants for p in programs_for(m.file, root)):
        for command in (["--preset", preset], ["--build", f"build/{preset}", "--target",
                                               "mctensor"]):
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
    parser.add_argument("--preset", default="ci", help="whose library is linked (ci)")
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
    shop = Workshop(ROOT, folder, ROOT / f"build/{options.preset}/src/libmctensor.a")
    try:
        session = Session(order, options.count, shop,
                          read_equivalents(ROOT / "tools/equivalent_mutants.txt"))
        build_library(session.chosen(), options.preset, ROOT)
        shop.reset()
        session.run()
    except (CompileError, ValueError) as error:
        print(f"mutate: {str(error)[:4000]}", file=sys.stderr)
        return 2
    return report(session)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
