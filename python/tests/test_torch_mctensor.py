"""MCTensor: values beside fractions and mpmath, what it is made of, views, writing, errors in words."""
import copy
import io
import operator
import pickle
from fractions import Fraction

import numpy as np
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
mpmath = pytest.importorskip("mpmath")

import mctensor as mct  # noqa: E402
from mctensor.torch import MCTensor, from_array, from_components, tensor  # noqa: E402

DTYPES = [(torch.float64, 2), (torch.float64, 4), (torch.float32, 2), (torch.float32, 3), (torch.float16, 2),
          (torch.bfloat16, 3)]
DIGITS = {torch.float64: 53, torch.float32: 24, torch.float16: 11, torch.bfloat16: 8}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(5)


@pytest.fixture(params=DTYPES, ids=lambda p: f"{p[0]}x{p[1]}".replace("torch.", ""))
def kind(request):
    return request.param


def exact(x):
    """Every number as a fraction, in a list."""
    planes = x.detach().tensor.double().reshape(-1, x.nc)
    return [sum(map(Fraction, row)) for row in planes.tolist()]


def some(kind, *shape, positive=False):
    dtype, nc = kind
    x = MCTensor(*shape, nc=nc, dtype=dtype)
    return x.abs() + 0.5 if positive else x


def assert_near(found, wanted, kind, units=8):
    """Within so many u^N, relative; narrow types lose what is below their smallest number."""
    dtype, nc = kind
    unit = Fraction(1, 2 ** (DIGITS[dtype] * nc))
    least = Fraction(torch.finfo(dtype).smallest_normal) / 2 ** (DIGITS[dtype] - 1)
    for a, b in zip(found, wanted, strict=True):
        assert abs(a - b) <= units * unit * abs(b) + 4 * least, (float(a), float(b))


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv"])
def test_arithmetic_is_exact_to_its_bound(kind, name):
    f = getattr(operator, name)
    x, y = some(kind, 3, 4, positive=True), some(kind, 3, 4, positive=True)
    if name == "sub":
        y = -y
    wanted = [f(a, b) for a, b in zip(exact(x), exact(y))]
    result = f(x, y)
    assert isinstance(result, MCTensor) and result.nc == kind[1] and result.dtype == kind[0]
    assert_near(exact(result), wanted, kind)
    plain = y.fc
    numbers = [Fraction(b) for b in plain.double().flatten().tolist()]
    least = Fraction(torch.finfo(kind[0]).smallest_normal) / 2 ** (DIGITS[kind[0]] - 1)
    for found, pairs in ((f(x, plain), list(zip(exact(x), numbers))), (f(plain, x), list(zip(numbers, exact(x))))):
        assert isinstance(found, MCTensor) and found.nc == kind[1]
        for got, (a, b) in zip(exact(found), pairs, strict=True):
            size = abs(a) + abs(b) if name in ("add", "sub") else abs(f(a, b))
            assert abs(got - f(a, b)) <= Fraction(8, 2 ** (DIGITS[kind[0]] * kind[1])) * size + 4 * least


FUNCTIONS = {"exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, "sin": mpmath.sin, "tanh": mpmath.tanh,
             "erf": mpmath.erf, "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)), "rsqrt": lambda x: 1 / mpmath.sqrt(x),
             "log1p": mpmath.log1p, "square": lambda x: x * x, "reciprocal": lambda x: 1 / x, "atan": mpmath.atan,
             "asinh": mpmath.asinh, "neg": lambda x: -x, "abs": abs}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("of", [(torch.float64, 2), (torch.float32, 3)], ids=["f64x2", "f32x3"])
def test_functions(name, of):
    x = some(of, 5, positive=True)
    with mpmath.workprec(400):
        wanted = [FUNCTIONS[name](mpmath.mpf(a.numerator) / a.denominator) for a in exact(x)]
        wanted = [Fraction(int(mpmath.ldexp(w, 350)), 2**350) for w in wanted]
    assert_near(exact(getattr(torch, name)(x)), wanted, of, units=32)
    assert torch.equal(getattr(torch, name)(x), getattr(x, name)())


def test_every_function_of_the_table_has_the_librarys_bits():
    with_names = {"rsqrt", "relu", "exp2", "log2", "sinh", "cosh", "softplus", "gelu", "cos", "tan", "asin", "acos",
                  "acosh",
                  "atanh", "erfc", "expm1", "logit"}
    x = tensor(["0.3", "0.5", "0.99", "1e-9"], 2, dtype=torch.float64)
    x = torch.cat([x, 1 - x])
    for name in with_names:
        f = getattr(torch, name, None) or getattr(torch.nn.functional, name)
        found, wanted = f(x).array(), getattr(mct, name)(x.array())
        assert np.array_equal(found.planes, wanted.planes, equal_nan=True), name
    for name in ("maximum", "minimum", "pow", "hypot"):
        found = getattr(torch, name)(x, x.flip(0)).array()
        assert np.array_equal(found.planes, getattr(mct, name)(x.array(), x.flip(0).array()).planes), name


def test_numbers_of_python_have_all_their_bits():
    x = tensor([3], 2, dtype=torch.float32)
    assert exact(x * 0.1)[0] != exact(x * torch.tensor([0.1]))[0]
    assert abs(exact(x + 0.1)[0] - (3 + Fraction(0.1))) < Fraction(1, 2**45)
    assert exact(torch.add(x, 1, alpha=0.1)) == exact(x + tensor(0.1, 2, dtype=torch.float32))
    assert exact(x + torch.tensor(0.1, dtype=torch.float64)) == exact(x + 0.1)
    assert exact(x - 2**60 + 2**60) == [3]
    assert exact(x * torch.tensor([2**53 + 1]))[0] == pytest.approx(3 * (2**53 + 1), rel=2e-14)


def test_types_are_promoted_as_in_pytorch():
    x = tensor([1], 2, dtype=torch.float32)
    assert (x + tensor([1], 3, dtype=torch.float32)).nc == 3
    y = x + tensor([1], 3, dtype=torch.float64)
    assert (y.dtype, y.nc) == (torch.float64, 3)
    y = x * torch.ones(1, dtype=torch.float64)
    assert (y.dtype, y.nc) == (torch.float64, 2)
    y = tensor([1], 2, dtype=torch.float16) + tensor([1], 3, dtype=torch.bfloat16)
    assert (y.dtype, y.nc) == (torch.float32, 3)
    with pytest.raises(ValueError, match="4 components of torch.float16"):
        x.half() + tensor([1], 4, dtype=torch.float32).half()


def test_what_it_is_made_of():
    x = tensor([["0.1", 2], [3, 4]], 2, dtype=torch.float32)
    assert x.shape == (2, 2) and x.nc == 2 and x.size_nc() == (2, 2, 2) and x.size_nc(-1) == 2 and x.dim() == 2
    assert x.tensor.shape == (2, 2, 2) and type(x.tensor) is torch.Tensor and type(x.fc) is torch.Tensor
    assert x.fc[0, 0] == torch.tensor(0.1) and x.tensor[0, 0, 1] != 0
    x.tensor[1, 1, 0] = 5  # the same memory
    assert x[1, 1].item() == 5 and x.array().planes[0, 1, 1] == 5
    assert exact(x.double())[0] == exact(x)[0]
    assert torch.equal(x.evaluate(), x.fc) and x.evaluate().data_ptr() != x.fc.data_ptr()
    assert torch.equal(x.with_components(3).with_components(2), x)
    assert torch.equal(MCTensor((2, 2), nc=2, val=x), x) and torch.equal(MCTensor(2, 2, nc=2, val=x.tensor), x)
    assert torch.equal(from_components(x.tensor), x) and torch.equal(from_array(x.array()), x)
    assert from_components(x.tensor).tensor.data_ptr() == x.tensor.data_ptr() == from_array(x.array()).tensor.data_ptr()
    assert tensor(mct.array("0.1", "f32x3")).nc == 2 and tensor(np.ones(2)).dtype == torch.float64
    assert exact(tensor([Fraction(1, 3)], 4, dtype=torch.float64))[0] == pytest.approx(Fraction(1, 3), rel=1e-60)


def test_random_numbers_have_all_their_bits():
    x = MCTensor((100,), nc=2)
    assert x.dtype == torch.float32 and (x.tensor[:, 1] != 0).sum() > 90
    torch.manual_seed(5)
    assert torch.equal(MCTensor(100, nc=2), x)
    for y in (torch.rand_like(x), torch.randn_like(x), torch.empty_like(x).uniform_(-1, 2),
              torch.zeros_like(x).normal_()):
        assert (y.tensor[:, 1] != 0).sum() > 90 and -6 < float(y.min()) < float(y.max()) < 6


def test_text():
    x = tensor([["0.1", 2]], 2, dtype=torch.float64)
    assert repr(x) == "MCTensor([[0.1 2. ]], nc=2, dtype=torch.float64)" == str(x)
    assert repr(x.requires_grad_()).endswith("requires_grad=True)")
    assert "MulBackward" in repr(x * x)
    assert f"{x[0, 0]:.30f}" == "0.100000000000000000000000000000"
    assert x[0, 1].item() == 2.0 and float(x[0, 0]) == 0.1 and str(x.tolist()[0][1]) == "2"


MOVES = {
    "index": lambda x: x[1], "negative": lambda x: x[-1, -1], "slice": lambda x: x[:, ::2],
    "none": lambda x: x[None, :, None],
    "list": lambda x: x[[1, 0]], "apart": lambda x: x.unsqueeze(1)[[0, 1], :, [1, 2]],
    "mask": lambda x: x[:, [True, False] * 2],
    "reshape": lambda x: x.reshape(2, -1, 2), "view": lambda x: x.view(8), "T": lambda x: x.T,
    "permute": lambda x: x[None].permute(2, 0, 1),
    "transpose": lambda x: x.transpose(-1, 0), "unsqueeze": lambda x: x.unsqueeze(-3),
    "squeeze": lambda x: x[:1].squeeze(),
    "expand": lambda x: x.expand(3, -1, 4), "flip": lambda x: x.flip(-1), "roll": lambda x: x.roll(1, 0),
    "rolled flat": lambda x: x.roll(3), "repeat": lambda x: x.repeat(2, 1, 2),
    "cat": lambda x: torch.cat([x, x[:1]], -2),
    "stack": lambda x: torch.stack([x, x], -1), "chunk": lambda x: x.chunk(2, 1)[1], "unbind": lambda x: x.unbind(1)[2],
    "diagonal": lambda x: x.diagonal(), "tril": lambda x: x.tril(), "triu": lambda x: x.triu(1),
    "take": lambda x: x.index_select(1, torch.tensor([3, 0])),
    "gather": lambda x: x.gather(1, torch.tensor([[0, 2], [3, 3]])), "narrow": lambda x: x.narrow(1, 1, 2),
    "masked_select": lambda x: x.masked_select(torch.tensor([True, False, True, True])), "clone": lambda x: x.clone(),
    "where": lambda x: torch.where(torch.tensor([True, False] * 2), x, x + 1), "flatten": lambda x: x.flatten(),
    "masked_fill": lambda x: x.masked_fill(torch.tensor([True, False] * 2), 7),
    "pad": lambda x: torch.nn.functional.pad(x, (1, 2)),
    "unfold": lambda x: x.unfold(1, 2, 1), "movedim": lambda x: x.movedim(0, 1),
    "embedding": lambda x: torch.nn.functional.embedding(torch.tensor([[0, 1]]), x),
}


@pytest.mark.parametrize("name", MOVES)
def test_moving_elements(name):
    x = MCTensor(2, 4, nc=2, dtype=torch.float64)
    found = MOVES[name](x)
    assert isinstance(found, MCTensor)
    for k in range(2):  # of every plane the same, but for numbers that are put in
        plane = MOVES[name](x.tensor[..., k].clone())
        if name in ("where", "masked_fill"):
            same = plane == found.tensor[..., k]
            assert same.sum() >= 4
        else:
            assert torch.equal(found.tensor[..., k], plane)


def test_views_share_memory_and_writing():
    x = MCTensor(3, 4, nc=2, dtype=torch.float64)
    before = x.clone()
    x[0].copy_(x[1])
    x[:, 2] = 7
    assert torch.equal(x[0, :2], before[1, :2]) and torch.equal(x[:, 2].fc, torch.full((3,), 7.0, dtype=torch.float64))
    x.T[3, 1] = tensor("0.1", 2, dtype=torch.float64)
    assert torch.equal(x[1, 3], tensor("0.1", 2, dtype=torch.float64))
    x[[0, 2]] = torch.ones(4, dtype=torch.float64)
    assert x[0].tolist() == [1] * 4 == x[2].tolist()
    x[x > 5] = 0
    assert x[1, 2].item() == 0
    y = x.clone()
    for f in ("add", "sub", "mul", "div"):
        z, w = y.clone(), getattr(y, f)(0.1)
        assert getattr(z, f + "_")(0.1) is z and torch.equal(z, w)
    y += 1
    y *= before
    y /= 2
    y -= y
    assert y.abs().max().item() == 0
    assert torch.equal(y.fill_(0.5).exp_(), torch.full_like(y, 0.5).exp()) and y.zero_().sum().item() == 0
    y[0] += x[1]
    assert torch.equal(y[0], x[1])
    with pytest.raises(RuntimeError, match="does not fit"):
        y[0].add_(x)


def test_comparisons_are_exact():
    third = tensor([Fraction(1, 3)], 2, dtype=torch.float64)
    assert (third.fc < third).item() != (third < third.fc).item()
    assert (third == third).all() and (third <= third).all() and not (third != third).any()
    assert (third > 1 / 3).item() == (exact(third)[0] > Fraction(1 / 3))
    assert (0.5 > third).all() and (third >= 0.25).all()
    assert torch.equal(third, third.clone()) and torch.allclose(third, third + 1e-12)
    assert torch.isnan(third / 0 * 0).all()
    assert torch.isinf(third / 0).all() and torch.isfinite(third).all()


def test_reductions():
    x = some((torch.float32, 2), 4, 5)
    numbers = np.array(exact(x), dtype=object).reshape(4, 5)
    size = np.abs(numbers)

    def near(found, wanted, scale):
        found = np.array(exact(found), dtype=object)
        assert (abs(found - np.ravel(wanted)) <= np.ravel(scale) * Fraction(1, 2**44)).all()

    near(x.sum(), numbers.sum(), size.sum())
    near(x.sum(1), numbers.sum(1), size.sum(1))
    near(x.mean(0, keepdim=True), numbers.mean(0), size.mean(0))
    near(x.sum((0, 1)), numbers.sum(), size.sum())
    assert x.mean(0, keepdim=True).shape == (1, 5)
    for name in ("amax", "amin"):
        f = getattr(numbers, name[1:])
        assert exact(getattr(x, name)(1)) == list(f(1)) and exact(getattr(x, name[1:])()) == [f()]
        values, places = getattr(x, name[1:])(1)
        assert exact(values) == list(f(1)) and places.tolist() == list(getattr(numbers, "arg" + name[1:])(1))
        assert getattr(x, "arg" + name[1:])().item() == getattr(numbers, "arg" + name[1:])()
    assert exact(x.sort(1).values) == list(np.sort(numbers, 1).ravel())
    order = x.sort(1, descending=True).indices
    assert exact(x.gather(1, order)) == list(-np.sort(-numbers, 1).ravel())
    squares = (numbers * numbers).sum()
    assert float(x.norm()) == pytest.approx(float(squares) ** 0.5)
    assert float(x.norm(1)) == pytest.approx(float(size.sum()))
    assert exact(torch.linalg.vector_norm(x, float("inf"), 1)) == list(size.max(1))
    near(x.var(1), ((numbers - numbers.mean(1)[:, None]) ** 2).sum(1) / 4, size.max() ** 2 * np.ones(4))
    assert float(x.std()) == pytest.approx(float(x.var()) ** 0.5)
    assert float(torch.logsumexp(x, (0, 1))) == pytest.approx(torch.logsumexp(x.evaluate().double(), (0, 1)).item())
    assert exact(tensor(3, 2).sum()) == [3] and torch.zeros_like(x)[:0].sum().item() == 0


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)),
                                    ((5, 2, 3), (5, 3, 4)),
                                    ((5, 2, 3), (3, 4)), ((2, 1, 2, 3), (1, 5, 3, 4)), ((2, 3, 2, 3), (3,))],
                         ids=str)
def test_products(shapes):
    of = (torch.float32, 2)
    x, y = some(of, *shapes[0]), some(of, *shapes[1])
    a, b = (np.array(exact(z), dtype=object).reshape(z.shape) for z in (x, y))
    wanted, size = np.ravel(np.matmul(a, b)), np.ravel(np.matmul(abs(a), abs(b)))

    def check(found, wanted, size):
        assert isinstance(found, MCTensor) and found.nc == 2
        for got, w, s in zip(exact(found), wanted, size, strict=True):
            assert abs(got - w) <= 64 * Fraction(1, 2**48) * s

    check(x @ y, wanted, size)
    assert (x @ y).shape == np.matmul(np.ones(shapes[0]), np.ones(shapes[1])).shape
    plain = y.evaluate()
    c = np.array(exact(tensor(plain, 1)), dtype=object).reshape(b.shape)
    check(x @ plain, np.ravel(np.matmul(a, c)), np.ravel(np.matmul(abs(a), abs(c))))
    plain = x.evaluate()
    c = np.array(exact(tensor(plain, 1)), dtype=object).reshape(a.shape)
    check(plain @ y, np.ravel(np.matmul(c, b)), np.ravel(np.matmul(abs(c), abs(b))))
    dims = (len(shapes[0]), len(shapes[1]))
    name = {(1, 1): "dot", (2, 1): "mv", (2, 2): "mm"}.get(dims) or ("bmm" if dims == (3, 3) else None)
    if name:
        assert torch.equal(getattr(torch, name)(x, y), x @ y)


def test_sums_of_products():
    x, y, c = some((torch.float64, 2), 2, 3), some((torch.float64, 2), 3, 4), some((torch.float64, 2), 4)
    for found, wanted in ((torch.addmm(c, x, y, beta=0.5, alpha=2), c * 0.5 + (x @ y) * 2),
                          (torch.nn.functional.linear(x, y.T, c), x @ y + c),
                          (torch.einsum("ij,jk->ki", x, y), (x @ y).T),
                          (torch.addcmul(x, x, x.fc, value=0.1), x + x * x.fc * 0.1),
                          (torch.addcdiv(x, x.fc, x, value=3), x + x.with_components(2) * 0 + x.fc / x * 3),
                          (torch.lerp(x, x + 1, 0.25), x + 0.25)):
        assert torch.allclose(found, wanted, rtol=1e-29, atol=1e-29)
    with pytest.raises(RuntimeError):
        x @ x


def test_copies_and_files():
    x = MCTensor(2, 3, nc=3, dtype=torch.float32, requires_grad=True)
    (x * x).sum().backward()
    y = copy.deepcopy(x)
    assert torch.equal(x, y) and y.requires_grad and torch.equal(y.grad, x.grad)
    assert y.tensor.data_ptr() != x.tensor.data_ptr()
    z = pickle.loads(pickle.dumps(x))
    assert isinstance(z, MCTensor) and torch.equal(z, x) and z.requires_grad
    file = io.BytesIO()
    torch.save({"w": torch.nn.Parameter(x.detach())}, file)
    file.seek(0)
    z = torch.load(file, weights_only=True)["w"]
    assert isinstance(z, MCTensor) and isinstance(z, torch.nn.Parameter) and torch.equal(z, x)
    assert x.detach().half().nc == 3 and x.to("cpu") is x and x.to(torch.float64).dtype == torch.float64
    assert x.to("meta").shape == (2, 3)


@pytest.mark.parametrize("nc", [1, 2, 3])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_tensors_of_whole_numbers(dtype, nc):
    whole = torch.tensor([3, 2, -5000, 1023, 0, 2**24 - 1])
    x = tensor(whole, nc=nc, dtype=dtype)
    assert exact(x) == [Fraction(n) for n in whole.tolist()] and torch.equal(x.fc, whole.to(dtype))
    ones = tensor([1.0] * 6, nc=nc, dtype=dtype)
    assert torch.equal(ones * whole, x) and torch.equal(ones + whole, x + 1) and torch.equal(ones - whole, 1 - x)
    assert torch.equal((ones * 6) / torch.tensor(3), ones * 2) and torch.equal(whole / ones, x)
    assert (x == whole).all() and not (x < whole).any() and (x == torch.tensor(3)).tolist() == [True] + 5 * [False]
    assert torch.equal(torch.where(ones > 2, ones, whole), x) and torch.equal(ones.clone().copy_(whole), x)
    assert torch.equal((ones * 2) ** torch.tensor(3), ones * 8)
    assert ones.masked_fill(whole > 0, torch.tensor(7)).tolist()[0] == 7
    if nc > 1 and dtype == torch.float64:  # both components are needed
        ends = torch.tensor([2**63 - 1, -(2**63), 2**53 + 1, -(2**62) - 1])
        assert exact(tensor(ends, nc=nc, dtype=dtype)) == [Fraction(n) for n in ends.tolist()]
        ends = torch.tensor([2**64 - 1, 2**63, 2**53 + 1, 3, 0], dtype=torch.uint64)
        assert exact(tensor(ends, nc=nc, dtype=dtype)) == [Fraction(n) for n in ends.tolist()]


def test_smoothed_labels():
    x, labels = torch.randn(4, 3, dtype=torch.float64), torch.tensor([0, 2, -100, 1])
    for reduction in ("mean", "sum", "none"):
        loss = torch.nn.functional.cross_entropy
        wanted = loss(x, labels, label_smoothing=0.1, reduction=reduction)
        found = loss(tensor(x), labels, label_smoothing=0.1, reduction=reduction)
        assert torch.allclose(found.evaluate(), wanted)


def test_memory_is_that_of_the_planes():
    x = tensor([["0.1", 2]], dtype=torch.float64)
    before = x.clone()
    assert not x.is_shared()
    assert x.share_memory_() is x and x.is_shared() and torch.equal(x, before)
    module = torch.nn.ParameterList([torch.nn.Parameter(x.clone())])
    module.share_memory()  # it read the memory of no components
    assert module[0].is_shared() and torch.equal(module[0], before)


REFUSED = {
    "apply": lambda x: x.apply_(lambda number: number + 1), "dlpack": lambda x: np.from_dlpack(x),
    "dlpack of PyTorch": lambda x: torch.from_dlpack(x),
    "cumsum": lambda x: x.cumsum(0), "prod": lambda x: x.prod(), "fft": lambda x: torch.fft.fft(x),
    "remainder": lambda x: x % 2, "floor": lambda x: x.floor(), "numpy": lambda x: x.numpy(),
    "array": lambda x: np.asarray(x), "whole": lambda x: x.int(), "out": lambda x: torch.add(x, x, out=torch.zeros(3)),
    "into plain": lambda x: torch.zeros(3).add_(x), "copied into plain": lambda x: torch.zeros(3).copy_(x),
    "too many components": lambda x: x.add_(x.with_components(4)),
    "wider": lambda x: x.mul_(torch.ones(3, dtype=torch.float64)),
    "complex": lambda x: x * torch.ones(3, dtype=torch.complex64),
    "dtype": lambda x: MCTensor(3, nc=2, dtype=torch.int32),
    "gelu": lambda x: torch.nn.functional.gelu(x, approximate="tanh"), "text": lambda x: tensor(object()),
    "accumulate": lambda x: x.index_put((torch.tensor([0]),), x[:1], accumulate=True),
    "rounding": lambda x: torch.div(x, 2, rounding_mode="floor"),
}


@pytest.mark.parametrize("size", [(torch.ones(2),), ([1.5, 2],), (2.5,), ("abc",), (np.ones(2),), (None,)])
def test_values_in_place_of_a_size_are_named(size):
    with pytest.raises(TypeError, match=r"MCTensor\(\*size\): a size consists of whole numbers, not .*val="):
        MCTensor(*size)
    with pytest.raises(ValueError, match="negative dimension"):
        MCTensor(2, -1)
    assert MCTensor(np.int64(2)).shape == MCTensor([2]).shape == MCTensor(torch.Size([2])).shape == (2,)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_there_is_a_type_error(name):
    x = MCTensor(3, nc=2)
    before = x.clone()
    with pytest.raises(TypeError, match="[a-z]{3,} .*[a-z]{3,}"):
        REFUSED[name](x)
    assert torch.equal(x, before)


def test_other_errors():
    x = MCTensor(2, 3, nc=2)
    for f, error in ((lambda: MCTensor(2, nc=5), ValueError), (lambda: MCTensor(2, nc=0), ValueError),
                     (lambda: MCTensor(2, nc=2.0), TypeError),
                     (lambda: MCTensor(2, nc=4, dtype=torch.float16), ValueError),
                     (lambda: MCTensor((3,), nc=2, val=[1, 2]), ValueError), (lambda: x[2], IndexError),
                     (lambda: x.select(2, 0), IndexError), (lambda: x.unsqueeze(4), IndexError),
                     (lambda: x.sum(2), IndexError), (lambda: x.clamp(), RuntimeError),
                     (lambda: x + MCTensor(4, nc=2), RuntimeError), (lambda: x.item(), RuntimeError),
                     (lambda: from_components(torch.ones(2, 5)), ValueError), (lambda: tensor("no number"), ValueError),
                     (lambda: from_array([1]), TypeError), (lambda: MCTensor(2, nc=2, sparse_grad=True), TypeError)):
        with pytest.raises(error):
            f()


def test_plain_operands_have_the_promoted_type():
    x, h = MCTensor(1, nc=2, val=[1.0], dtype=torch.float32), torch.tensor([300.0], dtype=torch.float16)
    assert exact(torch.addcmul(x, h, h)) == [90001]
    assert exact(torch.addmm(x, h[None], h[None])) == [90001]
    assert exact(torch.add(x, h * 200, alpha=2)) == [120001]
    y = MCTensor(1, nc=4, val=[1.0], dtype=torch.float64)
    assert exact(torch.add(y, torch.ones(1, dtype=torch.bfloat16), alpha=0.5)) == [Fraction(3, 2)]
    parts = torch.cat(
        [MCTensor(1, nc=2, val=[1.0], dtype=torch.float16), torch.tensor([2**20 + 1]), y.with_components(2)])
    assert exact(parts) == [1, 2**20 + 1, 1]


def test_comparisons_are_exact():
    x = MCTensor(1, nc=2, val=[2.0**60], dtype=torch.float32)
    assert not (x == 2**60 + 1).any() and (x < torch.tensor([2**60 + 1])).all() and (x == 2**60).all()
    assert (MCTensor(1, nc=1, val=[1.0], dtype=torch.float32) < torch.tensor(1 + 2.0**-40, dtype=torch.float64)).all()


def test_shapes_and_places_are_checked():
    v, m, b = MCTensor(3, nc=2), MCTensor(3, 3, nc=2), MCTensor(2, 3, 3, nc=2)
    for f in (lambda: torch.dot(m, m), lambda: torch.mm(v, v), lambda: torch.mm(b, b), lambda: torch.mv(v, v),
              lambda: torch.bmm(b, b[:1]), lambda: v.tril(), lambda: v.triu(),
              lambda: torch.nn.functional.layer_norm(m, (2,))):
        with pytest.raises(RuntimeError):
            f()
    for f in (lambda: torch.nn.functional.embedding(torch.tensor([-1]), m),
              lambda: torch.nn.functional.nll_loss(m, torch.tensor([0, -1, 1])),
              lambda: torch.nn.functional.nll_loss(m, torch.tensor([0, 3, 1]))):
        with pytest.raises(IndexError):
            f()


def test_one_number():
    x = tensor(3.0)
    assert torch.linalg.vector_norm(x, 0).item() == 1 and x.argmax(0).item() == 0


def test_values_of_another_type_keep_their_derivative():
    w = torch.ones(2, dtype=torch.float32, requires_grad=True)
    MCTensor(2, val=w, dtype=torch.float64).sum().backward()
    assert torch.equal(w.grad, torch.ones(2))
    with pytest.raises(TypeError, match="require a gradient"):
        MCTensor(2, val=w.double(), dtype=torch.float32)


def test_losses_keep_all_components_of_plain_targets():
    x, t = MCTensor(1, nc=2, val=[0.5], dtype=torch.float32), torch.tensor([2.0**-30])
    target = MCTensor(1, nc=2, val=[2.0**-30], dtype=torch.float32)
    f = torch.nn.functional.binary_cross_entropy
    assert exact(f(x, t)) == exact(f(x, target))
    d = MCTensor(1, nc=2, val=[4.0], dtype=torch.float32)
    assert exact(torch.nn.functional.smooth_l1_loss(d, torch.zeros(1), beta=3.0)) == [Fraction(5, 2)]


def test_numbers_of_fake_tensors_are_not_kept():
    x = MCTensor((3,), nc=2, val=[1.0, 2.0, 3.0])
    with torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True):
        x * 0.31257
    assert type((x * 0.31257)._planes) is torch.Tensor


def test_places_of_all_elements_keep_dimensions():
    x = MCTensor((2, 3), nc=2, val=torch.tensor([[1.0, 5.0, 2.0], [3.0, -1.0, 4.0]]))
    assert x.argmax(keepdim=True).tolist() == [[1]] and x.argmin(keepdim=True).tolist() == [[4]]
    assert x.argmax().shape == ()


def test_results_belong_to_the_device_of_tensors_beside_numbers():
    """By fake tensors of a GPU: a number of the CPU on either side; other mixtures are refused, as by PyTorch."""
    with torch._subclasses.FakeTensorMode():
        x = from_components(torch.empty(3, 2, dtype=torch.float64, device="cuda"))
        number, other = torch.tensor(2.0, dtype=torch.float64), from_components(torch.empty(3, 2, dtype=torch.float64))
        for result in (number * x, x * number, number - x, number < x, x > 2**60, x.exp(), x @ x):
            assert result.device.type == "cuda"
        with pytest.raises(RuntimeError, match="MCTensor: tensors on cuda:0 and cpu"):
            x + other


class Numbers(torch.utils.data.Dataset):
    """A tensor and a whole number each."""

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return tensor(["0.1", str(i)]), i


@pytest.mark.parametrize("workers", [0, 1])
def test_batches_of_a_data_loader(workers):
    """A worker sends the components through shared memory."""
    loader = torch.utils.data.DataLoader(Numbers(), batch_size=2, num_workers=workers, timeout=60 if workers else 0)
    for i, (x, places) in enumerate(loader):
        assert type(x) is MCTensor and places.tolist() == [2 * i, 2 * i + 1]
        assert torch.equal(x, tensor([["0.1", str(2 * i)], ["0.1", str(2 * i + 1)]]))
