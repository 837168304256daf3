"""Plants mutants, many at once where possible, and keeps what became of them."""
import hashlib
import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutate_programs import programs_for
from mutate_source import Schema, mutated
from mutate_workshop import CompileError, Coverage, error_places, run_program

ROOT = Path(__file__).resolve().parents[2]
LONG = 30_000  # milliseconds of a program in which survivors are not tried once more as a whole


def digest(*paths):
    return hashlib.sha256(b"\0".join(p.read_bytes() for p in paths)).hexdigest()[:16]


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
        self.records, self.passed, self.settled_now, self.begin = {}, {}, 0, time.monotonic()
        self.texts = {}
        self.settling = threading.Lock()
        self.tests = digest(*sorted(
            p for top in ("tests", "validation", "tools") for p in (root / top).rglob("*")
            if p.suffix in (".cpp", ".hpp")))
        if self.results_path.exists():
            known = json.loads(self.results_path.read_text(encoding="utf-8"))
            self.records, self.passed = known["mutants"], known.get("passed", {})
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
        with self.settling:
            self.note(mutant, status, more)

    def note(self, mutant, status, more):
        if self.record_of(mutant) is not None:
            return  # another program was quicker
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
        write_atomically(self.results_path, json.dumps(
            {**summary, "mutants": self.records, "passed": self.passed}, indent=1, sort_keys=True))

    def passes_of(self, mutant):
        """{program that passed with a mutant: whether it reached it}, of this state of things."""
        self.source(mutant.file)
        known = self.passed.get(mutant.key)
        state = [self.file_digests[mutant.file], self.tests]
        return known["programs"] if known is not None and known["state"] == state else {}

    def note_pass(self, mutant, program, reached):
        with self.settling:
            programs = {**self.passes_of(mutant), program.name: reached}
            self.passed[mutant.key] = {"programs": programs,
                                       "state": [self.file_digests[mutant.file], self.tests]}
            self.save()

    def run(self):
        while True:
            pending = [m for m in self.chosen() if self.record_of(m) is None]
            if not pending:
                return
            alone = Batch(self, [m for m in pending if m.form != "single"]).run()
            for mutant in [m for m in pending if m.form == "single"] + alone:
                self.run_alone(mutant)

    def run_alone(self, mutant):
        """Compiles one mutant by itself into one program after the other."""
        shop = self.workshop
        try:
            for program in programs_for(mutant.file, shop.tree):
                shop.restore(mutant.file)
                plain = [s for s in program.sources if not self.sees(s, mutant)]
                objects = list(shop.pool.map(lambda s, p=program: shop.compile(s, p, "plain"),
                                             plain))
                shop.write(mutant.file, mutated(self.source(mutant.file), mutant))
                objects += shop.pool.map(lambda s, p=program: shop.compile(s, p, "alone"),
                                         [s for s in program.sources if s not in plain])
                binary = shop.link(program, objects, "alone")
                status = run_program(binary, 0, 300)
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
        self.dropping = threading.Lock()
        self.schemas = {}

    def run(self):
        """Settles what it can; returns the mutants that are left to be compiled alone."""
        self.write()
        programs = []
        for mutant in self.numbered.values():
            for program in programs_for(mutant.file, self.shop.tree):
                if program not in programs:
                    programs.append(program)
        # those first that come first for their files, for many mutants, and not of the suite; each
        # is compiled only if some mutant still lives
        programs.sort(key=lambda p: (p.suite, self.rank(p), -len(self.waiting_for(p))))
        try:
            self.run_all(programs)
        finally:
            for file in self.schemas:
                self.shop.restore(file)
            self.shop.forget("batch")
        left = []
        for _, mutant in self.living():
            if any(self.session.passes_of(mutant).values()):
                self.session.settle(mutant, "alive", how="ran in a program")
            elif mutant.in_constexpr:
                left.append(mutant)
            else:
                self.session.settle(mutant, "alive", how="never ran")
        return left + self.dropped

    def rank(self, program):
        """The first place of a program among those of a mutant's file."""
        lists = [programs_for(m.file, self.shop.tree) for m in self.numbered.values()]
        return min(programs.index(program) for programs in lists if program in programs)

    def run_all(self, programs):
        """As many programs at once as the workshop has jobs: one that compiles a single source or
        runs a single test leaves processors idle."""
        with ThreadPoolExecutor(self.shop.jobs) as lanes:
            runs = [lanes.submit(self.run_one, program) for program in programs]
            try:
                for run in runs:
                    run.result()
            except BaseException:
                lanes.shutdown(wait=False, cancel_futures=True)
                raise

    def living(self):
        return [(n, m) for n, m in list(self.numbered.items())
                if self.session.record_of(m) is None]

    def waiting_for(self, program):
        return [n for n, m in self.living() if program in programs_for(m.file, self.shop.tree)
                and program.name not in self.session.passes_of(m)]

    def write(self):
        by_file = {}
        for number, mutant in self.numbered.items():
            by_file.setdefault(mutant.file, {})[number] = mutant
        for file in set(self.schemas) - set(by_file):
            self.shop.restore(file)
        self.schemas = {f: Schema(self.session.source(f), m) for f, m in by_file.items()}
        for file, schema in self.schemas.items():
            self.shop.write(file, schema.text)

    def compile(self, program):
        """A program's objects; mutants at which the compiler stops are taken out."""
        def attempt(source):
            try:
                return self.shop.compile(source, program, "batch")
            except CompileError as error:
                return error

        while True:
            before = self.schemas
            objects = list(self.shop.pool.map(attempt, program.sources))
            errors = [x for x in objects if isinstance(x, CompileError)]
            if not errors:
                return objects
            if self.schemas is not before:
                continue  # another program has taken some out
            blamed = set().union(*(self.blamed(str(error)) for error in errors))
            if not blamed:
                raise errors[0]
            print(f"{program.name}: {len(blamed)} mutants do not compile with the others",
                  flush=True)
            self.drop(blamed)

    def drop(self, numbers):
        with self.dropping:
            gone = [self.numbered.pop(n) for n in numbers if n in self.numbered]
            self.dropped += gone
            self.write()

    def blamed(self, message):
        numbers = set()
        for places in error_places(message, self.shop.tree):
            for file, line, column in places:
                here = self.schemas[file].mutants_at(line, column) if file in self.schemas else ()
                if here:
                    numbers.update(here)
                    break
        return numbers

    def run_one(self, program):
        if not self.waiting_for(program):
            return
        begin = time.monotonic()
        print(f"compiling {program.name} with {len(self.numbered)} mutants", flush=True)
        binary = self.shop.link(program, self.compile(program), "batch")
        compiled = time.monotonic()
        path = self.shop.folder / f"coverage_{program.name}"
        status = run_program(binary, 0, 600, coverage=path)
        if status != "passed":
            raise CompileError(f"{program.name} {status} without a mutant")
        coverage = Coverage(path.read_text(encoding="utf-8"))
        waiting = self.waiting_for(program)
        numbers = [n for n in waiting if coverage.reaches(n)]
        for number, mutant in self.living():
            if number in waiting and number not in numbers:
                self.session.note_pass(mutant, program, False)
        print(f"{program.name}: {compiled - begin:.0f} s to compile, "
              f"{time.monotonic() - compiled:.1f} s to run, for {len(numbers)} mutants", flush=True)

        def try_out(number):
            for tests in coverage.tests(number):
                status = run_program(binary, number, 3 + coverage.duration(tests) / 200, tests)
                if status != "passed":
                    return number, status
            # what one test computes, another may use; the tasks of the suite share nothing
            if program.suite or coverage.duration() > LONG:
                return number, "passed"
            return number, run_program(binary, number, 3 + coverage.duration() / 200)

        for number, status in self.shop.pool.map(try_out, numbers):
            mutant = self.numbered.get(number)  # None: taken out meanwhile
            if mutant is not None and status == "passed":
                self.session.note_pass(mutant, program, True)
            elif mutant is not None:
                self.session.settle(mutant, "killed", by=program.name, how=status)
