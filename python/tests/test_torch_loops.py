"""MCAdamW in training loops as they are written: schedules, scalers, clipping, the options of torch.optim.AdamW."""
import copy
import inspect
import subprocess
import sys
import warnings

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import MCAdamW  # noqa: E402
from test_torch import give_gradients, parameters, train  # noqa: E402

schedulers = torch.optim.lr_scheduler


# The default

@pytest.mark.parametrize("kind, strategy", [(torch.bfloat16, "split16-plus"), (torch.float16, "master"),
                                            (torch.float32, "full")], ids=str)
def test_the_default_is_right_for_what_it_is_given(kind, strategy):
    params, again = parameters(kind), parameters(kind)
    default, named = MCAdamW(params), MCAdamW(again, strategy=strategy)
    train(default, params, 3)
    train(named, again, 3)
    assert all(torch.equal(p, q) for p, q in zip(params, again))
    assert all(set(default.state[p]) == set(named.state[q]) for p, q in zip(params, again))


def test_a_group_of_several_types():
    """As models in bfloat16 whose norms are float32."""
    params = [*parameters(torch.bfloat16), *parameters(torch.float32, 1)]
    optimizer = MCAdamW(params, lr=1e-2)
    train(optimizer, params, 2)
    assert set(optimizer.state[params[0]]) == {"step", "low", "m", "v", "v_low", "marks"}
    assert set(optimizer.state[params[4]]) == {"step", "m", "v"}
    other = MCAdamW([*parameters(torch.bfloat16), *parameters(torch.float32, 1)])
    other.load_state_dict(optimizer.state_dict())


# The options of torch.optim.AdamW

def test_the_constructor_takes_what_pytorchs_takes():
    ours, theirs = (list(inspect.signature(kind.__init__).parameters.items()) for kind in (MCAdamW, torch.optim.AdamW))
    assert [name for name, _ in ours[:7]] == ["self", "params", "lr", "betas", "eps", "weight_decay", "amsgrad"]
    assert {name for name, _ in theirs} <= {name for name, _ in ours}
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, 1e-3, (0.9, 0.999), 1e-8, 0.01, True, foreach=False, fused=True)
    train(optimizer, params, 1)
    assert "v_max" in optimizer.state[params[0]] and optimizer.param_groups[0]["fused"] is True


@pytest.mark.parametrize("options, error, message", [
    (dict(capturable=True), ValueError, "CUDA graph"), (dict(differentiable=True), ValueError, "autograd does not see"),
    (dict(foreach=True, fused=True), RuntimeError, "cannot be `True` together"),
    (dict(maximize=1), TypeError, "maximize must be a bool"),
    (dict(betas=0.9), TypeError, r"betas must be two numbers, as \(0.9, 0.999\), not 0.9"),
    (dict(betas=(0.9,)), TypeError, "betas must be two numbers"),
    (dict(betas=("a", 0.9)), TypeError, r"betas\[0\] must be a float"),
    (dict(peak_lr="x"), TypeError, "peak_lr must be a float"), (dict(process_group=3), TypeError, "process_group")])
def test_what_cannot_be_had(options, error, message):
    with pytest.raises(error, match=message):
        MCAdamW(parameters(torch.float32), **options)


@pytest.mark.parametrize("kind, strategy", [(torch.bfloat16, "split16-plus"), (torch.float32, "full")], ids=str)
def test_maximize(kind, strategy):
    up, down = parameters(kind), parameters(kind)
    first, second = (MCAdamW(params, strategy=strategy, maximize=maximize)
                     for params, maximize in ((up, True), (down, False)))
    for step in range(3):
        give_gradients(up, step)
        give_gradients(down, step)
        for p in down:
            p.grad = -p.grad
        first.step()
        second.step()
    assert all(torch.equal(p, q) for p, q in zip(up, down))


# Schedules

def run_schedule(optimizer, params, schedule, steps):
    """The rates of the steps, and the factors by which weights have decayed, gradients being 0."""
    rates, factors = [], []
    for _ in range(steps):
        before = params[0].detach().clone()
        for p in params:
            p.grad = torch.zeros_like(p)
        optimizer.step()
        rates.append(optimizer.param_groups[0]["lr"])
        factors.append(1 - float(params[0][0] / before[0]))
        schedule.step()
    return rates, factors


SCHEDULES = {
    "one cycle": lambda o: schedulers.OneCycleLR(o, max_lr=3e-4, total_steps=21),
    "restarts": lambda o: schedulers.CosineAnnealingWarmRestarts(o, T_0=7),
    "warm-up": lambda o: schedulers.LambdaLR(o, lambda step: min(1.0, (step + 1) / 10)),
    "several": lambda o: schedulers.SequentialLR(o, [schedulers.LinearLR(o, 0.1, 1.0, 5),
                                                     schedulers.CosineAnnealingLR(o, 16)], [5]),
    "steps": lambda o: schedulers.StepLR(o, 5, 0.5),
    "none": lambda o: schedulers.LambdaLR(o, lambda step: 1.0)}


@pytest.mark.parametrize("name", SCHEDULES)
def test_decoupled_decay_follows_the_schedule(name):
    """weight_decay times the rate's part of the schedule's peak, never more than weight_decay."""
    params = [torch.nn.Parameter(torch.ones(3))]
    optimizer = MCAdamW(params, lr=1e-3, weight_decay=0.01, decay_mode="decoupled")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's own, of the order of calls and of deprecated arguments
        rates, factors = run_schedule(optimizer, params, SCHEDULES[name](optimizer), 20)
    peak = 3e-4 if name == "one cycle" else 1e-3
    assert max(rates) <= peak * (1 + 1e-9)
    for rate, factor in zip(rates, factors):
        assert abs(factor - 0.01 * rate / peak) < 1e-6, (rate, factor)
    assert abs(max(factors) - 0.01) < 1e-3


def test_a_peak_that_no_schedule_names():
    """The largest rate so far, or peak_lr; files keep it."""
    for peak, expected in ((None, [0.01, 0.01, 0.005]), (0.4, [0.0025, 0.005, 0.0025])):
        params = [torch.nn.Parameter(torch.ones(3))]
        optimizer = MCAdamW(params, lr=0.1, weight_decay=0.01, decay_mode="decoupled", peak_lr=peak)
        for rate, factor in zip((0.1, 0.2, 0.1), expected):
            before = params[0].detach().clone()
            params[0].grad = torch.zeros(3)
            optimizer.param_groups[0]["lr"] = rate
            optimizer.step()
            assert torch.allclose(1 - params[0] / before, torch.full((3,), factor), atol=1e-6)
        other = MCAdamW([torch.nn.Parameter(torch.ones(3))], decay_mode="decoupled")
        other.load_state_dict(optimizer.state_dict())
        assert other.param_groups[0]["peak_lr"] == (peak or 0.2)


@pytest.mark.parametrize("rate", [-1e-20, 1e-45, 0.0])
def test_a_rate_that_rounding_left(rate):
    """A rate of at most 1e-12 of the schedule's peak is 0."""
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, lr=1e-3)
    schedule = schedulers.LambdaLR(optimizer, lambda step: 1.0 if step == 0 else rate / 1e-3)
    train(optimizer, params, 1)
    schedule.step()
    before = [p.detach().clone() for p in params]
    exact = [optimizer.exact_weights(p) for p in params]
    train(optimizer, params, 1, 1)
    assert all(torch.equal(p, old) for p, old in zip(params, before))
    assert all(torch.equal(optimizer.exact_weights(p), old) for p, old in zip(params, exact))
    optimizer.param_groups[0]["lr"] = -1e-6
    with pytest.raises(ValueError, match="lr -1e-06"):
        train(optimizer, params, 1, 2)


def test_a_rate_that_rounding_left_of_a_schedule_by_hand():
    """No scheduler notes an initial rate: the largest one so far is the peak."""
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, lr=1e-3)
    train(optimizer, params, 1)
    before = [p.detach().clone() for p in params]
    optimizer.param_groups[0]["lr"] = -1e-20
    train(optimizer, params, 1, 1)
    assert all(torch.equal(p, old) for p, old in zip(params, before))


# Scalers and clipping

def test_who_unscales():
    """Only gradients of float16 are left scaled: Lightning and others refuse to clip otherwise."""
    for kind, expected in ((torch.float32, False), (torch.bfloat16, False), (torch.float16, True)):
        assert getattr(MCAdamW(parameters(kind)), "_step_supports_amp_scaling", False) is expected


def new_scaler():
    return torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=1000)


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("clips", [False, True])
def test_a_loop_with_a_scaler(kind, clips):
    if kind == torch.float16 and clips:
        pytest.skip("PyTorch does not unscale gradients of float16")
    scaler = new_scaler()
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 1)).to(kind)
    plain = copy.deepcopy(model)
    first, second = (MCAdamW(m.parameters(), lr=1e-3) for m in (model, plain))
    x, y = torch.randn(32, 8).to(kind), torch.randn(32, 1).to(kind)
    for step in range(6):
        for m, optimizer in ((model, first), (plain, second)):
            loss = torch.nn.functional.mse_loss(m(x).float(), y.float())
            optimizer.zero_grad()
            if m is plain:
                if step == 3:  # the step that the scaler skips
                    continue
                loss.backward()
                if clips:
                    torch.nn.utils.clip_grad_norm_(m.parameters(), 0.1)
                optimizer.step()
                continue
            scaler.scale(loss).backward()
            if step == 3:
                next(m.parameters()).grad[0, 0] = float("inf")
            if clips:  # as Lightning does
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(m.parameters(), 0.1)
            scaler.step(optimizer)
            scaler.update()
    for p, q in zip(model.parameters(), plain.parameters()):
        if kind == torch.float16:  # scaled sums are rounded otherwise
            assert torch.allclose(p.float(), q.float(), atol=2e-3)
        else:
            assert torch.equal(p, q)
    assert scaler.get_scale() == 512 and first.skipped_steps == 0
    assert all(state["step"] == 5 for state in first.state.values())


def test_float_gradients_of_narrow_parameters():
    """They are not rounded: a gradient that bfloat16 would round up counts as it is."""
    p = torch.nn.Parameter(torch.ones(300, dtype=torch.bfloat16))
    if not hasattr(p, "grad_dtype"):
        pytest.skip("this PyTorch has no grad_dtype")
    for strategy in ("split16-plus", "master", "plus", "split8", "split16", "light"):
        for count in (1, 300, 4224):
            narrow, wide, copy_of_wide = (torch.nn.Parameter(torch.ones(count, dtype=torch.bfloat16)) for _ in range(3))
            wide.grad_dtype = copy_of_wide.grad_dtype = torch.float32
            generator = torch.Generator().manual_seed(1)
            grad = torch.randn(count, generator=generator)
            optimizers = [MCAdamW([q], strategy=strategy, lr=1e-2) for q in (narrow, wide, copy_of_wide)]
            # numbers of bfloat16: both ways are the same
            for step in range(3):
                narrow.grad, wide.grad = (grad * step).bfloat16(), (grad * step).bfloat16().float()
                optimizers[0].step()
                optimizers[1].step()
            assert torch.equal(narrow, wide)
            for name, value in optimizers[0].state[narrow].items():
                assert torch.equal(torch.as_tensor(value), torch.as_tensor(optimizers[1].state[wide][name])), name
    for strategy in ("master", "split16", "float-states"):  # moments in float: they see every bit
        q = torch.nn.Parameter(torch.ones(300, dtype=torch.bfloat16))
        q.grad_dtype = torch.float32
        grad = torch.linspace(0.1, 1, 300) * (1 + 2.0 ** -12)
        q.grad = grad.clone()
        optimizer = MCAdamW([q], strategy=strategy, betas=(0.5, 0.5))
        optimizer.step()
        assert torch.equal(optimizer.state[q]["m"], grad * 0.5)
    # a loop as it is written, with a norm clipped in float32
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1)).bfloat16()
    for q in model.parameters():
        q.grad_dtype = torch.float32
    optimizer = MCAdamW(model.parameters(), lr=1e-2)
    x = torch.randn(16, 4).bfloat16()
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        for part in x.chunk(4):
            (model(part).float() - part.float().sum(1, keepdim=True)).square().mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        assert all(q.grad.dtype == torch.float32 for q in model.parameters())
        optimizer.step()
        losses.append(float((model(x).float() - x.float().sum(1, keepdim=True)).square().mean()))
    assert losses[-1] < 0.7 * losses[0]
    next(model.parameters()).grad[0, 0] = float("nan")
    with pytest.warns(RuntimeWarning, match="first parameter 0 of group 0"):
        optimizer.step()
    next(model.parameters()).grad[0, 0] = 3.4e38  # infinite as bfloat16, not as it is
    optimizer.step()
    assert not optimizer.last_report.skipped


# Gradients that are not finite

def test_skipped_steps_are_told():
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)).bfloat16()
    optimizer = MCAdamW(model.parameters(), lr=1e-2)
    before = [p.detach().clone() for p in model.parameters()]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(50):
            give_gradients(list(model.parameters()), 1)
            model[1].weight.grad[1, 2] = float("nan")
            optimizer.step()
    texts = [str(w.message) for w in told if issubclass(w.category, RuntimeWarning)]
    assert len(texts) == 6 and optimizer.skipped_steps == optimizer.skipped_in_a_row == 50  # 1, 2, 4 ... 32
    assert "first parameter 2 of group 0" in texts[0] and "32 steps were skipped so far, 32 in a row" in texts[-1]
    assert optimizer.last_report.nonfinite == 1
    assert all(torch.equal(p, old) for p, old in zip(model.parameters(), before))
    give_gradients(list(model.parameters()), 1)
    optimizer.step()
    assert optimizer.skipped_in_a_row == 0 and optimizer.skipped_steps == 50
    assert not any(torch.equal(p, old) for p, old in zip(model.parameters(), before))


def test_skipped_steps_name_parameters():
    model = torch.nn.Linear(3, 3)
    try:
        optimizer = MCAdamW(model.named_parameters())
    except TypeError:
        pytest.skip("optimizers take names from PyTorch 2.6 on")
    give_gradients(list(model.parameters()), 1)
    model.bias.grad[0] = float("inf")
    with pytest.warns(RuntimeWarning, match=r"first parameter 1 of group 0 \('bias'\), of shape \(3,\)"):
        optimizer.step()


# Settings of the process

SETTINGS = """
import torch
import torch._dynamo  # which PyTorch 2.6 cannot import under another default device, as its own optimizers do
torch.set_default_device("meta")
torch.set_default_dtype(torch.float64)
from mctensor.torch import MCAdamW
for kind in (torch.bfloat16, torch.float16, torch.float32):
    for strategy in ("auto", "plus"):
        p = torch.nn.Parameter(torch.full((40, 3), 0.5, dtype=kind, device="cpu"))
        optimizer = MCAdamW([p], strategy=strategy)
        for _ in range(2):
            p.grad = torch.full((40, 3), 0.25, dtype=kind, device="cpu")
            optimizer.step()
        optimizer.load_state_dict(optimizer.state_dict())
        p.grad = torch.full((40, 3), float("nan"), dtype=kind, device="cpu")
        optimizer.step()
        optimizer.set_exact_weights(p, torch.full((40, 3), 0.5, device="cpu"))
        assert float(p[0, 0]) == 0.5 and optimizer.exact_weights(p).device.type == "cpu"
        for x in optimizer.state[p].values():
            assert not torch.is_tensor(x) or x.device.type == "cpu"
print("done")
"""


def test_default_devices_and_types():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", SETTINGS], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr
