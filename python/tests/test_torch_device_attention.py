"""Attention of tensors in the memory of a device, beside the CPU's in float64.

As in test_torch_device.py, the device is the one of the C++ tests unless there is a GPU. The simulated one has the
programs of some widths and scores (tests/cuda/simulated/attention.cpp)."""
import weakref

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor import _core, _torch_device, attention  # noqa: E402

if not (_core.device_is_simulated() or torch.cuda.is_available()):
    pytest.skip("no device: the package has neither the simulated one nor a GPU", allow_module_level=True)

THERE = "cpu" if _core.device_is_simulated() else "cuda"


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(7)


def operands(queries=5, keys=9, d=13, e=11, dtype=torch.float32):
    sizes = (queries, d, 0.4), (keys, d, 0.4), (keys, e, 1)
    q, k, v = (torch.randn(2, 2, n, width) * size for n, width, size in sizes)
    gamma, radius = torch.tensor([0.7, 1.3]).reshape(2, 1, 1), torch.tensor([1.5, 0.9]).reshape(2, 1, 1)
    return [x.to(dtype) for x in (q, k, v, gamma, radius)]


def neighbours(queries, keys):
    """Starts and columns, with a query that has no edges and an edge that is there twice."""
    counts = torch.tensor([0, 1, 7, keys + 30, 4][:queries])
    starts = torch.cat([torch.zeros(1, dtype=torch.int64), counts.cumsum(0)])
    return starts, torch.randint(keys - 1, (int(starts[-1]),))


def results(given, comparison, where, edges=None, **more):
    """The values and the gradients of q, k, v, gamma and radius; where it is "cpu", in float64."""
    kind = torch.float64 if where == "cpu" else None
    leaves = [x.detach().to(where.split("-")[0], kind or x.dtype).requires_grad_() for x in given]
    if where != "cpu":
        _torch_device.simulates = True
    try:
        numbers = dict(gamma=leaves[3], radius=leaves[4])
        if edges is None:
            value = attention.attention(*leaves[:3], comparison, **numbers, **more)
        else:
            value = attention.attend_edges(*leaves[:3], *(x.to(leaves[0].device) for x in edges), comparison, **numbers)
        weights = torch.linspace(-1, 1, value.numel()).reshape(value.shape).to(value)
        gradients = torch.autograd.grad((value * weights).sum(), leaves, allow_unused=True)
    finally:
        _torch_device.simulates = False
    return [value.detach().cpu(), *(g if g is None else g.cpu() for g in gradients)]


def expect_near(given, comparison, of_values, of_gradients, **more):
    """Beside the mean of the values' size by the weights, and the largest number of a gradient."""
    there = results(given, comparison, "cpu-there" if THERE == "cpu" else THERE, **more)
    here = results(given, comparison, "cpu", **more)
    size = results([*given[:2], given[2].abs(), *given[3:]], comparison, "cpu", **more)[0]
    assert there[0].dtype == given[0].dtype and there[0].shape == here[0].shape
    assert ((there[0].double() - here[0]).abs() <= of_values * size).all(), comparison
    for number, (found, expected) in enumerate(zip(there[1:], here[1:])):
        used = not (comparison == "dot-product" and number > 2) and not (
            number == 4 and not comparison.startswith(("umbral", "penumbral", "entailment")))
        if not used:
            assert found is None or not found.any()
            continue
        error = (found.double() - expected).abs().max()
        assert error <= of_gradients * expected.abs().max(), (comparison, number, error / expected.abs().max())


@pytest.mark.parametrize("comparison", attention.COMPARISONS)
def test_every_comparison(comparison):
    """In float32: 2^-13 of the mean are the kernel's, as much for the maps in float32."""
    expect_near(operands(), comparison, 2**-12, 2**-10, causal=True)


def test_other_types_and_widths():
    expect_near(operands(dtype=torch.bfloat16), "umbral", 3 * 2**-8, 2**-3)  # a radius' is a sum of both signs
    expect_near(operands(dtype=torch.float16), "laplacian", 2**-10, 2**-8)
    expect_near(operands(dtype=torch.bfloat16), "ball", 3 * 2**-8, 2**-3)  # computed in float32
    expect_near(operands(3, 4, 72, 16), "dot-product", 2**-12, 2**-10)


def test_bias_and_hidden_keys():
    bias, hidden = torch.randn(5, 9), torch.rand(2, 1, 5, 9) < 0.3
    hidden[0, 0, 2] = True  # a query without keys
    expect_near(operands(), "umbral", 2**-12, 2**-10, bias=bias, hidden=hidden)
    expect_near(operands(), "umbral", 2**-12, 2**-10, hidden=hidden[0, 0, :, :])


@pytest.mark.parametrize("comparison", attention.COMPARISONS)
def test_edges(comparison):
    expect_near(operands(), comparison, 2**-12, 2**-10, edges=neighbours(5, 9))


def test_edges_of_other_types_and_widths():
    expect_near(operands(dtype=torch.float16), "laplacian", 2**-10, 2**-8, edges=neighbours(5, 9))
    expect_near(operands(dtype=torch.bfloat16), "umbral", 3 * 2**-8, 2**-3, edges=neighbours(5, 9))
    expect_near(operands(4, 20, 200, 131), "dot-product", 2**-12, 2**-10, edges=neighbours(4, 20))  # any width
    expect_near(operands(2, 6, 1, 1), "laplacian", 2**-12, 2**-10, edges=neighbours(2, 6))


def test_edges_that_are_none(monkeypatch):
    monkeypatch.setattr(_torch_device, "simulates", True)
    q, k, v, *_ = (x.to(THERE) for x in operands(3, 4, 3, 2))
    for starts, columns, message in (([0, 1, 2, 3], [0, 4, 1], r"columns\[1\] is 4, but there are 4 keys"),
                                     ([0, 1, 2, 3], [0, -1, 1], r"columns\[1\] is -1"),
                                     ([0, 2, 1, 3], [0, 1, 2], r"starts\[2\] is 1, below the one before, 2"),
                                     ([0, 1, 2, 3], [0, 1], r"starts\[3\] is 3, but there are 2 columns"),
                                     ([1, 1, 1, 1], [0], r"starts\[0\] is 1, not 0")):
        with pytest.raises(ValueError, match=message):
            attention.attend_edges(q, k, v, starts, columns)
    assert not attention.attend_edges(q, k, v, [0, 0, 0, 0], []).any()
    assert not attention.attend_edges(q, k[:, :, :0], v[:, :, :0], [0, 0, 0, 0], []).any()


@pytest.mark.parametrize("edges", [torch.zeros(1, dtype=torch.int64), torch.zeros(6, dtype=torch.int32),
                                   torch.zeros((6, 1), dtype=torch.int64)])
def test_operators_refuse_edges_that_they_cannot_read(edges):
    q, k, v, *_ = (x.to(THERE) for x in operands(5, 9))
    sums, values = q.new_zeros(q.shape[:-1]), q.new_zeros((*q.shape[:-1], v.shape[-1]))
    given = (q, None, k, None, v, None, edges.to(THERE))
    with pytest.raises(ValueError, match="starts and columns in one tensor of int64"):
        torch.ops.mctensor.attended(*given, "dot_product", False, False)
    with pytest.raises(ValueError, match="starts and columns in one tensor of int64"):
        torch.ops.mctensor.attended_backward(values, *given, values, sums, q.new_empty(0), "dot_product", False)


def test_no_keys_and_no_queries():
    q, k, v, *_ = operands()
    _torch_device.simulates = True
    try:
        nothing = attention.attention(q.to(THERE), k[:, :, :0].to(THERE), v[:, :, :0].to(THERE))
        assert nothing.shape == (2, 2, 5, 11) and not nothing.any()
        assert attention.attention(q[:, :, :0].to(THERE), k.to(THERE), v.to(THERE)).shape == (2, 2, 0, 11)
    finally:
        _torch_device.simulates = False


def test_what_has_no_program_is_computed_on_the_cpu(monkeypatch):
    q, k, v, *_ = operands()
    bias = torch.zeros(5, 9, requires_grad=True)
    edges = [0, 1, 7, 7, 8, 8], [0, 1, 2, 3, 4, 4, 8, 8]
    calls = [lambda q, k, v, b: attention.attention(q.double(), k.double(), v.double(), "umbral"),
             lambda q, k, v, b: attention.attention(q, k, v, dropout=0.5, seed=3),
             lambda q, k, v, b: attention.attention(q, k, v.repeat_interleave(20, -1)[..., :200]),
             lambda q, k, v, b: torch.autograd.grad(attention.attention(q, k, v, "umbral", bias=b).square().sum(), b)[0],
             lambda q, k, v, b: attention.attend_edges(q.double(), k.double(), v.double(), *edges, "penumbral")]
    here = [call(q, k, v, bias) for call in calls]
    monkeypatch.setattr(_torch_device, "simulates", True)
    given = [x.detach().to(THERE) for x in (q, k, v, bias)]
    given[3].requires_grad_()
    for call, expected in zip(calls, here):
        found = call(*given)
        assert found.device.type == THERE and torch.equal(found.cpu(), expected)
    with pytest.raises(ValueError, match=r"queries of shape \(2, 2, 5, 16\), keys of \(2, 2, 8, 16\)"):
        attention.attention(q.to(THERE), k.to(THERE)[:, :, 1:], v.to(THERE))


@pytest.mark.parametrize("comparison", ["dot-product", "umbral", "penumbral", "ball"])
@pytest.mark.parametrize("along_edges", [False, True])
def test_second_derivatives(comparison, along_edges):
    """A penalty on gradients, its gradients beside those of the CPU in float64; and along a direction."""
    given = [x.double() for x in operands()]
    edges = neighbours(5, 9)
    more = dict(hidden=torch.rand(5, 9) < 0.2) if comparison == "umbral" else dict(causal=True)

    def penalty(q, k, v, gamma, radius):
        numbers = dict(gamma=gamma, radius=radius)
        if along_edges:
            value = attention.attend_edges(q, k, v, *(x.to(q.device) for x in edges), comparison, **numbers)
        else:
            value = attention.attention(q, k, v, comparison, **more, **numbers)
        first = torch.autograd.grad(value.sin().sum(), (q, k, v, gamma), create_graph=True, allow_unused=True)
        return sum(g.square().sum() for g in first if g is not None)

    def derivatives(kind, where):
        leaves = [x.detach().to(where, kind).requires_grad_() for x in given]
        loss = penalty(*leaves)
        second = torch.autograd.grad(loss, leaves[:4], materialize_grads=True)
        return [x.detach().cpu().double() for x in (loss, *second)]

    def along(kind, where):
        leaves = [x.detach().to(where, kind) for x in given]

        def attended(q, v):
            return attention.attention(q, leaves[1], v, comparison, gamma=leaves[3], radius=leaves[4])

        def direction(q, v):
            return torch.func.jvp(attended, (q, v), (leaves[0] * 2, leaves[2] + 1))[1]

        both = torch.func.grad(lambda q, v: direction(q, v).square().sum(), (0, 1))(leaves[0], leaves[2])
        return [x.cpu().double() for x in (direction(leaves[0], leaves[2]), *both)]

    here = [*derivatives(torch.float64, "cpu"), *along(torch.float64, "cpu")]
    _torch_device.simulates = True
    try:
        there = [*derivatives(torch.float32, THERE), *along(torch.float32, THERE)]
    finally:
        _torch_device.simulates = False
    for a, b in zip(there, here):
        assert (a - b).abs().max() <= 2**-8 * b.abs().max()


def test_operator():
    """As PyTorch wants its operators: opcheck, compile and vmap."""
    q, k, v, gamma, _ = (x.to(THERE) for x in operands(e=8))
    given = (torch.nn.functional.pad(q, (0, 3)), None, torch.nn.functional.pad(k, (0, 3)), None, v, None, None,
             "laplacian", False, True)
    cheap = ("test_schema", "test_autograd_registration", "test_faketensor")
    operator = torch.ops.mctensor.attended.default
    torch.library.opcheck(operator, given, test_utils=(*cheap, "test_aot_dispatch_dynamic"))
    torch.library.opcheck(operator, [x.detach().clone().requires_grad_() if isinstance(x, torch.Tensor) else x
                                     for x in given], test_utils=cheap)
    one = torch.ops.mctensor.attended(*given)[0]
    batched = torch.func.vmap(lambda x, y, z: torch.ops.mctensor.attended(x, None, y, None, z, None, *given[6:])[0])(
        given[0], given[2], given[4])
    assert torch.equal(one, batched)
    along = [*given[:6], torch.cat(neighbours(5, 9)).to(THERE), *given[7:]]
    torch.library.opcheck(operator, along, test_utils=(*cheap, "test_aot_dispatch_dynamic"))
    torch.library.opcheck(operator, [x.detach().clone().requires_grad_() if isinstance(x, torch.Tensor) and i < 5 else x
                                     for i, x in enumerate(along)], test_utils=cheap)


@pytest.mark.skipif(THERE == "cpu", reason="no GPU")
def test_current_stream():
    given = [x.cuda() for x in operands()]
    expected = attention.attention(*given[:3], "umbral", gamma=given[3], radius=given[4])
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        found = attention.attention(*given[:3], "umbral", gamma=given[3], radius=given[4])
    stream.synchronize()
    assert torch.equal(found, expected)


def test_copies_are_held_while_kernels_run(monkeypatch):
    """An expanded gradient and a bias with strides are copied: nobody else may get the memory of the copies meanwhile."""
    from mctensor import _torch_device_attention as there
    placed, addresses, called = [], there._placed, []

    def remember(x):
        if x is not None:
            placed.append(weakref.ref(x))
        return addresses(x)

    def held(name, run):
        def call(*args):
            called.append(name)
            assert placed and all(x() is not None for x in placed)
            placed.clear()
            return run(*args)
        return call

    monkeypatch.setattr(there, "_placed", remember)
    for name in ("attention_there", "attention_derivatives_there"):
        monkeypatch.setattr(_core, name, held(name, getattr(_core, name)))
    q, k, v = (x.to(THERE).requires_grad_() for x in operands()[:3])
    edges = [x.to(THERE) for x in neighbours(5, 9)]
    bias = torch.zeros(5, 18, device=THERE)[:, ::2]
    _torch_device.simulates = THERE == "cpu"
    try:
        attention.attention(q, k, v, "umbral", bias=bias).sum().backward()
        attention.attend_edges(q, k, v, *edges, "umbral").sum().backward()
    finally:
        _torch_device.simulates = False
    assert called == ["attention_there", "attention_derivatives_there"] * 2
