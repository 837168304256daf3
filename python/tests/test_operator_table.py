"""Every operator of torch.ops.mctensor, from the dispatcher's own list: opcheck, first and second derivatives beside
differences, fullgraph=True, vmap. One that has no case here fails. Of f64x2, which has the same formulas, every sixth is
called, another one in each test."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch 2.4 or later is not installed")

from mctensor import (_torch_attention, _torch_device_attention, _torch_geometry, _torch_hype,  # noqa: E402
                      _torch_pairs, _torch_sums, geometry)
from torch.autograd import forward_ad  # noqa: E402
from test_operators import CHEAP, operands_of, points_of  # noqa: E402
from test_second_derivatives import on_sheet  # noqa: E402

F64 = torch.float64
#: coordinates that move freely as points: where the models' own do not
FREE = {"Lorentz": (lambda x: x[..., 1:], on_sheet),
        "Sphere": (lambda x: x, lambda x: torch.nn.functional.normalize(x, dim=-1)),
        "Hemisphere": (lambda x: x[..., :-1], lambda x: torch.nn.functional.normalize(
            torch.cat([x, torch.ones_like(x[..., :1])], -1), dim=-1))}
#: of whose second operand only directions of length 1 are taken
ON_DIRECTIONS = ("busemann", "horosphere_projection")


class Case:
    """``operator(*tensors, *options)``; ``take``: what differences move, ``give``: the operands of that; ``twice``:
    it has second derivatives."""

    def __init__(self, operator, tensors, options=(), smooth=True, moves=None, take=None, give=None, out=None,
                 twice=True):
        self.operator, self.tensors, self.options, self.smooth = operator, tensors, options, smooth
        self.twice = twice
        self.moves = range(len(tensors)) if moves is None else moves
        self.take, self.give = take or (lambda i, x: x), give or (lambda i, x: x)
        self.out = out or (lambda x: x)

    def __call__(self, *moved):
        given = list(self.tensors)
        for i, x in zip(self.moves, moved):
            given[i] = self.give(i, x)
        return self.out(self.operator(*given, *self.options))

    def inputs(self):
        return [self.take(i, self.tensors[i]).detach().clone().requires_grad_() for i in self.moves]


def of_geometry(words, operator) -> Case:
    tensors, options = operands_of(words)
    model, name = words[-2:]
    # projections have kinks and directions a length; the derivative by the other operands is checked
    moves = [i for i in range(len(tensors)) if not (name in ON_DIRECTIONS and i == 2)]
    if model not in FREE:
        return Case(operator, tensors, options, moves=moves)
    take, give = FREE[model]
    points = [i for i, x in enumerate(tensors) if i > 0 and x.dim() > 1]
    return Case(operator, tensors, options, moves=[i for i in moves if i > 0],
                take=lambda i, x: take(x) if i in points else x, give=lambda i, x: give(x) if i in points else x)


def of_pairs(words, operator) -> Case:
    tensors, _ = operands_of(words)
    free = of_geometry(words, operator)
    return Case(operator, [torch.stack([x, 0 * x], -1) for x in tensors], moves=free.moves,
                take=lambda i, x: free.take(i, x[..., 0]),
                give=lambda i, x: torch.stack([free.give(i, x), 0 * free.give(i, x)], -1), out=lambda x: x[..., 0])


def cases() -> dict:
    torch.manual_seed(11)
    found = {}
    for words, operator in _torch_geometry.OPERATORS.items():
        found[_torch_geometry.TABLE[words].name] = of_geometry(words, operator)
    for words, operator in _torch_pairs.OPERATORS.items():
        found["_".join(words) + "_f64x2"] = of_pairs(words, operator)
    one = torch.tensor(1.0, dtype=F64)
    for model, operator in _torch_geometry.ROUND.items():
        found[f"{model}_round"] = Case(operator, [one, points_of(model)], (F64,), moves=[1])
    for (cones, model), operator in _torch_geometry.CONTAINS.items():
        found[f"{cones}_{model}_contains"] = Case(operator, operands_of((cones, model, "cone_angle"))[0], smooth=False)
    q, k, v = (torch.randn(2, n, 3, dtype=F64) for n in (3, 4, 4))
    scale, bias = torch.tensor([[[0.6]], [[1.1]]], dtype=F64), torch.randn(3, 4, dtype=F64)
    found["attention"] = Case(lambda *x: _torch_attention.ATTENTION(*x[:6], None, *x[6:])[0],
                              [q, k, v, scale, scale + 0.3, bias], ("half-space", True, 0.0, 0, 0),
                              moves=[0, 1, 2, 3, 5])
    # rows of a neighbourhood, then its columns
    edges = torch.tensor([0, 2, 2, 5, 3, 0, 1, 2, 3])
    found["attention along edges"] = Case(lambda *x: _torch_attention.ATTENTION(*x[:5], None, edges, *x[5:])[0],
                                          [q, k, v, scale, scale + 0.3], ("penumbral", False, 0.0, 0, 0))
    wide = [torch.cat([x, x[..., :1] - 0.3], -1) for x in (q, k)]
    found["product_attention"] = Case(_torch_attention.PRODUCT, [*wide, v, torch.tensor([0.7, 0.5], dtype=F64)],
                                      (None, ["half-space", "ball"], [2, 2], False), twice=False)
    places, mu = torch.arange(3.0, dtype=F64).unsqueeze(-1), torch.tensor([[0.1], [0.2]], dtype=F64)
    found["hype_queries"] = Case(_torch_hype.QUERIES, [places, mu, mu + 1], (4, 2))
    found["hype_keys"] = Case(_torch_hype.KEYS, [places, mu], (4, 2))
    found["exact_sum"], found["exact_mean"] = (Case(f, [bias]) for f in (_torch_sums.SUM, _torch_sums.MEAN))
    found["exact_dot"] = Case(_torch_sums.DOT, [bias, bias[0]], (F64,))
    return found


CASES = cases()
PARTS = 6


def part_of(part: int, pairs: int) -> dict:
    long = [name for name in CASES if name.endswith("_f64x2")]
    names = [name for name in CASES if not name.endswith("_f64x2")] + long[pairs::6]
    return {name: CASES[name] for name in names[part::PARTS]}


def registered() -> set:
    return {name[len("mctensor::"):] for name in torch._C._dispatch_get_all_op_names() if name.startswith("mctensor::")}


def test_every_operator_has_a_case():
    """A derivative is checked with its operator, whose first and second derivatives ask for it."""
    names = registered()
    bases = {name for name in names if not name.endswith(("_backward", "_second"))}
    # "attended" is of CUDA tensors alone: test_torch_device_attention.py
    assert bases == {name.split()[0] for name in CASES} | {"attended"}
    for name, case in CASES.items():
        if case.smooth and not name.startswith("exact") and not name.endswith("_round"):
            kinds = ("backward", "second") if case.twice else ("backward",)
            assert {f"{name.split()[0]}_{kind}" for kind in kinds} <= names
    assert {name.removesuffix("_backward").removesuffix("_second") for name in names} == bases


@pytest.mark.parametrize("part", range(PARTS))
def test_derivatives(part):
    for name, case in part_of(part, 0).items():
        if not case.smooth:
            assert not case(*case.inputs()).is_floating_point()
            continue
        inputs = case.inputs()
        try:
            assert torch.autograd.gradcheck(case, inputs, fast_mode=True, atol=1e-5, rtol=1e-4)
            if case.twice:
                assert torch.autograd.gradgradcheck(case, inputs, fast_mode=True, atol=1e-4, rtol=1e-3)
        except Exception as error:
            raise AssertionError(name) from error


@pytest.mark.parametrize("part", range(PARTS))
def test_checks_of_pytorch_compiled_and_mapped(part):
    chosen = list(part_of(part, 1).values())
    given = [[x.detach() for x in case.inputs()] for case in chosen]
    expected = [case(*inputs) for case, inputs in zip(chosen, given)]
    for case, inputs, result in zip(chosen, given, expected):
        if case not in (CASES["attention"], CASES["attention along edges"]):
            torch.library.opcheck(case.operator, (*case.tensors, *case.options), test_utils=CHEAP)
        mapped = torch.func.vmap(case)(*(torch.stack([x, x]) for x in inputs))
        torch.testing.assert_close(mapped, torch.stack([result, result]), rtol=1e-12, atol=1e-12)
    torch._dynamo.reset()
    compiled = torch.compile(lambda all: [case(*inputs) for case, inputs in zip(chosen, all)], fullgraph=True,
                             backend="eager")
    for found, result in zip(compiled(given), expected):
        assert torch.equal(found, result)


def placed(name: str, case: Case):
    """The operands of a case as fake tensors of a GPU, but those that are numbers, which stay on the CPU."""
    inside = int(name.endswith("_f64x2"))
    return [torch.empty(x.shape, dtype=x.dtype, device="cpu" if i == 0 or x.dim() <= inside else "cuda")
            for i, x in enumerate(case.tensors)]


@pytest.mark.parametrize("model", ["PoincareBall", "HalfSpace", "Lorentz", "Stereographic"])
def test_results_belong_to_the_devices_of_operands(model):
    """The shapes and devices that PyTorch is told, which results are moved to: values on the GPU, gradients on the
    devices of their operands."""
    with torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True):
        for name, case in CASES.items():
            if model not in name or name.endswith(("_round", "_contains")):
                continue
            given = placed(name, case)
            value = case.operator(*given, *case.options)
            wanted = [True] * len(given)
            base = getattr(torch.ops.mctensor, f"{name}_backward").default
            gradients = base(torch.empty_like(value), *given, *case.options, wanted)
            assert value.device.type == "cuda", name
            assert [g.device for g in gradients] == [x.device for x in given], name
            second = getattr(torch.ops.mctensor, f"{name}_second").default(
                torch.empty_like(value), *given, *case.options, *given, [*wanted, True])
            assert [g.device for g in second] == [*(x.device for x in given), value.device], name


def test_results_of_attention_belong_to_the_devices_of_operands():
    """A bias, gamma and radius of the CPU are taken beside queries and keys of a GPU."""
    with torch._subclasses.FakeTensorMode():
        there = [torch.empty(2, n, 3, dtype=F64, device="cuda") for n in (3, 4, 4)]
        given = [*there, *(torch.empty(shape, dtype=F64) for shape in ((2, 1, 1), (), (3, 4)))]
        about = "umbral", False, 0.0, 0, 0
        value, sums = _torch_attention.ATTENTION(*given, None, *about)
        assert value.device.type == sums.device.type == "cuda"
        wanted = [True] * 6
        found = _torch_attention.BACKWARD(value, *given, None, value, sums, *about, wanted)
        assert [g.device for g in found] == [x.device for x in given]
        found = _torch_attention.SECOND(value, *given, None, *about, *given, [*wanted, True])
        assert [g.device for g in found] == [*(x.device for x in given), value.device]


@pytest.mark.skipif(not hasattr(torch.library, "register_vmap"), reason="PyTorch 2.4 has no such fake tensors")
def test_numbers_of_the_cpu_beside_points_of_a_gpu():
    """On fake tensors: mapped, beside several radii, and not the other way round."""
    ball, pairs = geometry.PoincareBall(), geometry.PoincareBall(dtype="f64x2")
    with torch._subclasses.FakeTensorMode():
        x, y = (torch.empty(4, 3, 2, dtype=F64, device="cuda") for _ in range(2))
        number, radii = torch.empty((), dtype=F64), torch.empty(4, 1, dtype=F64)
        here = torch.empty(3, 2, dtype=F64)
        for result in (torch.vmap(lambda a: ball.frechet_mean(a, number, 0))(x),
                       torch.vmap(lambda a, b: ball.geodesic(number, a, b))(x, y),
                       torch.vmap(lambda a: pairs.mobius_scalar_mul(torch.empty(2, dtype=F64), a))(x),
                       torch.vmap(lambda a: ball.frechet_mean(a, number, 0))(x[:0]),
                       _torch_geometry.operate("PoincareBall", "mobius_scalar_mul", radii, (number, x))):
            assert result.device.type == "cuda"
        for wrong in (lambda: ball.frechet_mean(here, torch.empty(3, dtype=F64, device="cuda"), 0),
                      lambda: ball.geodesic(number.to("cuda"), here, here)):
            with pytest.raises(ValueError, match="tensors on cpu and cuda:0; those of one device are taken"):
                wrong()
        with pytest.raises(ValueError, match=r"frechet_mean: dimension 5 of points of shape \(4, 3, 2\)"):
            ball.frechet_mean(x, torch.empty(3, dtype=F64, device="cuda"), 5)


def test_attention_with_a_bias_that_may_be_learned_has_no_program():
    """Levels of torch.func hide from each other whether its gradient is asked for."""
    q, k, v, bias = (torch.randn(2, n, m) for n, m in ((3, 8), (4, 8), (4, 8), (3, 4)))
    found = []

    def ask(b):
        found.append(_torch_device_attention.has_program([q, k, v, None, None, b], None, {"dropout": 0.0}, q.dtype))
        return b.sum()

    with forward_ad.dual_level():
        ask(forward_ad.make_dual(bias, bias))
    torch.vmap(ask)(bias), torch.func.grad(ask)(bias), torch.func.grad(lambda b: torch.vmap(ask)(b).sum())(bias)
    torch.func.jvp(ask, (bias,), (bias,)), ask(bias.clone().requires_grad_())
    assert found == [False] * 6
    with torch.no_grad():
        ask(bias.clone().requires_grad_()), ask(bias)
    assert found[6:] == [True, True]
