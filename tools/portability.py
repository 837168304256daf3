#!/usr/bin/env python3
"""Compiles tests of headers by several compilers for several processors, runs them and prints a table.

usage: portability.py [--list] [--only REGEX]... [--folder DIR] [--jobs N] [--report FILE]

  --list      print the names of the combinations and end
  --only      only combinations whose name matches one of these
  --folder    where objects and programs go [build/portability]
  --jobs      compilations at a time [1]
  --report    write the table as Markdown too

A combination is a compiler, a standard, a library and a processor: 'g++-12 c++20 libstdc++ x86-64-v3'. The tests
are those of eft/, expansion/ and math/ that need no compiled library, the transforms with -O2, where
contraction would show, the others with -O0; with GoogleTest from its sources, because each standard library needs its own. What cannot be compiled or run here (no such compiler,
processor or emulator) is skipped, and the table says why.

Exit codes: 0 all that was not skipped passed, 1 something failed, 2 bad usage.
"""
import argparse
import concurrent.futures
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GOOGLETEST = Path("/usr/src/googletest/googletest")
SUBJECTS = {
    "eft": ("edge_cases", "fp8", "transforms"),
    "expansion": ("arithmetic", "limits", "renormalize"),
    "math": ("batch", "plain", "special_values"),
}
OPTIMIZED = ("transforms",)
OPTIONS = ["-ffp-contract=off", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-DMCT_ALWAYS_INLINE=",
           "-DMCT_WITH_XSIMD=1", "-DFMT_HEADER_ONLY", "-pthread"]
# what the processor of an x86-64 level must have, as /proc/cpuinfo calls it
LEVELS = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
EMULATOR = "qemu-aarch64-static"
ARM_ROOT = "/usr/aarch64-linux-gnu"
HEADER_WARNING = re.compile(r"include/mctensor/[^\n]* warning: ")


@dataclass(frozen=True)
class Combination:
    compiler: str
    standard: str
    library: str
    processor: str

    def name(self):
        return f"{self.compiler} {self.standard} {self.library} {self.processor}"

    def command(self):
        words = [self.compiler, f"-std={self.standard}"]
        if self.library == "libc++":
            words.append("-stdlib=libc++")
        if self.processor in LEVELS:
            words.append(f"-march={self.processor}")
        elif not self.compiler.startswith("aarch64"):
            words += ["--target=aarch64-linux-gnu"]
        return words

    def key(self):
        """Of what GoogleTest is compiled for: one standard will do for both."""
        return re.sub(r"\W+", "_", f"{self.compiler} {self.library} "
                                   f"{'x86' if self.processor in LEVELS else self.processor}")


def newest_clang():
    found = [p for p in Path("/usr/bin").glob("clang++-*") if p.name[8:].isdigit()]
    return max(found, key=lambda p: int(p.name[8:])).name if found else "clang++"


def combinations():
    clang = newest_clang()
    made = []
    for standard in ("c++20", "c++23"):
        for processor in LEVELS:
            made.append(Combination("g++-12", standard, "libstdc++", processor))
            made += [Combination(clang, standard, library, processor) for library in ("libstdc++", "libc++")]
        made += [Combination(compiler, standard, "libstdc++", "arm64")
                 for compiler in ("aarch64-linux-gnu-g++", clang)]
    return made


def run(words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


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


def try_test(combination, subject, test, folder, objects, launcher):
    """(what happened, warnings in public headers): 'passed', 'compiled' or what is wrong."""
    program = folder / re.sub(r"\W+", "_", f"{combination.name()} {subject} {test}")
    level = "-O2" if test in OPTIMIZED else "-O0"
    made = run([*combination.command(), *OPTIONS, level, f"-I{ROOT}", f"-I{ROOT}/include", f"-I{folder}/include",
                "-isystem", f"{GOOGLETEST}/include",
                str(ROOT / "tests" / subject / f"{test}_test.cpp"), *objects, "-o", str(program)])
    warnings = sorted(set(line for line in made.stderr.splitlines() if HEADER_WARNING.search(line)))
    if made.returncode:
        return f"does not compile: {first_error(made.stderr)}", warnings
    try:
        if launcher is None:
            return "compiled", warnings
        ended = run([*launcher, str(program), "--gtest_brief=1"])
        if ended.returncode:
            failed = re.findall(r"^\[  FAILED  \] (\S+)", ended.stdout, re.MULTILINE)
            return f"fails: {', '.join(sorted(set(failed))) or ended.stderr[-200:] or ended.returncode}", warnings
        return "passed", warnings
    finally:
        program.unlink()


def header_folder(folder):
    """Headers of fmt and xsimd alone: all of /usr/include would be those of this machine's processor."""
    include = folder / "include"
    include.mkdir(parents=True, exist_ok=True)
    for name in ("fmt", "xsimd"):
        if not (include / name).exists():
            (include / name).symlink_to(Path("/usr/include") / name)


def try_combination(combination, folder, pool):
    """A row of the table: cells by subject, the worst warning, seconds, and whether nothing failed."""
    begin = time.monotonic()
    why = reason_to_skip(combination)
    if why:
        return {"cells": {s: "skipped" for s in SUBJECTS}, "note": why, "good": True, "warnings": 0, "seconds": 0}
    try:
        objects = build_googletest(combination, folder)
    except RuntimeError as error:
        return {"cells": {s: "failed" for s in SUBJECTS}, "note": str(error), "good": False, "warnings": 0,
                "seconds": time.monotonic() - begin}
    launcher = runner(combination)
    jobs = {(s, t): pool.submit(try_test, combination, s, t, folder, objects, launcher)
            for s, tests in SUBJECTS.items() for t in tests}
    cells, notes, warnings = {}, [], set()
    for subject, tests in SUBJECTS.items():
        results = [(t, *jobs[subject, t].result()) for t in tests]
        good = sum(result in ("passed", "compiled") for _, result, _ in results)
        word = "passed" if launcher is not None else "compiled"
        cells[subject] = f"{good} {word}" if good == len(tests) else f"{good} of {len(tests)} {word}"
        notes += [f"{subject}/{t}: {result}" for t, result, _ in results if result not in ("passed", "compiled")]
        warnings.update(line for _, _, lines in results for line in lines)
    good = not notes
    notes += sorted(warnings)[:5]
    if launcher is None:
        notes.append("not run: no such processor or emulator here")
    return {"cells": cells, "note": "; ".join(notes), "good": good and not warnings, "warnings": len(warnings),
            "seconds": time.monotonic() - begin}


def table(rows):
    head = ["combination", *SUBJECTS, "warnings in public headers", "seconds"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for combination, row in rows:
        cells = [combination.name(), *row["cells"].values(), str(row["warnings"]), f"{row['seconds']:.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    lines += ["", *(f"- {c.name()}: {row['note']}" for c, row in rows if row["note"])]
    return "\n".join(lines).rstrip() + "\n"


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
    header_folder(options.folder)
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for combination in chosen:
            rows.append((combination, try_combination(combination, options.folder, pool)))
            print(f"{combination.name()}: {', '.join(rows[-1][1]['cells'].values())} {rows[-1][1]['note']}", flush=True)
            if options.report:  # who stops it has what was done until then
                options.report.write_text(table(rows), encoding="utf-8")
    refusal = refuses_32_bits()
    text = table(rows) + f"\n32-bit x86: {'refused: ' + refusal if refusal else 'NOT REFUSED'}\n"
    print("\n" + text, end="")
    if options.report:
        options.report.write_text(text, encoding="utf-8")
    return 0 if refusal and all(row["good"] for _, row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
