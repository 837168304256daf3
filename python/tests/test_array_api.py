"""The functions of the Python array API standard, 2025.12: what is there gives NumPy's shapes and values, what is not
says so. docs/python.md has the table."""
import re
from pathlib import Path

import numpy as np
import pytest

import mctensor as mct

A = np.array([[0.5, -0.25, 0.75], [0.125, 2.0, -1.5]])
B = np.array([[2.0, 0.5, -1.0], [0.25, -3.0, 4.0]])
SQUARE = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 4.0]])
SMALL = A / 4
POSITIVE = np.abs(A) + 1
SPECIAL = np.array([1.0, np.nan, np.inf, -0.0, -np.inf, 2.0])

# NumPy's names where they are others
NUMPY_NAMES = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
               "atan2": "arctan2", "atanh": "arctanh", "concat": "concatenate", "permute_dims": "transpose",
               "pow": "power"}


def numpy_function(name):
    """NumPy's function, None where this NumPy has not got it."""
    owner = np
    for part in NUMPY_NAMES.get(name, name).split("."):
        owner = getattr(owner, part, None)
    return owner


ONE_OPERAND = {name: A for name in (
    "abs asinh atan ceil conj cos cosh exp expm1 floor isfinite isinf isnan logical_not negative positive real "
    "reciprocal round sign signbit sin sinh square tan tanh trunc").split()}
ONE_OPERAND |= {name: SMALL for name in ("acos", "asin", "atanh")}
ONE_OPERAND |= {name: POSITIVE for name in ("acosh", "log", "log1p", "log2", "log10", "sqrt")}
TWO_OPERANDS = {name: (A, B) for name in (
    "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp logical_and "
    "logical_or logical_xor maximum minimum multiply not_equal remainder subtract").split()}
TWO_OPERANDS |= {"pow": (POSITIVE, B)}

#: by the standard's names: calls of the function with one maker of arrays
CASES = {name: lambda f, to, x=x: [f(to(x)), f(to(SPECIAL))]
         for name, x in ONE_OPERAND.items() if name in ("floor", "ceil", "trunc", "round", "isnan", "isinf", "isfinite",
                                                        "signbit", "abs", "negative", "positive", "logical_not")}
CASES |= {name: lambda f, to, x=x: [f(to(x))] for name, x in ONE_OPERAND.items() if name not in CASES}
CASES |= {name: lambda f, to, x=x, y=y: [f(to(x), to(y)), f(to(x), to(y)[0]), f(to(x), 2.0)]
          for name, (x, y) in TWO_OPERANDS.items()}
CASES |= {
    "nextafter": lambda f, to: [f(to(A), to(B)) > to(A)],
    "clip": lambda f, to: [f(to(A), -1.0, 1.0)],
    "empty_like": lambda f, to: [np.shape(f(to(A)))],
    "full_like": lambda f, to: [f(to(A), 3.0)],
    "ones_like": lambda f, to: [f(to(A))],
    "zeros_like": lambda f, to: [f(to(A))],
    "linspace": lambda f, to: [f(to(np.float64(1)), 2.0, 5), f(to(np.float64(1)), 2.0, 4, endpoint=False)],
    "meshgrid": lambda f, to: [*f(to(A)[0], to(B)[1]), *f(to(A)[0], to(B)[1, :2], indexing="ij")],
    "tril": lambda f, to: [f(to(A), k=1)],
    "triu": lambda f, to: [f(to(A))],
    "broadcast_arrays": lambda f, to: list(f(to(A), to(B)[0])),
    "broadcast_to": lambda f, to: [f(to(A)[0], (4, 3))],
    "astype": lambda f, to: [f(to(A), to(A).dtype)],
    "take": lambda f, to: [f(to(A), np.array([2, 0]), axis=1)],
    "take_along_axis": lambda f, to: [f(to(A), np.array([[2, 0], [1, 1]]), axis=1)],
    "matmul": lambda f, to: [f(to(A), to(B).T), f(to(A)[0], to(B)[1])],
    "tensordot": lambda f, to: [f(to(A), to(B)), f(to(A), to(B), axes=((1,), (1,)))],
    "matrix_transpose": lambda f, to: [f(to(A))],
    "vecdot": lambda f, to: [f(to(A), to(B)), f(to(A), to(B), axis=0)],
    "concat": lambda f, to: [f([to(A), to(B)], axis=1), f((to(A), to(B)))],
    "expand_dims": lambda f, to: [f(to(A), axis=1)],
    "flip": lambda f, to: [f(to(A)), f(to(A), axis=1)],
    "moveaxis": lambda f, to: [f(to(A), 0, 1)],
    "permute_dims": lambda f, to: [f(to(A), (1, 0))],
    "repeat": lambda f, to: [f(to(A), 2, axis=1)],
    "reshape": lambda f, to: [f(to(A), (3, 2)), f(to(A), (-1,))],
    "roll": lambda f, to: [f(to(A), 1), f(to(A), 1, axis=1)],
    "squeeze": lambda f, to: [f(to(A)[None], axis=0)],
    "stack": lambda f, to: [f([to(A), to(B)], axis=-1)],
    "tile": lambda f, to: [f(to(A), (2, 1, 2))],
    "unstack": lambda f, to: list(f(to(A), axis=1)),
    "argmax": lambda f, to: [f(to(A)), f(to(A), axis=1)],
    "argmin": lambda f, to: [f(to(A)), f(to(A), axis=0)],
    "nonzero": lambda f, to: list(f(to(SPECIAL))),
    "count_nonzero": lambda f, to: [f(to(SPECIAL)), f(to(A), axis=1)],
    "searchsorted": lambda f, to: [f(to(np.sort(A[0])), to(B)), f(to(np.sort(A[0])), to(A), side="right")],
    "where": lambda f, to: [f(A > 0, to(A), to(B)), f(A > 0, to(A), 0.0)],
    "unique_all": lambda f, to: list(f(to(SPECIAL))),
    "unique_counts": lambda f, to: list(f(to(SPECIAL))),
    "unique_inverse": lambda f, to: list(f(to(A))),
    "unique_values": lambda f, to: [f(to(SPECIAL))],
    "isin": lambda f, to: [f(to(A), to(np.array([2.0, 0.5]))), f(to(A), to(A), invert=True)],
    "argsort": lambda f, to: [f(to(A)), f(to(A), axis=0)],
    "sort": lambda f, to: [f(to(A)), f(to(A), axis=0), f(to(SPECIAL))],
    "cumulative_sum": lambda f, to: [f(to(A), axis=1), f(to(A), axis=0, include_initial=True)],
    "cumulative_prod": lambda f, to: [f(to(A), axis=1), f(to(A), axis=0, include_initial=True)],
    "max": lambda f, to: [f(to(A)), f(to(A), axis=(0, 1), keepdims=True)],
    "mean": lambda f, to: [f(to(A)), f(to(A), axis=1, keepdims=True)],
    "min": lambda f, to: [f(to(A)), f(to(A), axis=0)],
    "prod": lambda f, to: [f(to(A)), f(to(A), axis=(0, 1)), f(to(A)[:0])],
    "std": lambda f, to: [f(to(A)), f(to(A), axis=0)],
    "sum": lambda f, to: [f(to(A)), f(to(A), axis=1, keepdims=True), f(to(A)[:0])],
    "var": lambda f, to: [f(to(A)), f(to(A), axis=0, keepdims=True)],
    "all": lambda f, to: [f(to(SPECIAL)), f(to(A), axis=1)],
    "any": lambda f, to: [f(to(SPECIAL)), f(to(A), axis=1, keepdims=True)],
    "diff": lambda f, to: [f(to(A)), f(to(A), axis=0, n=1), f(to(A), prepend=to(A)[:, :1])],
    "linalg.cholesky": lambda f, to: [f(to(SQUARE))],
    "linalg.cross": lambda f, to: [f(to(A), to(B))],
    "linalg.det": lambda f, to: [f(to(SQUARE))],
    "linalg.diagonal": lambda f, to: [f(to(SQUARE)), f(to(A), offset=1)],
    "linalg.eigh": lambda f, to: [f(to(SQUARE))[0], abs(f(to(SQUARE))[1])],
    "linalg.eigvalsh": lambda f, to: [f(to(SQUARE))],
    "linalg.inv": lambda f, to: [f(to(SQUARE))],
    "linalg.matmul": lambda f, to: [f(to(A), to(SQUARE))],
    "linalg.matrix_norm": lambda f, to: [f(to(A)), f(to(A), ord=1, keepdims=True), f(to(A), ord="nuc")],
    "linalg.matrix_power": lambda f, to: [f(to(SQUARE), 3)],
    "linalg.matrix_rank": lambda f, to: [f(to(A)), f(to(SQUARE))],
    "linalg.matrix_transpose": lambda f, to: [f(to(A))],
    "linalg.outer": lambda f, to: [f(to(A)[0], to(B)[1])],
    "linalg.pinv": lambda f, to: [f(to(A))],
    "linalg.qr": lambda f, to: [abs(part) for part in f(to(SQUARE))],
    "linalg.slogdet": lambda f, to: list(f(to(SQUARE))),
    "linalg.solve": lambda f, to: [f(to(SQUARE), to(B).T)],
    "linalg.svd": lambda f, to: [f(to(A))[1]],
    "linalg.svdvals": lambda f, to: [f(to(A))],
    "linalg.tensordot": lambda f, to: [f(to(A), to(B))],
    "linalg.trace": lambda f, to: [f(to(SQUARE))],
    "linalg.vecdot": lambda f, to: [f(to(A), to(B))],
    "linalg.vector_norm": lambda f, to: [f(to(A)), f(to(A), axis=1, ord=1), f(to(A), ord=np.inf)],
}
#: mctensor's own functions that make arrays, by the standard's names
MADE = {"arange": lambda: (mct.arange(1, 7, 2), np.arange(1, 7, 2)), "asarray": lambda: (mct.array(A), A),
        "eye": lambda: (mct.eye(3), np.eye(3)), "full": lambda: (mct.full((2, 3), 7), np.full((2, 3), 7)),
        "ones": lambda: (mct.ones((2, 3)), np.ones((2, 3))), "zeros": lambda: (mct.zeros(3), np.zeros(3)),
        "empty": lambda: (mct.zeros((2, 1)), np.zeros((2, 1))),
        "from_dlpack": lambda: (mct.array(mct.array(A, "f64x1")), A),
        "result_type": lambda: (mct.array(mct.promote("f64x2", "f32x3") == "f64x3"), np.array(1))}
#: what there is not
MISSING = ("bitwise_and bitwise_left_shift bitwise_invert bitwise_or bitwise_right_shift bitwise_xor broadcast_shapes "
           "can_cast finfo iinfo imag isdtype").split()


def compare_all(ours, theirs):
    assert len(ours) == len(theirs)
    for x, y in zip(ours, theirs):
        assert np.shape(x) == np.shape(y)
        if isinstance(x, mct.Array):
            assert np.asarray(y).dtype.kind == "f"
            assert np.allclose(x.to_numpy(), y, 1e-13, 1e-13, equal_nan=True)
            zeros = np.asarray(y) == 0
            assert np.array_equal(np.signbit(x.to_numpy())[zeros], np.signbit(y)[zeros])
        else:
            assert np.asarray(x).dtype.kind == np.asarray(y).dtype.kind and np.array_equal(x, y)


@pytest.mark.parametrize("name", CASES)
def test_functions_of_the_standard(name):
    f = numpy_function(name)
    if f is None:
        pytest.skip(f"NumPy {np.__version__} has no {name}")
    with np.errstate(all="ignore"):
        compare_all(CASES[name](f, mct.array), CASES[name](f, np.array))


@pytest.mark.parametrize("name", MADE)
def test_arrays_of_the_standard(name):
    made, wanted = MADE[name]()
    assert made.shape == wanted.shape and np.array_equal(made.to_numpy(), wanted)


@pytest.mark.parametrize("name", [name for name in MISSING if name.startswith("bitwise")])
def test_missing_functions_say_so(name):
    f = numpy_function({"bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
                        "bitwise_invert": "invert"}.get(name, name))
    with pytest.raises(TypeError, match="not one of"):
        f(*[mct.ones(2)] * f.nin)


def test_the_table_of_the_documentation():
    text = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")
    table = text[text.index("| array API |"):].split("\n\n")[0]
    passed, missing = set(), set()
    for row in table.splitlines()[2:]:
        _, group, there, absent, *_ = row.split("|")
        prefix = "linalg." if group.strip() == "linear algebra" else ""
        passed |= {prefix + name for name in re.findall(r"[a-z_0-9]+", there.replace("`", ""))}
        missing |= {prefix + name for name in re.findall(r"[a-z_0-9]+", absent.replace("`", "").replace("-", ""))}
    assert passed == set(CASES) | set(MADE) and missing == set(MISSING)
