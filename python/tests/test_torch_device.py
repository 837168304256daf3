"""MCAdamW in the memory of a device, beside the CPU's bits.

The device is the one of the C++ tests, which computes on the CPU: the tests run where the package is linked with it
(python/CMakeLists.txt). tests/device/torch_on_device.py runs them on a GPU."""
import contextlib
import copy
import os
import pathlib
import pickle
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

import ranks  # noqa: E402
from mctensor import _core, _torch_device  # noqa: E402
from mctensor import _torch_shards as shards  # noqa: E402
from mctensor.torch import MCAdamW, STRATEGIES  # noqa: E402

if not (_core.device_is_simulated() or torch.cuda.is_available()):
    assert "/simulated/" not in _core.__file__, "the package that has the simulated device does not find it"
    pytest.skip("no device: the package has neither the simulated one nor a GPU", allow_module_level=True)

#: with a GPU these are its tensors
THERE = "cpu" if _core.device_is_simulated() else "cuda"
SHAPES = [(5, 60), (17,), (2100,), (1,)]
#: parameters of 16 bits, and floats beside 16 bits that the optimizer keeps
both_kinds = pytest.mark.parametrize("kind", [{}, {"dtype": torch.float32, "strategy": "split16-plus"}],
                                     ids=["bfloat16", "float32"])


@contextlib.contextmanager
def device():
    """In it, tensors of THERE are those of the device."""
    _torch_device.simulates = True
    try:
        yield
    finally:
        _torch_device.simulates = False


def parameters(dtype, where, seed=1, shapes=SHAPES):
    draw = torch.Generator().manual_seed(seed)
    return [torch.nn.Parameter(torch.randn(shape, generator=draw).to(dtype).to(where)) for shape in shapes]


def set_gradients(params, seed):
    draw = torch.Generator().manual_seed(seed)
    for p in params:
        p.grad = torch.randn(p.shape, generator=draw).mul(0.1).to(p.dtype).to(p.device)


def bits(x):
    x = x.detach().cpu()
    return x.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])


def assert_same(there, here):
    """Two optimizers have the same weights, states and numbers of steps."""
    theirs = [p for group in there.param_groups for p in group["params"]]
    ours = [p for group in here.param_groups for p in group["params"]]
    assert len(theirs) == len(ours)
    for p, q in zip(theirs, ours):
        assert torch.equal(bits(p), bits(q))
        assert there.state[p].keys() == here.state[q].keys()
        for name, value in here.state[q].items():
            found = there.state[p][name]
            assert int(found) == value if name == "step" else torch.equal(bits(found), bits(value)), name


class Both:
    """An optimizer on the device and its like on the CPU."""

    def __init__(self, dtype=torch.bfloat16, groups=None, shapes=SHAPES, **options):
        self.params = {}
        for where, scope in (("there", device()), ("here", contextlib.nullcontext())):
            with scope:
                params = parameters(dtype, THERE if where == "there" else "cpu", shapes=shapes)
                self.params[where] = params
                setattr(self, where, MCAdamW(groups(params) if groups else params, **options))

    def set_gradients(self, seed):
        for params in self.params.values():
            set_gradients(params, seed)

    def step(self, **scaler):
        with device():
            self.there.step(**scaler)
        self.here.step(**scaler)
        assert_same(self.there, self.here)

    def train(self, steps=3, seed=5):
        for step in range(steps):
            self.set_gradients(seed + step)
            self.step()


def pairs():
    for strategy in STRATEGIES:
        for dtype in (torch.bfloat16, torch.float16, torch.float32):
            wants_split = strategy.startswith("split") and dtype == torch.float16
            if (strategy != "full" or dtype == torch.float32) and not wants_split:
                yield strategy, dtype


@pytest.mark.parametrize("strategy, dtype", list(pairs()), ids=str)
def test_every_strategy_gives_the_bits_of_the_cpu(strategy, dtype):
    both = Both(dtype, strategy=strategy, lr=0.01, seed=7, eps=1e-6, amsgrad=strategy in ("plus", "full"))
    both.train()
    assert both.there.last_report.elements == both.here.last_report.elements == 300 + 17 + 2100 + 1
    assert not both.there.last_report.skipped
    for p, q in zip(both.params["there"], both.params["here"]):
        with device():
            assert torch.equal(both.there.exact_weights(p).cpu(), both.here.exact_weights(q))


@pytest.mark.parametrize("strategy, dtype", [(s, d) for s, d in pairs() if d != torch.float32], ids=str)
def test_float_gradients_of_narrow_parameters(strategy, dtype):
    """They are not rounded, on the device as on the CPU."""
    both = Both(dtype, strategy=strategy, lr=0.01, seed=7, eps=1e-6)
    if not hasattr(both.params["here"][0], "grad_dtype"):
        pytest.skip("this PyTorch has no grad_dtype")
    both.train(1)
    for params in both.params.values():
        for p in params:
            p.grad = None
            p.grad_dtype = torch.float32
    draw = torch.Generator().manual_seed(3)
    for _ in range(2):
        for p, q in zip(*both.params.values()):
            q.grad = torch.randn(q.shape, generator=draw) * 0.1
            p.grad = q.grad.to(p.device)
        both.step()
    p = both.params["there"][1]
    p.grad = None
    p.grad_dtype = dtype
    p.grad = torch.zeros_like(p)
    with device(), pytest.raises(ValueError, match="tensor 1: a device takes floats .*of all tensors of a group"):
        both.there.step()


def test_groups_have_options_of_their_own():
    both = Both(groups=lambda p: [dict(params=p[:1], lr=0.1, strategy="light", betas=(0.8, 0.95)),
                                  dict(params=p[1:2], weight_decay=0.2, decay_mode="l2"),
                                  dict(params=p[2:], arithmetic="strict", strategy="plus", eps=1e-4)],
                lr=0.02, metrics=True)
    both.train()
    there, here = both.there.last_report, both.here.last_report
    assert there.updates == here.updates > 0 and there.lost_updates == here.lost_updates
    assert there.descent_quality == pytest.approx(here.descent_quality, rel=1e-5)


def test_maximize_and_decoupled_decay():
    both = Both(lr=0.02, maximize=True, decay_mode="decoupled", weight_decay=0.1, peak_lr=0.05)
    both.train(2)
    for optimizer in (both.there, both.here):
        optimizer.param_groups[0]["lr"] = 0.001
    both.train(2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_rates_in_the_memory_of_the_device_are_read_there(dtype):
    rate = torch.tensor(0.02, dtype=dtype, device=THERE)
    both = Both(lr=rate, decay_mode="decoupled", peak_lr=0.5)
    for step in range(3):
        both.set_gradients(step)
        rate.fill_(0.1 / (step + 1))
        both.step()
    assert both.there.param_groups[0]["peak_lr"] == 0.5


def test_a_rate_that_is_none_skips_the_step():
    rate = torch.tensor(-0.5, device=THERE)
    with device():
        optimizer = MCAdamW(parameters(torch.bfloat16, THERE), lr=rate)
        params = optimizer.param_groups[0]["params"]
        set_gradients(params, 1)
        before = [bits(p).clone() for p in params]
        optimizer.step()
        assert all(torch.equal(bits(p), x) for p, x in zip(params, before))
        with pytest.raises(ValueError, match="the learning rate, -0.5,"):
            optimizer.last_report
        assert optimizer.skipped_steps == 1


def test_a_schedule_changes_a_rate_on_the_device():
    both = Both(lr=0.1)
    both.there.param_groups[0]["lr"] = torch.tensor(0.1, dtype=torch.float64, device=THERE)
    schedules = [torch.optim.lr_scheduler.LambdaLR(o, lambda step: 1 / (step + 1)) for o in (both.there, both.here)]
    for step in range(3):
        both.set_gradients(step)
        both.step()
        for schedule in schedules:
            schedule.step()


def test_a_scaler_counts_on_the_device():
    both = Both(torch.float16, lr=0.01)
    for step in range(3):
        both.set_gradients(step)
        found = torch.tensor(float(step == 1), device=THERE)
        scale = torch.tensor(8.0, device=THERE)
        with device():
            both.there.step(grad_scale=scale, found_inf=found)
        both.here.step(grad_scale=scale.cpu(), found_inf=found.cpu())
        assert_same(both.there, both.here)
        assert both.there.skipped_in_a_row == int(step == 1)
    assert both.there.skipped_steps == 1


@both_kinds
def test_gradients_that_are_not_finite_skip_a_step_that_does_not_count(kind):
    both = Both(lr=0.01, **kind)
    both.train(1)
    both.set_gradients(9)
    for params in both.params.values():
        params[2].grad[7] = float("inf")
    with pytest.warns(RuntimeWarning):
        both.step()
    assert both.there.last_report.skipped and both.there.last_report.nonfinite == 1
    assert both.there.skipped_steps == both.here.skipped_steps == 1
    assert int(both.there.state[both.params["there"][0]]["step"]) == 1
    both.train(1)
    assert both.there.skipped_in_a_row == 0


def test_parameters_may_have_no_gradient():
    both = Both(lr=0.01)
    for step, missing in enumerate([[1, 3], [1], [], [0], []]):
        both.set_gradients(step)
        for params in both.params.values():
            for i in missing:
                params[i].grad = None
        both.step()
    assert [int(both.there.state[p]["step"]) for p in both.params["there"]] == [4, 3, 5, 4]
    for params in both.params.values():
        for p in params:
            p.grad = None
    with device():
        both.there.step()
    assert both.there.last_report.elements == 0


@both_kinds
def test_memory_may_lie_anyhow(kind):
    both = Both(shapes=[(6, 8), (40,)], lr=0.01, **kind)
    for where, params in both.params.items():
        memory = torch.empty(49, dtype=params[0].dtype, device=params[0].device)
        memory[1:] = params[0].detach().reshape(-1)
        params[0].data = memory[1:].view(6, 8)  # begins at no multiple of 16 bytes
        wide = torch.zeros(40, 2, dtype=params[1].dtype, device=params[1].device)
        wide[:, 0] = params[1].detach()
        params[1].data = wide[:, 0]
    for step in range(2):
        both.set_gradients(step)
        for params in both.params.values():
            params[0].grad = params[0].grad.t().contiguous().t()
        both.step()


def test_weights_that_are_written_count():
    both = Both(lr=0.01)
    both.train(1)
    for params in both.params.values():
        with torch.no_grad():
            params[0][1, 3] = 2.0
            params[2].fill_(0.5)
    both.train(2)
    both.there.set_exact_weights(both.params["there"][0], torch.full((5, 60), 1 / 3))
    both.here.set_exact_weights(both.params["here"][0], torch.full((5, 60), 1 / 3))
    both.train(1)


@pytest.mark.parametrize("strategy, narrow", [
    ("master", "bfloat16"), ("plus", "float16"), ("light", "bfloat16"), ("plain", "float16"), ("residual", "bfloat16"),
    ("split16-plus", "bfloat16"), ("split8", "bfloat16")])
def test_floats_that_are_written_count(strategy, narrow):
    """Single elements of a group, whole tensors, what 16 bits do not hold, and where a step is skipped."""
    both = Both(torch.float32, strategy=strategy, format=narrow, lr=0.01, seed=4, eps=1e-6)
    both.train(2)
    for params in both.params.values():
        with torch.no_grad():
            params[0][1, 3] = 2 + 2**-15  # a mark of a group changes, and what it keeps stays
            params[2].mul_(1 + 2**-20)
            params[3].fill_(-0.0)
    both.set_gradients(3)
    for params in both.params.values():
        params[1].grad[2] = 3.4e38  # becomes infinite in 16 bits
    with pytest.warns(RuntimeWarning):
        both.step()
    assert both.there.last_report.nonfinite == 1 and both.params["there"][0][1, 3] == 2 + 2**-15
    both.train(2)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("strategy", ["split16-plus", "light", "split8"])
def test_parts_that_begin_anywhere(strategy, dtype, monkeypatch):
    """As those of sharded parameters do: a part begins inside a group, and its next run behind an odd address."""
    first = 16 if strategy == "split8" else 5
    monkeypatch.setattr(shards, "runs", lambda p: shards._cut(first, p.numel()))
    monkeypatch.setattr(shards, "is_sharded", lambda p: False)
    shapes = [(300,), (90,), (7,)]
    both = Both(dtype, strategy=strategy, lr=0.01, seed=3, shapes=shapes)
    for optimizer in (both.there, both.here):
        for p in optimizer.param_groups[0]["params"]:
            with device() if optimizer is both.there else contextlib.nullcontext():
                state = optimizer._state_of(p, optimizer.param_groups[0], "p")
            if "marks" in state:
                state["marks"] = state["marks"].new_zeros(shards.marks_of(p))
    both.train(3)
    for params in both.params.values():
        with torch.no_grad():
            params[0][3] = 2.0
    both.train(1)


def test_clips_the_norm():
    both = Both(lr=0.01, max_grad_norm=0.5)
    both.set_gradients(5)
    with device():
        both.there.step()
    both.here.step()
    norm = float(torch.cat([p.grad.double().flatten() for p in both.params["here"]]).norm())
    assert norm > 1
    for p, q, state in zip(both.params["there"], both.params["here"], both.here.state.values()):
        torch.testing.assert_close(p.cpu(), q)  # norms may differ in their last bits
        moment = 0.1 * q.grad.float() * 0.5 / norm
        torch.testing.assert_close(state["m"].float(), moment, rtol=2**-7, atol=1e-6)
    for optimizer in (both.there, copy.deepcopy(both.here)):
        optimizer.max_grad_norm = -1
        with pytest.raises(ValueError, match="max_grad_norm -1 is not positive"), device():
            optimizer.step()


def test_files_go_from_one_to_the_other():
    both = Both(lr=0.01, seed=3)
    both.train(2)
    with device():
        again = MCAdamW(parameters(torch.bfloat16, THERE), lr=0.5)
        again.load_state_dict(both.here.state_dict())
        for p, q in zip(again.param_groups[0]["params"], both.params["here"]):
            p.data.copy_(q.detach())
    both.there, both.params["there"] = again, again.param_groups[0]["params"]
    both.train(1)
    here = MCAdamW(parameters(torch.bfloat16, "cpu"), lr=0.5)
    here.load_state_dict(both.there.state_dict())
    for p, q in zip(here.param_groups[0]["params"], both.params["there"]):
        p.data.copy_(q.detach().cpu())
    both.here, both.params["here"] = here, here.param_groups[0]["params"]
    both.train(1)


@pytest.mark.parametrize("make", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))], ids=["copy", "pickle"])
def test_copies_go_on(make):
    both = Both(lr=0.01)
    both.train(1)
    for count in (1, 2):
        both.set_gradients(3)
        both.params["there"][0].grad[0, 0] = float("nan")
        with device():
            both.there.step()
        assert both.there.skipped_steps == both.there.skipped_in_a_row == count
        both.there = make(both.there)
        both.params["there"] = both.there.param_groups[0]["params"]
    assert both.there.skipped_steps == both.there.skipped_in_a_row == 2
    both.train(2)
    assert both.there.skipped_steps == 2 and both.there.skipped_in_a_row == 0


@both_kinds
def test_steps_do_not_wait(kind, monkeypatch):
    both = Both(lr=0.01, **kind)
    both.train(2)
    both.set_gradients(3)

    def waits(*_, **__):
        raise AssertionError("a step waits for the device")
    for name in ("item", "__float__", "__int__", "__bool__", "cpu", "tolist", "numpy"):
        monkeypatch.setattr(torch.Tensor, name, waits)
    with device():
        both.there.step()


@both_kinds
@pytest.mark.skipif(THERE != "cuda", reason="PyTorch records on a GPU alone; tests/cuda has the simulated device's")
def test_steps_are_recorded(kind):
    both = Both(lr=0.01, **kind, capturable=False)
    rate = torch.tensor(0.01, device=THERE)
    both.there.param_groups[0].update(lr=rate, capturable=True)
    both.train(1)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        both.there.step()
    for step in range(3):
        rate.fill_(0.5 / (step + 1))
        both.here.param_groups[0]["lr"] = float(rate)
        graph.replay()
        both.here.step()
        assert_same(both.there, both.here)


@pytest.mark.skipif(not _core.device_is_simulated(), reason="a GPU makes it in bench/cuda_report.sh")
def test_the_report_of_a_gpu_can_be_made():
    script = pathlib.Path(__file__).resolve().parents[2] / "tests" / "device" / "torch_on_device.py"
    done = subprocess.run([sys.executable, "-B", script, "--no-tests"], capture_output=True, text=True, check=False,
                          env={**os.environ, "MCT_WARNINGS": "0"})
    assert done.returncode == 0, done.stderr
    rows = done.stdout.splitlines()
    assert len(rows) == len(STRATEGIES) + 5 + 17 + 3 + 8 + 6 and all(row.count("|") == 8 for row in rows)


def skip_on_one_rank(rank, ranks):
    with device():
        optimizer = MCAdamW(parameters(torch.bfloat16, THERE), lr=0.01)
        params = optimizer.param_groups[0]["params"]
        for step in range(2):
            set_gradients(params, 10 * rank + step)
            if step == 0 and rank == 1:
                params[0].grad[0, 0] = float("nan")
            optimizer.step()
        return optimizer.skipped_steps, int(optimizer.state[params[0]]["step"]), optimizer.last_report.skipped


def test_processes_skip_together(tmp_path):
    assert ranks.run(skip_on_one_rank, 2, tmp_path / "results") == [(1, 1, False)] * 2


def test_votes_count():
    class Vote:
        says = 1

        def are_several(self):
            return True

        def agree(self, flag):
            assert flag.dtype == torch.int32 and flag.numel() == 1
            self.seen = int(flag)
            flag.fill_(max(self.seen, self.says))

    both = Both(lr=0.01)
    both.there._vote = vote = Vote()
    both.set_gradients(1)
    with device():
        both.there.step()
    assert vote.seen == 0 and both.there.last_report.skipped
    vote.says = 0
    both.step()
    both.params["there"][1].grad.fill_(float("nan"))
    with device():
        both.there.step()
    assert vote.seen == 1 and both.there.skipped_steps == 2
    both.there.param_groups[0]["betas"] = (2, 0.9)  # what goes wrong here is told to the others
    with device(), pytest.raises(ValueError):
        both.there.step()
    assert vote.seen == 1


def test_what_cannot_be_stepped_is_named():
    params = parameters(torch.float32, THERE)
    with device():
        with pytest.raises(ValueError, match="name it as peak_lr"):
            MCAdamW(params, lr=torch.tensor(0.1, device=THERE), decay_mode="decoupled")
        optimizer = MCAdamW(params, lr=torch.tensor([0.1, 0.2], device=THERE), capturable=True)
        set_gradients(params, 1)
        with pytest.raises(ValueError, match="lr is a tensor of shape"):
            optimizer.step()
    with pytest.raises(ValueError, match="it steps those of the CPU and of CUDA devices"):
        MCAdamW([torch.nn.Parameter(torch.zeros(3, device="meta"))])
