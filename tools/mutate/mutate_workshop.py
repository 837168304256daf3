"""Compiles the programs of the mutation tester in a copy of the sources, and runs them."""
import math
import os
import re
import shutil
import subprocess
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KERNELS = ["-DMCT_KERNELS_BASELINE=1", "-DMCT_KERNELS_AVX2=0", "-DMCT_KERNELS_AVX512=0"]
BASE_FLAGS = ["-std=c++20", "-w", "-ffp-contract=off", "-DFMT_SHARED", "-DMCT_WITH_XSIMD=1",
              "-DMCT_WITH_EIGEN=1", "-DMCT_KERNELS=kernels_baseline", *KERNELS,
              "-I/usr/include/eigen3"]
COMPILER = ["ccache", "g++", "-fpch-preprocess"] if shutil.which("ccache") else ["g++"]
LIBRARIES = ["-lgtest", "-lmpfr", "-lgmp", "-lfmt", "-lpthread"]
TREE = ("include", "src", "output", "tests", "validation", "tools")
# instantiation is reported innermost first: the place of the error, then who required it
PLACE = re.compile(r"^([^\s:]+):(\d+):(\d+): +(.*)")
MEMORY = 6 << 30  # a mutant may ask for all there is
FIRST = 300  # milliseconds of tests that are run before the slower ones
LONGEST_FILTER = 100_000  # characters: a variable of the environment has at most 128 KiB


class CompileError(Exception):
    """The compiler's message."""


class Workshop:
    """A copy of the sources in which mutants are compiled; the sources themselves stay as they are.
    """

    def __init__(self, root, folder, library, jobs=2):
        self.root, self.folder, self.library = root, folder, library
        self.tree = folder / "tree"
        self.objects = {}
        self.jobs = jobs
        self.pool = ThreadPoolExecutor(jobs)
        self.busy = defaultdict(threading.Lock)  # {object or header: who makes it}

    def reset(self):
        """Copies the sources afresh."""
        shutil.rmtree(self.tree, ignore_errors=True)
        for name in TREE:
            if (self.root / name).is_dir():
                shutil.copytree(self.root / name, self.tree / name)
        shutil.rmtree(self.folder / "bin", ignore_errors=True)
        (self.folder / "bin").mkdir(parents=True)

    def write(self, file, text):
        """At once: a compiler may be reading it."""
        target = self.tree / file
        temporary = target.with_suffix(".part")
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, target)

    def restore(self, file):
        shutil.copyfile(self.root / file, self.tree / file)

    def flags(self, optimization):
        return [*BASE_FLAGS, optimization, f"-I{self.tree}", f"-I{self.tree}/include"]

    def precompiled(self, optimization):
        """The header of the runtime, gtest, MPFR and the standard library included."""
        header = self.folder / f"runtime{optimization}" / "mutate_runtime.hpp"
        source = self.root / "tools/mutate/mutate_runtime.hpp"
        done = Path(f"{header}.gch")
        with self.busy[header]:
            if not done.exists() or header.read_bytes() != source.read_bytes():
                header.parent.mkdir(parents=True, exist_ok=True)
                done.unlink(missing_ok=True)
                shutil.copyfile(source, header)
                self.compiler([*self.flags(optimization), "-x", "c++-header", str(header), "-o",
                               str(done)])
        return header

    @staticmethod
    def compiler(arguments):
        done = subprocess.run([*COMPILER, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CompileError(done.stderr)

    def compile(self, source, program, label):
        """The object file of a program's source; the same one for the same label."""
        optimization = program.optimization(source)
        key = (source, program.definitions, optimization, label)
        header = self.precompiled(optimization)
        with self.busy[key]:
            if key not in self.objects:
                name = re.sub(r"\W", "_", "".join((source, *program.definitions, optimization,
                                                   label)))
                target = self.folder / "bin" / f"{name}.o"
                self.compiler([*self.flags(optimization), "-include", str(header),
                               *program.definitions, "-c", str(self.tree / source), "-o",
                               str(target)])
                self.objects[key] = target
        return self.objects[key]

    def forget(self, label):
        for key in [k for k in self.objects if k[3] == label]:
            self.objects.pop(key).unlink(missing_ok=True)

    def link(self, program, objects, label):
        target = self.folder / "bin" / f"{program.name}_{label}"
        libraries = [str(self.library), "-pthread"] if program.library else []
        main = [] if program.suite else ["-lgtest_main"]
        self.compiler([*map(str, objects), "-o", str(target), *libraries, *main, *LIBRARIES])
        return target


class Coverage:
    """Which mutants each test of a program reaches, and how long it takes."""

    def __init__(self, text):
        self.milliseconds, self.reached_by = {}, defaultdict(set)
        for line in text.splitlines():
            name, milliseconds, *numbers = line.split()
            if not name.endswith("*"):
                self.milliseconds[name] = int(milliseconds)
            for number in map(int, numbers):
                self.reached_by[number].add(name)

    def reaches(self, number):
        return number in self.reached_by

    def duration(self, tests=None):
        """Milliseconds of these tests, or of all."""
        return sum(self.milliseconds[t] for t in (self.milliseconds if tests is None else tests))

    def tests(self, number):
        """The tests that may notice a mutant: first the quick ones, then the others."""
        names = self.reached_by[number]
        suites = tuple(n[:-1] for n in names if n.endswith(".*"))
        reached = sorted((t for t in self.milliseconds
                          if t in names or "*" in names or t.startswith(suites or ("?",))),
                         key=lambda t: self.milliseconds[t])
        spent, first = 0, 0
        while first < len(reached) and spent + self.milliseconds[reached[first]] <= FIRST:
            spent += self.milliseconds[reached[first]]
            first += 1
        return [part for part in (reached[:first], reached[first:]) if part]


def run_program(path, mutant, seconds, tests=None, coverage=None):
    """'passed', 'failed' or 'timeout' of a program, or some of its tests, with a mutant switched
    on. The limit is one of processor time: a busy machine kills no mutants."""
    environment = {"PATH": "/usr/bin:/bin", "MCT_ISA": "baseline", "OMP_NUM_THREADS": "1",
                   "MCT_MUTANT": str(mutant), "HOME": os.environ.get("HOME", "/")}
    if coverage:
        environment["MCT_MUTANT_COVERAGE"] = str(coverage)
    if tests and len(":".join(tests)) < LONGEST_FILTER:
        environment["GTEST_FILTER"] = ":".join(tests)
    limit = math.ceil(seconds)
    command = ["prlimit", f"--cpu={limit}:{limit + 5}", f"--as={MEMORY}", str(path),
               "--gtest_fail_fast", "--gtest_brief=1"]
    try:
        done = subprocess.run(command, env=environment, timeout=60 + 20 * limit, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "timeout"
    return {0: "passed", -24: "timeout"}.get(done.returncode, "failed")


def error_places(message, tree):
    """(file, line, column) in the tree of each error of a compiler's message, best guess first."""
    blocks, block = [], []
    for line in message.splitlines():
        match = PLACE.match(line)
        if not match:
            continue
        path = Path(os.path.abspath(match[1]))  # ccache makes it relative
        inside = tree in path.parents
        place = (str(path.relative_to(tree)), int(match[2]), int(match[3])) if inside else None
        if match[4].startswith("error:"):
            blocks.append(([place] if place else []) + block)
            block = []
        elif "required" in line and place:
            block.append(place)
    return blocks
