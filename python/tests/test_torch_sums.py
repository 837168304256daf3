"""Exact sums of tensors beside fractions, and as operators of PyTorch."""
from fractions import Fraction

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor import _torch_sums  # noqa: E402
from mctensor.torch import exact  # noqa: E402

F64 = torch.float64
KINDS = [F64, torch.float32, torch.float16, torch.bfloat16]


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(7)


def numbers(dtype, *shape, spread=12):
    """Of exponents far apart, of which half cancel others but for a last bit, and ties."""
    x = torch.randn(shape, dtype=F64) * 2.0 ** torch.randint(-spread, spread // 2, shape)
    x[..., 1::2] = -x[..., ::2][..., :x[..., 1::2].shape[-1]] * (1 + torch.finfo(dtype).eps)
    return x.to(dtype)


def rounded(fraction, dtype):
    """The nearest number of a type, ties to even; for float64 Python's own division."""
    if dtype == F64:
        return float(fraction)
    info = torch.finfo(dtype)
    digits = {torch.float32: 24, torch.float16: 11, torch.bfloat16: 8}[dtype]
    if not fraction:
        return 0.0
    size, least = abs(fraction), Fraction(info.smallest_normal)
    exponent = 0
    while size >= least * 2 ** (exponent + 1):
        exponent += 1
    unit = least * 2**exponent / 2 ** (digits - 1)
    return float(round(fraction / unit) * unit)


def fractions_of(x):
    return [Fraction(v) for v in x.double().tolist()]


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.parametrize("terms", [1, 2, 7, 4100])
def test_values(dtype, terms):
    x, y = numbers(dtype, 3, terms), numbers(dtype, 3, terms, spread=8)
    for found, each in ((exact.sum(x, -1), [sum(fractions_of(row)) for row in x]),
                        (exact.mean(x, -1), [sum(fractions_of(row)) / terms for row in x]),
                        (exact.dot(x, y), [sum(a * b for a, b in zip(fractions_of(p), fractions_of(q)))
                                           for p, q in zip(x, y)])):
        assert found.dtype == dtype
        assert found.tolist() == [rounded(fraction, dtype) for fraction in each]
    assert torch.equal(exact.sum(x[:, torch.randperm(terms)], -1), exact.sum(x, -1))


def test_ties_and_special_values():
    for dtype in KINDS:
        half = torch.tensor(torch.finfo(dtype).eps / 2, dtype=dtype)
        tiny = torch.tensor(torch.finfo(dtype).smallest_normal, dtype=dtype)
        one = torch.ones((), dtype=dtype)
        assert exact.sum(torch.stack([one, half])) == 1
        assert exact.sum(torch.stack([one, half, tiny])) == 1 + 2 * half
        ones = torch.ones(3, dtype=dtype)
        assert exact.dot(torch.stack([one, half, tiny]), ones) == 1 + 2 * half
        large = torch.tensor(torch.finfo(dtype).max, dtype=dtype)
        assert exact.sum(torch.stack([large, large, -large])) == large
        infinite = torch.tensor([1, float("inf")], dtype=dtype)
        assert exact.sum(infinite) == exact.mean(infinite) == float("inf")
        assert exact.sum(torch.cat([infinite, -infinite])).isnan()
    assert exact.sum(torch.ones(0)) == 0 and exact.sum(torch.ones(2, 0), 1).tolist() == [0, 0]
    assert exact.mean(torch.ones(0)).isnan()


def test_a_list_beside_narrow_numbers_is_rounded_once():
    """A double nearest to the exact sum would be a tie, and go the other way."""
    for dtype in KINDS[1:]:
        half = torch.finfo(dtype).eps / 2
        for tiny in (2.0**-60, -2.0**-60):
            found = exact.dot(torch.ones(3, dtype=dtype), [1 + 2 * half, half, tiny])
            assert found.dtype == dtype and found == 1 + (4 if tiny > 0 else 2) * half
    x = torch.ones(3, dtype=torch.float32, requires_grad=True)
    assert torch.autograd.grad(exact.dot(x, [1.0, 2.0, 4.0]), x)[0].tolist() == [1, 2, 4]


def test_dimensions_and_errors():
    x = torch.randn(2, 3, 4)
    for dim in (None, 0, -1, (0, 2), (-1, 1), (0, 1, 2)):
        for keepdim in (False, True):
            found = exact.sum(x, dim, keepdim)
            torch.testing.assert_close(found, x.sum(dim, keepdim))
            torch.testing.assert_close(exact.mean(x, dim, keepdim), x.mean(dim, keepdim))
    assert exact.sum(torch.tensor(3.0)) == 3 and exact.dot(x, x[0, 0]).shape == (2, 3)
    assert exact.dot(x, x[0, 0].double()).dtype == F64
    for call, error, words in ((lambda: exact.sum(x, 3), IndexError, "dim 3"),
                               (lambda: exact.sum(x, (0, -3)), ValueError, "twice"),
                               (lambda: exact.dot(x, x[..., :2]), ValueError, "must be equal"),
                               (lambda: exact.dot(x, torch.tensor(1.0)), ValueError, "must be equal")):
        with pytest.raises(error, match=words):
            call()


def test_operators():
    x, y = torch.randn(3, 5, dtype=F64).requires_grad_(), torch.randn(5, dtype=F64).requires_grad_()
    for operator, operands in ((_torch_sums.SUM, (x,)), (_torch_sums.MEAN, (x,)), (_torch_sums.DOT, (x, y, F64))):
        torch.library.opcheck(operator, operands)
        assert torch.autograd.gradcheck(operator, operands) and torch.autograd.gradgradcheck(operator, operands)

    def loss(a, b):
        return exact.sum(exact.dot(a, b).square()) + exact.mean(a, 0)[0]

    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")
    for a, b in zip(torch.autograd.grad(compiled(x, y), (x, y)), torch.autograd.grad(loss(x, y), (x, y))):
        assert torch.equal(a, b)
    batch = torch.randn(4, 3, 5, dtype=F64)
    for f, in_dims, args in ((exact.sum, (0,), (batch,)), (lambda a: exact.mean(a, 1), (1,), (batch,)),
                             (exact.dot, (0, None), (batch, y.detach()))):
        rows = [f(*(a if d is None else a.select(d, i) for a, d in zip(args, in_dims)))
                for i in range(args[0].shape[in_dims[0]])]
        assert torch.equal(torch.func.vmap(f, in_dims)(*args), torch.stack(rows))
    hessian = torch.func.jacrev(torch.func.jacrev(lambda b: loss(x.detach(), b)))(y.detach())
    torch.testing.assert_close(hessian, 2 * x.detach().T @ x.detach())
