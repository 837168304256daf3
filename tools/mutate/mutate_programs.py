"""Which test programs see which source files."""
import re
from dataclasses import dataclass

TEXT = tuple(f"src/expansion/{name}.cpp" for name in (
    "decimal", "exact", "format", "from_string", "parse", "shortest", "stream")) + (
        "src/base/environment.cpp",)


@dataclass(frozen=True)
class Program:
    name: str
    sources: tuple
    definitions: tuple = ()
    library: bool = False  # links the library
    suite: bool = False  # has a main of its own, and is slow without optimization

    def optimization(self, source):
        """Tests take longer to compile than to run, suite and kernels the other way round."""
        return "-O1" if self.suite or "/kernels/" in source else "-O0"


def test(path, *sources, **more):
    """The program of tests/<path>_test.cpp."""
    return Program(path.replace("/", "_"), (f"tests/{path}_test.cpp", *sources), **more)


SUITE = tuple(f"validation/core/{name}.cpp" for name in ("operation", "philox", "recording_task"))


def suite(name, source, function, cases, *sources):
    """The precision suite's tasks that a function enters."""
    return Program(name, ("tools/mutate/mutate_suite.cpp", source, *SUITE, *sources),
                   (f"-DMCT_TASKS={function}", f"-DMCT_CASES={cases}.0"), suite=True)


TRANSFORMS = test("eft/transforms")
SHORT = [test("expansion/limits"), test("eft/half"), test("eft/edge_cases"), test("eft/half_pairs")]
ARITHMETIC = [test(f"expansion/{name}", *TEXT) for name in ("renormalize", "arithmetic",
                                                            "edge_cases", "mixed_operands",
                                                            "quotient", "builtin")]
C_FUNCTIONS = test("expansion/c_functions", *TEXT)
SEED = test("expansion/published_algorithms", *TEXT)
IO = [test(f"expansion/{name}", *TEXT) for name in ("io", "io_text", "io_format", "io_locale")]
DOUBLES = suite("suite_double", "validation/core/tasks_double.cpp", "add_double_tasks", 600, *TEXT)
HALVES = suite("suite_half", "validation/core/tasks_half.cpp", "add_half_tasks", 400, *TEXT)
MATH = [test(f"math/{name}") for name in (
    "special_values", "numbers", "batch", "exact_results", "c_functions")]
MATH_DOUBLES = suite("suite_math_double", "validation/core/tasks_math_double.cpp",
                     "add_math_double_tasks", 300, *TEXT)
PLAIN = suite("suite_plain", "validation/core/tasks_plain.cpp", "add_plain_tasks", 300, *TEXT)
PRODUCTS = tuple(f"src/linalg/kernels/{name}.cpp" for name in ("dot", "gemm", "pack"))
PRODUCTS_TEST = test("linalg/products", *PRODUCTS, library=True)
RESIDUES = [test(f"linalg/{name}", "src/linalg/kernels/residue.cpp", library=True)
            for name in ("residues", "integer_product")]
# the model of the matrix unit packs as the unit does, on every processor
UNITS = test("linalg/plain_order", *PRODUCTS, library=True)
STORES = [test("tensor/convert", "src/tensor/kernels/convert.cpp", library=True),
          *(Program(f"optim_adamw_{component}", (
              "tests/optim/adamw_test.cpp", f"src/optim/kernels/adamw_{component}.cpp"),
                    library=True) for component in ("half", "bfloat16"))]
ROUNDING = [Program(f"optim_drift_{component}", (
    "tests/optim/drift_test.cpp", f"src/optim/kernels/adamw_{component}.cpp"), library=True)
            for component in ("half", "bfloat16")]
ROWS = test("autograd/row_kernels", "src/autograd/kernels/rows.cpp", library=True)
MARKS = test("optim/edited_weights", "src/optim/kernels/adamw_bfloat16.cpp", library=True)
SUMS = test("tensor/reduce", "src/tensor/kernels/sum.cpp", library=True)


def elementwise(component):
    """The test of element-wise operations with the kernels of one type of component."""
    return Program(f"tensor_elementwise_{component}", (
        "tests/tensor/elementwise_test.cpp", f"src/tensor/kernels/elementwise_{component}.cpp"),
                   library=True)


def geometry(*names):
    return [test(f"geometry/{name}", library=True) for name in names]


MODELS = geometry("manifold_double", "isometry", "mobius", "manifold_points", "lorentz_far",
                  "product", "manifold_means", "manifold_f64x2", "manifold_domain",
                  "manifold_extremes", "radius_range", "operations")
HALF_SPACES = geometry("halfspace_formulas", "halfspace", "riemannian_types")
RANDOM = geometry("random_points")
OF_KERNELS = test("geometry/manifold_tensors", "src/geometry/tensors/kernels.cpp", library=True)
REGISTRY = test("geometry/registry", "src/geometry/registry/others.cpp", library=True)
KAPPA = geometry("stereographic")
# gradients of the half-space are compiled for the registry, where vectors have a unit of their own
DERIVATIVES = [test("geometry/autograd", "src/geometry/registry/half_space.cpp", library=True),
               *geometry("autograd_means", "derivatives")]

# The first row whose pattern a file's path matches: its programs, those first that are built soon
# and notice much.
PROGRAMS = [
    (r"eft/(half|short_float|short_format)\.hpp", [*SHORT, HALVES]),
    (r"eft/representation\.hpp", [TRANSFORMS, SHORT[2], *MATH, PLAIN, MATH_DOUBLES]),
    (r"include/mctensor/eft/", [TRANSFORMS, SHORT[2], *ARITHMETIC, DOUBLES]),
    (r"expansion/(fmt|format_spec|io|literals)\.hpp|src/expansion/", [*IO, ARITHMETIC[2]]),
    (r"expansion/published/", [SEED]),
    (r"expansion/accumulator\.hpp", [SUMS, PRODUCTS_TEST]),
    (r"expansion/five_limbs\.hpp", [*MATH, MATH_DOUBLES]),
    (r"expansion/limits\.hpp", SHORT[:1]),
    (r"expansion/(lerp|scale)\.hpp", [C_FUNCTIONS, *ARITHMETIC]),
    (r"expansion/convert\.hpp", [*ARITHMETIC, STORES[0], DOUBLES, HALVES]),
    (r"include/mctensor/expansion/", [*ARITHMETIC, C_FUNCTIONS, DOUBLES, HALVES]),
    (r"math/plain\.hpp", [test("math/plain")]),
    (r"math/plain/", [*MATH, PLAIN]),
    (r"include/mctensor/math/", [*MATH, MATH_DOUBLES]),
    (r"include/mctensor/certified/|src/certified/kernels/",
     [*(test(f"certified/{name}") for name in ("certified", "functions")),
      test("certified/tensors", "src/certified/kernels/radius.cpp", library=True)]),
    (r"src/tensor/kernels/(sum_kernels|load_work|to_work)", [SUMS]),
    (r"src/tensor/kernels/(rounding_lanes|short_words)", [*STORES, *ROUNDING]),
    (r"src/tensor/kernels/narrowing_stores", [*STORES, ROWS, *ROUNDING]),
    (r"src/tensor/kernels/philox_lanes", [*STORES, *ROUNDING, MARKS]),
    (r"src/tensor/kernels/transpose", [test("linalg/pack"), PRODUCTS_TEST]),
    (r"src/tensor/kernels/", [elementwise(c) for c in ("double", "float", "half")]),
    (r"src/linalg/kernels/pack", [test("linalg/pack"), PRODUCTS_TEST, UNITS]),
    (r"src/linalg/kernels/tile_registers", [*RESIDUES, UNITS]),
    (r"src/linalg/kernels/bfloat16_matrix", [UNITS]),
    (r"src/linalg/kernels/(residue|byte)", RESIDUES),
    (r"src/linalg/kernels/", [PRODUCTS_TEST]),
    (r"geometry/storage/halfspace/", HALF_SPACES),
    (r"geometry/storage/(convert|stored_point)\.hpp", geometry("convert_stored")),
    (r"means/frechet_mean\.hpp", geometry("frechet_pairs", "manifold_means")),
    (r"means/weighted_midpoint\.hpp", geometry("manifold_means")),
    (r"models/(stereographic|kappa_functions)\.hpp", KAPPA),
    (r"models/lorentz\.hpp", [*MODELS, *DERIVATIVES]),
    (r"tensors/row_groups\.hpp", geometry("riemannian_kept", "riemannian_models")),
    (r"geometry/certified\.hpp", geometry("certified")),
    (r"geometry/random_points\.hpp", RANDOM),
    (r"geometry/registry\.hpp", [REGISTRY]),
    (r"tensors/pairs\.hpp", geometry("pairs")),
    (r"geometry/(traced|traced_operands|autograd|means/autograd_means)\.hpp", DERIVATIVES),
    (r"geometry/(tensors/\w+|means/tensor_means)\.hpp",
     [*geometry("one_point_tensors", "pointwise_maps", "pointwise_types", "pairs"), OF_KERNELS]),
    (r"geometry/point\.hpp", [*geometry("one_point_tensors"), *MODELS]),
    (r"gyro/mobius\.hpp", geometry("mobius")),
    (r"geometry/isometry\.hpp", geometry("isometry_values", "isometry")),
    (r"geometry/scalar\.hpp", [*MODELS, *HALF_SPACES, *RANDOM, *DERIVATIVES]),
    (r"geometry/(vectors|common_formulas|manifold)\.hpp", [*MODELS, *RANDOM, *DERIVATIVES]),
    (r"include/mctensor/geometry/", MODELS),
]


def programs_for(file, root):
    for pattern, programs in PROGRAMS:
        if re.search(pattern, file):
            return [p for p in programs if (root / p.sources[0]).is_file()]
    return []
