"""Which test programs see which source files, and how they are built and run."""
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

TEXT = tuple(f"src/expansion/{name}.cpp" for name in (
    "decimal", "exact", "format", "from_string", "parse", "shortest", "stream"))
BASE_FLAGS = ["-std=c++20", "-w", "-ffp-contract=off", "-DFMT_SHARED", "-DMCT_WITH_XSIMD=1",
              "-DMCT_WITH_EIGEN=1", "-DMCT_KERNELS=kernels_baseline", "-DMCT_KERNELS_BASELINE=1", "-DMCT_KERNELS_AVX2=0", "-DMCT_KERNELS_AVX512=0",
              "-I/usr/include/eigen3"]
LIBRARIES = ["-lgtest", "-lgtest_main", "-lmpfr", "-lgmp", "-lfmt", "-lpthread"]
TREE = ("include", "src", "tests", "validation", "tools")
# instantiation is reported innermost first: the place of the error, then who required it
PLACE = re.compile(r"^([^\s:]+):(\d+):(\d+): +(.*)")


@dataclass(frozen=True)
class Program:
    name: str
    sources: tuple
    definitions: tuple = ()
    library: bool = False  # links the library of the build folder
    arguments: tuple = ("--gtest_fail_fast", "--gtest_brief=1")


def test(path, *sources, **more):
    """The program of tests/<path>_test.cpp."""
    return Program(path.replace("/", "_"), (f"tests/{path}_test.cpp", *sources), **more)


def suite(name, source, function, cases):
    """The precision suite's tasks that a function enters."""
    return Program(name, ("tools/mutate_suite.cpp", source, *TEXT),
                   (f"-DMCT_TASKS={function}", f"-DMCT_CASES={cases}.0"), arguments=())


TRANSFORMS = test("eft/transforms")
SHORT = test("eft/half")
EIGHT_BITS = test("eft/fp8")
EFT_EDGES = test("eft/edge_cases")
LIMITS = test("expansion/limits")
ARITHMETIC = test("expansion/arithmetic", *TEXT)
EDGES = test("expansion/edge_cases", *TEXT)
SCALED = test("expansion/scaled", *TEXT)
SEED = test("expansion/published_algorithms", *TEXT)
IO = [test(f"expansion/{name}", *TEXT) for name in ("io", "io_text", "io_format")]
DOUBLES = suite("suite_double", "validation/core/tasks_double.cpp", "add_double_tasks", 600)
HALVES = suite("suite_half", "validation/core/tasks_half.cpp", "add_half_tasks", 400)
MATH = test("math/special_values")
MATH_EDGES = test("math/edge_cases")
MATH_DOUBLES = suite("suite_math_double", "validation/core/tasks_math_double.cpp",
                     "add_math_double_tasks", 300)
KERNELS = tuple(f"src/tensor/kernels/elementwise_{name}.cpp" for name in (
    "double", "float")) + ("src/tensor/kernels/sum.cpp",)
PRODUCTS = tuple(f"src/linalg/kernels/{name}.cpp" for name in ("dot", "gemm", "pack"))
PRODUCTS_TEST = test("linalg/products", *PRODUCTS, library=True)

# The first row whose pattern a file's path matches: its programs, smallest first.
PROGRAMS = [
    (r"eft/(half|short_float|short_format)\.hpp", [LIMITS, SHORT, EFT_EDGES, EIGHT_BITS, HALVES]),
    (r"eft/fp8\.hpp", [EIGHT_BITS]),
    (r"include/mctensor/eft/", [TRANSFORMS, EFT_EDGES, ARITHMETIC, DOUBLES]),
    (r"expansion/(fmt|io|literals)\.hpp|src/expansion/", [*IO, EDGES]),
    (r"expansion/scaled\.hpp", [SCALED, EDGES]),
    (r"expansion/published/", [SEED]),
    (r"expansion/accumulator\.hpp", [PRODUCTS_TEST]),
    (r"expansion/five_limbs\.hpp", [MATH, MATH_EDGES, MATH_DOUBLES]),
    (r"expansion/limits\.hpp", [LIMITS]),
    (r"include/mctensor/expansion/", [ARITHMETIC, EDGES, DOUBLES, HALVES]),
    (r"include/mctensor/math/", [MATH, MATH_EDGES, MATH_DOUBLES]),
    (r"src/tensor/kernels/", [test("tensor/elementwise", *KERNELS, library=True),
                              test("tensor/reduce", *KERNELS, library=True)]),
    (r"src/linalg/kernels/", [PRODUCTS_TEST]),
    (r"geometry/halfspace/", [test("geometry/halfspace_formulas", library=True),
                              test("geometry/halfspace", library=True)]),
    (r"geometry/(domain|geodesic)\.hpp", [test("geometry/manifold_extremes", library=True),
                                          test("geometry/manifold_geodesic", library=True),
                                          test("geometry/manifold_domain", library=True)]),
    (r"include/mctensor/geometry/", [test("geometry/pointwise_f64x2", library=True),
                                     test("geometry/manifold_f64x2", library=True),
                                     test("geometry/mobius", library=True),
                                     test("geometry/isometry", library=True),
                                     test("geometry/concatenated", library=True)]),
]


class CompileError(Exception):
    """The compiler's message."""


def programs_for(file, root):
    for pattern, programs in PROGRAMS:
        if re.search(pattern, file):
            return [p for p in programs if (root / p.sources[0]).is_file()]
    return []


class Workshop:
    """A copy of the sources in which mutants are compiled; the sources themselves stay as they are.
    """

    def __init__(self, root, folder, library):
        self.root, self.folder, self.library = root, folder, library
        self.tree = folder / "tree"
        self.objects = {}

    def reset(self):
        """Copies the sources afresh."""
        shutil.rmtree(self.tree, ignore_errors=True)
        for name in TREE:
            if (self.root / name).is_dir():
                shutil.copytree(self.root / name, self.tree / name)
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)

    def write(self, file, text):
        (self.tree / file).write_text(text, encoding="utf-8")

    def restore(self, file):
        shutil.copyfile(self.root / file, self.tree / file)

    def flags(self, optimization):
        return [*BASE_FLAGS, optimization, f"-I{self.tree}", f"-I{self.tree}/include"]

    def precompile(self, optimization):
        """The header of the runtime, gtest, MPFR and the standard library included."""
        header = self.folder / f"runtime{optimization}" / "mutate_runtime.hpp"
        header.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / "tools/mutate_runtime.hpp", header)
        self.compiler([*self.flags(optimization), "-x", "c++-header", str(header), "-o",
                       f"{header}.gch"])
        return header

    @staticmethod
    def compiler(arguments):
        done = subprocess.run(["g++", *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CompileError(done.stderr)

    def compile(self, source, definitions, optimization, label):
        """The object file of a source; the same one for the same label."""
        key = (source, definitions, optimization, label)
        if key not in self.objects:
            header = self.folder / f"runtime{optimization}" / "mutate_runtime.hpp"
            if not Path(f"{header}.gch").exists():
                self.precompile(optimization)
            name = re.sub(r"\W", "_", "".join((source, *definitions, optimization, label)))
            target = self.folder / "bin" / f"{name}.o"
            self.compiler([*self.flags(optimization), "-include", str(header), *definitions, "-c",
                           str(self.tree / source), "-o", str(target)])
            self.objects[key] = target
        return self.objects[key]

    def forget(self, label):
        for key in [k for k in self.objects if k[3] == label]:
            self.objects.pop(key).unlink(missing_ok=True)

    def link(self, program, objects, label):
        target = self.folder / "bin" / f"{program.name}_{label}"
        libraries = [str(self.library), "-fopenmp"] if program.library else []
        tests = LIBRARIES if program.arguments else [x for x in LIBRARIES if x != "-lgtest_main"]
        self.compiler([*map(str, objects), "-o", str(target), *libraries, *tests])
        return target


def run_program(path, program, mutant, mark, limit):
    """('passed', 'failed' or 'timeout', seconds) of a test program with a mutant switched on."""
    environment = {"PATH": "/usr/bin:/bin", "MCT_ISA": "baseline", "OMP_NUM_THREADS": "1",
                   "MCT_MUTANT": str(mutant), "MCT_MUTANT_MARK": str(mark)}
    begin = time.monotonic()
    try:
        done = subprocess.run([str(path), *program.arguments], env=environment, timeout=limit,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        status = "passed" if done.returncode == 0 else "failed"
    except subprocess.TimeoutExpired:
        status = "timeout"
    return status, time.monotonic() - begin


def error_places(message, tree):
    """(file, line, column) in the tree of each error of a compiler's message, best guess first."""
    blocks, block = [], []
    for line in message.splitlines():
        match = PLACE.match(line)
        if not match:
            continue
        path = Path(match[1])
        inside = path.is_absolute() and tree in path.parents
        place = (str(path.relative_to(tree)), int(match[2]), int(match[3])) if inside else None
        if match[4].startswith("error:"):
            blocks.append(([place] if place else []) + block)
            block = []
        elif "required" in line and place:
            block.append(place)
    return blocks
