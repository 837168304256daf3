"""Values of PyTorch's tensors: where they are kept, and that results may be written."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

import mctensor as mct  # noqa: E402
from mctensor import geometry  # noqa: E402
from mctensor.attention import attention  # noqa: E402


def test_signs_that_pytorch_keeps_beside_the_memory():
    x = torch.complex(torch.zeros(2, 3), torch.full((2, 3), -0.1)).to(torch.complex128).conj().imag
    plain = x.clone()
    assert x.is_neg() and not plain.is_neg()
    assert mct.array_equal(mct.array(x), plain.numpy())
    ball = geometry.PoincareBall()
    assert torch.equal(ball.logmap0(x), ball.logmap0(plain))
    assert torch.equal(attention(x, x, x), attention(plain, plain, plain))
    with pytest.raises(ValueError, match="sign"):
        mct.from_planes(x, "f64x2")


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16])
def test_results_that_a_backward_pass_needs(kind):
    """Attention's derivatives read its values: one that was written is an error, as of PyTorch's own attention. Those of
    16 bits are rounded from others, which nobody can write."""
    q = torch.linspace(0.1, 0.2, 24).reshape(1, 1, 6, 4).to(kind).requires_grad_()
    y = attention(q, q, q)
    (y + 1).sum().backward()
    assert q.grad.isfinite().all() and q.grad.any()
    y = attention(q, q, q)
    y += 1
    if kind == torch.bfloat16:
        y.sum().backward()
        return
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_results_of_manifolds_may_be_written():
    x = torch.full((1, 2), 0.1, dtype=torch.float64, requires_grad=True)
    for result in (geometry.PoincareBall().dist(x, -x), geometry.PoincareBall().expmap0(x),
                   geometry.PoincareBall(dtype="f64x2").dist(x, -x)):
        result *= 2
        result.sum().backward()
    assert x.grad.isfinite().all()
