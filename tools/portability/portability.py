#!/usr/bin/env python3
"""Compiles tests of headers by several compilers for several processors, runs them and prints a table.

usage: portability.py [--list] [--only REGEX]... [--folder DIR] [--jobs N] [--report FILE]

  --list      print the names of the combinations and end
  --only      only combinations whose name matches one of these
  --folder    where objects and programs go [build/portability]
  --jobs      compilations at a time [1]
  --report    write the table, with date and hardware, between the marks of this Markdown file, or as a new file

A combination is a compiler, a standard, a library and a processor: 'g++-12 c++20 libstdc++ x86-64-v3'. With each,
all public headers are compiled as one, in the order of their names and backwards, and the tests of eft/, expansion/ and
math/ that need no compiled library are compiled and run, the transforms with -O2, where contraction would show, the
others with -O0; with GoogleTest from its sources, because each standard library needs its own. Where the processor has
fma a program prints fingerprints of all operations (tests/portability/core_bits.cpp), which must be those of the first
combination. Those called '... + library' also compile the library, the tests of tensor/, linalg/ and the core of
geometry/ with it, and compare fingerprints of what it computes (tools/portability/portability_library.py). What cannot be compiled
or run here (no such compiler, processor or emulator) is skipped, and the table says why.

Exit codes: 0 all that was not skipped passed, 1 something failed, 2 bad usage.
"""
import argparse
import concurrent.futures
import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from portability_library import LIBRARY_SUBJECTS, build_library, joined_source

ROOT = Path(__file__).resolve().parents[2]
GOOGLETEST = Path("/usr/src/googletest/googletest")
SUBJECTS = {
    "eft": ("edge_cases", "transforms"),
    "expansion": ("arithmetic", "limits", "renormalize"),
    "math": ("batch", "plain", "special_values"),
}
COLUMNS = ("headers", *SUBJECTS, "bits", *LIBRARY_SUBJECTS, "library bits")
OPTIMIZED = ("transforms",)
OPTIONS = ["-ffp-contract=off", "-fno-tree-slp-vectorize", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-DMCT_ALWAYS_INLINE=",
           "-DMCT_WITH_XSIMD=1", "-DFMT_HEADER_ONLY", "-pthread"]
# what the processor of an x86-64 level must have, as /proc/cpuinfo calls it
LEVELS = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
EMULATOR = "qemu-aarch64-static"
ARM_ROOT = "/usr/aarch64-linux-gnu"
HEADER_WARNING = re.compile(r"include/mctensor/[^\n]* warning: ")
# headers of C libraries that are here for this machine's processor alone
OF_THIS_PROCESSOR = ("interop/boost_multiprecision.hpp", "interop/float128.hpp", "interop/mpfr.hpp", "interop/qd.hpp")
BEGIN, END = "<!-- table of ./run portability -->", "<!-- end -->"


@dataclass(frozen=True)
class Combination:
    compiler: str
    standard: str
    library: str
    processor: str
    compiled: bool = False  # the compiled library, too

    def name(self):
        return f"{self.compiler} {self.standard} {self.library} {self.processor}{' + library' if self.compiled else ''}"

    def command(self):
        words = [self.compiler, f"-std={self.standard}"]
        if self.library == "libc++":
            # Boost 1.74 derives from a class that C++17 has removed, and libc++ too
            words += ["-stdlib=libc++", "-DBOOST_NO_CXX98_FUNCTION_BASE"]
        if self.processor in LEVELS:
            words.append(f"-march={self.processor}")
        elif not self.compiler.startswith("aarch64"):
            words += ["--target=aarch64-linux-gnu"]
        return words

    def has_fma(self):
        return self.processor != "x86-64-v2"

    def key(self):
        """Of what GoogleTest is compiled for: one standard will do for both."""
        return re.sub(r"\W+", "_", f"{self.compiler} {self.library} "
                                   f"{'x86' if self.processor in LEVELS else self.processor}")


def run(words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


def newest_clang(*options):
    """The newest that is installed and links a program with these options."""
    found = sorted((p for p in Path("/usr/bin").glob("clang++-*") if p.name[8:].isdigit()),
                   key=lambda p: -int(p.name[8:]))
    for path in found:
        program = "#include <string>\n#include <unordered_map>\nint main() { return (int)" \
                  "std::unordered_map<std::string, int>{{\"a\", 1}}.count(\"b\"); }"
        if run([path.name, *options, "-x", "c++", "-", "-o", os.devnull], input=program).returncode == 0:
            return path.name
    return found[0].name if found else "clang++"


def combinations():
    clang, clang_libcxx = newest_clang(), newest_clang("-stdlib=libc++")
    made = []
    for standard in ("c++20", "c++23"):
        for processor in LEVELS:
            made += [Combination("g++-12", standard, "libstdc++", processor),
                     Combination(clang, standard, "libstdc++", processor),
                     Combination(clang_libcxx, standard, "libc++", processor)]
        made += [Combination(compiler, standard, "libstdc++", "arm64")
                 for compiler in ("aarch64-linux-gnu-g++", clang)]
    # with the library, which takes minutes each: at the end
    made += [Combination("g++-12", "c++20", "libstdc++", "x86-64-v2", True),
             Combination("g++-12", "c++23", "libstdc++", "x86-64-v3", True),
             Combination("aarch64-linux-gnu-g++", "c++20", "libstdc++", "arm64", True),
             Combination(clang_libcxx, "c++23", "libc++", "x86-64-v3", True)]
    with_library = {c.name().removesuffix(" + library") for c in made if c.compiled}
    return [c for c in made if c.compiled or c.name() not in with_library]


def reason_to_skip(combination):
    """Why a combination cannot be compiled here, or None."""
    if not shutil.which(combination.compiler):
        return f"no {combination.compiler}"
    probe = run([*combination.command(), "-fsyntax-only", "-x", "c++", "-"], input="#include <cmath>\n")
    if probe.returncode:
        return f"{combination.library} or its headers are not installed"
    return None


def runner(combination):
    """The words in front of a program, or None if it cannot be run here."""
    if combination.processor == "arm64":
        if platform.machine() == "aarch64":
            return []
        return [EMULATOR, "-L", ARM_ROOT] if shutil.which(EMULATOR) else None
    flags = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
    return [] if LEVELS[combination.processor] in flags else None


def build_googletest(combination, folder):
    """The object file of GoogleTest with its main(); made once for each library and processor."""
    objects = []
    for source in ("gtest-all", "gtest_main"):
        out = folder / f"{combination.key()}_{source}.o"
        if not out.exists():
            words = [w for w in combination.command() if not w.startswith(("-march", "-std="))]
            made = run([*words, "-std=c++20", "-O0", "-w", "-pthread", f"-I{GOOGLETEST}", f"-I{GOOGLETEST}/include",
                        "-c", str(GOOGLETEST / "src" / f"{source}.cc"), "-o", str(out)])
            if made.returncode:
                raise RuntimeError(f"GoogleTest does not compile: {first_error(made.stderr)}")
        objects.append(str(out))
    return objects


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or ["no message"]
    return lines[0][:200]


def warnings_of(text):
    return sorted(set(line for line in text.splitlines() if HEADER_WARNING.search(line)))


def compile_command(combination, folder):
    return [*combination.command(), *OPTIONS, f"-I{ROOT}", f"-I{ROOT}/include", f"-I{folder}/include",
            "-isystem", f"{GOOGLETEST}/include"]


def try_headers(combination, folder):
    """(what happened, warnings): all public headers as one source, in both orders."""
    names = sorted(str(p.relative_to(ROOT / "include")) for p in (ROOT / "include").rglob("*.h*"))
    if combination.processor not in LEVELS:
        names = [n for n in names if not n.endswith(OF_THIS_PROCESSOR)]
    warnings = []
    for order in (names, names[::-1]):
        text = "".join(f"#include <{name}>\n" for name in order)
        made = run([*compile_command(combination, folder), "-fsyntax-only", "-x", "c++", "-"], input=text)
        warnings += warnings_of(made.stderr)
        if made.returncode:
            return f"does not compile: {first_error(made.stderr)}", warnings
    return "clean", warnings


def build_and_run(combination, source, name, level, folder, objects, launcher, arguments=()):
    """(what happened, warnings in public headers, output): 'passed', 'compiled' or what is wrong."""
    program = folder / re.sub(r"\W+", "_", f"{combination.name()} {name}")
    made = run([*compile_command(combination, folder), level, str(source), *objects, "-o", str(program)])
    warnings = warnings_of(made.stderr)
    if made.returncode:
        return f"does not compile: {first_error(made.stderr)}", warnings, ""
    try:
        if launcher is None:
            return "compiled", warnings, ""
        ended = run([*launcher, str(program), *arguments])
        if ended.returncode:
            failed = re.findall(r"^\[  FAILED  \] ([^\s,]+)", ended.stdout, re.MULTILINE)
            return (f"fails: {', '.join(sorted(set(failed))) or ended.stderr[-200:] or ended.returncode}", warnings,
                    ended.stdout)
        return "passed", warnings, ended.stdout
    finally:
        program.unlink()


def try_test(combination, subject, test, folder, objects, launcher):
    level = "-O2" if test in OPTIMIZED else "-O0"
    return build_and_run(combination, ROOT / "tests" / subject / f"{test}_test.cpp", f"{subject} {test}", level, folder,
                         objects, launcher, ["--gtest_brief=1"])[:2]


class Row:
    """Cells by column, what is wrong, warnings."""

    def __init__(self, combination):
        self.combination, self.cells, self.notes, self.warnings, self.seconds = combination, {}, [], set(), 0.0

    def good(self):
        return not self.notes and not self.warnings

    def put(self, column, results, word):
        """results: (name, number of tests, what happened, warnings)."""
        good = sum(count for _, count, result, _ in results if result in ("passed", "compiled"))
        total = sum(count for _, count, _, _ in results)
        self.cells[column] = f"{good} {word}" if good == total else f"{good} of {total} {word}"
        self.notes += [f"{column}/{name}: {result}" for name, _, result, _ in results
                       if result not in ("passed", "compiled")]
        self.warnings.update(line for _, _, _, lines in results for line in lines)

    def put_bits(self, column, outcome, references):
        result, warnings, output = outcome
        self.warnings.update(warnings)
        if result != "passed":
            self.cells[column] = "compiled" if result == "compiled" else "failed"
            self.notes += [] if result == "compiled" else [f"{column}: {result}"]
            return
        lines = output.splitlines()
        first, expected = references.setdefault(column, (self.combination.name(), lines))
        differing = [line.rsplit(" ", 1)[0] for line in lines if line not in set(expected)]
        self.cells[column] = f"{len(lines) - len(differing)} of {len(lines)}"
        if differing or len(lines) != len(expected):
            self.notes.append(f"{column}: {len(lines)} lines, {len(expected)} of {first}; differing: {', '.join(differing)}")

    def line(self):
        cells = [self.combination.name(), *(self.cells.get(c, "") for c in COLUMNS), str(len(self.warnings)),
                 f"{self.seconds:.0f}"]
        return "| " + " | ".join(cells) + " |"

    def note(self):
        return "; ".join([*self.notes, *sorted(self.warnings)[:5]])


def try_combination(combination, folder, pool, jobs, references):
    row, begin = Row(combination), time.monotonic()
    why = reason_to_skip(combination)
    if why:
        row.cells = dict.fromkeys(COLUMNS, "skipped")
        return row, why
    launcher = runner(combination)
    word = "passed" if launcher is not None else "compiled"
    try:
        objects = build_googletest(combination, folder)
        headers = pool.submit(try_headers, combination, folder)
        tests = {(s, t): pool.submit(try_test, combination, s, t, folder, objects, launcher)
                 for s, names in SUBJECTS.items() for t in names}
        result, lines = headers.result()
        row.put("headers", [("all", 1, "passed" if result == "clean" else result, lines)], "clean")
        row.cells["headers"] = "clean" if result == "clean" and not lines else "not clean"
        for subject, names in SUBJECTS.items():
            row.put(subject, [(t, 1, *tests[subject, t].result()) for t in names], word)
        if combination.has_fma():
            row.put_bits("bits", build_and_run(combination, ROOT / "tests/portability/core_bits.cpp", "core bits", "-O2",
                                               folder, [], launcher), references)
        if combination.compiled:
            try_library(combination, row, folder, pool, jobs, objects, launcher, references)
    except RuntimeError as error:
        row.notes.append(str(error))
    row.seconds = time.monotonic() - begin
    return row, None if launcher is not None else "not run: no such processor or emulator here"


def try_library(combination, row, folder, pool, jobs, objects, launcher, references):
    library = build_library(combination.command(), combination.processor,
                            folder / re.sub(r"\W+", "_", combination.name()), folder / "include", jobs)
    submitted = {
        (subject, names): pool.submit(build_and_run, combination, joined_source(subject, names, folder),
                                      f"{subject} {names[0]}", "-O0", folder, [*objects, *library], launcher,
                                      ["--gtest_brief=1"])
        for subject, programs in LIBRARY_SUBJECTS.items() for names in programs}
    for subject, programs in LIBRARY_SUBJECTS.items():
        row.put(subject, [(" and ".join(names), len(names), *submitted[subject, names].result()[:2])
                          for names in programs], "passed" if launcher is not None else "compiled")
    if not combination.has_fma():
        return
    row.put_bits("library bits", build_and_run(combination, ROOT / "tests/portability/library_bits.cpp", "library bits",
                                               "-O0", folder, library, launcher), references)


def header_folder(folder):
    """Headers that are the same for every processor: all of /usr/include would be those of this machine's."""
    include = folder / "include"
    include.mkdir(parents=True, exist_ok=True)
    for name, place in (("fmt", "fmt"), ("xsimd", "xsimd"), ("boost", "boost"), ("Eigen", "eigen3/Eigen")):
        if not (include / name).exists() and (Path("/usr/include") / place).exists():
            (include / name).symlink_to(Path("/usr/include") / place)


def hardware():
    """What the table was made on, in a line."""
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE) \
        if Path("/proc/cpuinfo").exists() else None
    return f"{datetime.date.today()}, {os.cpu_count()} processors of {model.group(1) if model else platform.machine()}"


def table(rows, references):
    head = ["combination", *COLUMNS, "warnings in public headers", "seconds"]
    lines = [f"Made by `./run portability` on {hardware()}.", "", "| " + " | ".join(head) + " |", "|---" * len(head) + "|",
             *(row.line() for row, _ in rows), ""]
    lines += [f"- {row.combination.name()}: {'; '.join(filter(None, (row.note(), why)))}"
              for row, why in rows if row.note() or why]
    lines += [f"- {column}: operations whose results are bit for bit those of {name}"
              for column, (name, _) in references.items()]
    return "\n".join(lines).rstrip() + "\n"


def write_report(path, text):
    """Between the marks of a page, or as the whole of a new one."""
    old = path.read_text("utf-8") if path.exists() else f"{BEGIN}\n{END}\n"
    before, mark, rest = old.partition(BEGIN)
    if not mark or END not in rest:
        raise ValueError(f"{path}: no {BEGIN} ... {END}")
    path.write_text(f"{before}{BEGIN}\n{text}{rest[rest.index(END):]}", encoding="utf-8")


def refuses_32_bits():
    """The error that a compiler of 32-bit programs ends with, or None."""
    made = run(["g++", "-m32", "-std=c++20", "-fsyntax-only", "-x", "c++", "include/mctensor/config.hpp"], cwd=ROOT)
    match = re.search(r'#error "(MCTensor: [^"]*32-bit[^"]*)"', made.stderr)
    return match.group(1) if made.returncode and match else None


def main(arguments):
    parser = argparse.ArgumentParser(prog="portability.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "portability")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args(arguments)
    chosen = [c for c in combinations() if not options.only or any(re.search(o, c.name()) for o in options.only)]
    if not chosen:
        parser.error(f"--only {' '.join(options.only)}: no combination has such a name; see --list")
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: it must be 1 or more")
    if options.list:
        print("\n".join(c.name() for c in chosen))
        return 0
    if not (GOOGLETEST / "src").is_dir():
        print(f"portability.py: {GOOGLETEST}: not found (Debian: googletest)", file=sys.stderr)
        return 2
    folder = options.folder.resolve()
    header_folder(folder)
    rows, references = [], {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for combination in chosen:
            row, why = try_combination(combination, folder, pool, options.jobs, references)
            rows.append((row, why))
            print(f"{row.line()} {row.note()} {why or ''}".rstrip(), flush=True)
            if options.report:  # who stops it has what was done until then
                write_report(options.report, table(rows, references))
    refusal = refuses_32_bits()
    text = table(rows, references) + f"- 32-bit x86: {'refused: ' + refusal if refusal else 'NOT REFUSED'}\n"
    print("\n" + text, end="")
    if options.report:
        write_report(options.report, text)
    return 0 if refusal and all(row.good() for row, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
