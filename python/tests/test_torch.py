"""MCAdamW of PyTorch: the library's step, bit for bit, and PyTorch's protocol of an optimizer."""
import copy
import io
import re

import numpy as np
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor import _torch_required, optim  # noqa: E402
from mctensor.torch import STRATEGIES, MCAdamW  # noqa: E402

TYPES = {torch.bfloat16: "bfloat16", torch.float16: "float16"}


def pairs():
    """Strategies with types of parameters that they go with."""
    for strategy in STRATEGIES:
        for kind, name in TYPES.items():
            if strategy != "full" and not (strategy.startswith("split") and name == "float16"):
                yield strategy, kind
        yield strategy, torch.float32


@pytest.mark.parametrize("version", ["1.13.1", "2.3.1+cpu"])
def test_a_pytorch_that_is_too_old_is_named(version):
    with pytest.raises(ModuleNotFoundError, match=rf"needs PyTorch 2.4 or later, and this is {re.escape(version)}"):
        _torch_required.require(version)
    _torch_required.require("2.10.0a0+git1234")


def parameters(kind, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.nn.Parameter(torch.randn(shape, generator=generator).to(kind))
            for shape in ((40, 30), (7,), (), (3, 2, 5))]


def give_gradients(params, seed):
    generator = torch.Generator().manual_seed(seed)
    for p in params:
        p.grad = torch.randn(p.shape, generator=generator).to(p.dtype)


def train(optimizer, params, steps, begin=0):
    for step in range(begin, begin + steps):
        give_gradients(params, 100 + step)
        optimizer.step()


def bits(x):
    """The bits of a tensor as NumPy's."""
    x = x.detach().contiguous()
    return x.view(torch.int16).numpy() if x.dtype in TYPES else x.numpy()


@pytest.mark.parametrize("strategy, kind", list(pairs()), ids=str)
def test_equals_the_librarys_step(strategy, kind):
    format = TYPES.get(kind, "bfloat16")
    params = parameters(kind)
    optimizer = MCAdamW(params, lr=1e-2, weight_decay=0.1, strategy=strategy, seed=5)
    arrays, grads, kept, first = optim.AdamWArrays(strategy, format), [], [], 0
    for p in params:
        states = optim.new_arrays(strategy, p.detach().float().numpy().reshape(-1), format)
        grads.append(np.zeros(p.numel(), states["theta"].dtype))
        arrays.add(**states, grad=grads[-1], first=first)
        kept.append(states)
        first += -(-p.numel() // 128) * 128
    for step in range(1, 6):
        give_gradients(params, step)
        for p, grad in zip(params, grads):
            values = p.grad.float().numpy().reshape(-1)
            grad[...] = values if strategy == "full" else optim.narrow(values, format)
        optimizer.step()
        arrays.step(optim.AdamWOptions(lr=1e-2, weight_decay=0.1, seed=5), step)
        for p, states in zip(params, kept):
            for name, values in optimizer.state[p].items():
                if name != "step":
                    assert bits(values).tobytes() == states[name].tobytes(), name
            if kind != torch.float32 or strategy == "full":
                assert bits(p).tobytes() == states["theta"].tobytes()
            else:
                widened = optim.widen(states["theta"])
                assert np.array_equal(p.detach().numpy().reshape(-1), widened)


@pytest.mark.parametrize("strategy, kind", list(pairs()), ids=str)
def test_state_is_saved_exactly(strategy, kind):
    params = parameters(kind)
    optimizer = MCAdamW(params, strategy=strategy, amsgrad=strategy == "plus")
    train(optimizer, params, 3)
    file = io.BytesIO()
    torch.save({"weights": params, "optimizer": optimizer.state_dict()}, file)
    file.seek(0)
    saved = torch.load(file)
    again = saved["weights"]
    other = MCAdamW(again, lr=7.0, strategy=strategy, amsgrad=strategy == "plus")
    other.load_state_dict(saved["optimizer"])
    train(optimizer, params, 3, 3)
    train(other, again, 3, 3)
    for p, q in zip(params, again):
        assert np.array_equal(bits(p), bits(q))
        assert np.array_equal(optimizer.exact_weights(p), other.exact_weights(q))
        for name, value in optimizer.state[p].items():
            assert torch.equal(torch.as_tensor(value), torch.as_tensor(other.state[q][name]))


def test_state_of_another_strategy_is_refused():
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, strategy="plus")
    train(optimizer, params, 1)
    other = MCAdamW(parameters(torch.bfloat16), strategy="light")
    with pytest.raises(ValueError, match="'plus'.*'light'"):
        other.load_state_dict(optimizer.state_dict())
    state = copy.deepcopy(optimizer.state_dict())
    del state["state"][0]["v_low"]
    with pytest.raises(ValueError, match="v_low"):
        MCAdamW(parameters(torch.bfloat16), strategy="plus").load_state_dict(state)
    with pytest.raises(ValueError, match="shape"):
        wrong = [torch.nn.Parameter(p.detach().reshape(-1)) for p in params]
        MCAdamW(wrong, strategy="plus").load_state_dict(optimizer.state_dict())
    with pytest.raises(ValueError, match="groups"):
        MCAdamW([{"params": [p]} for p in parameters(torch.bfloat16)], strategy="plus").load_state_dict(
            optimizer.state_dict())
    with pytest.raises(ValueError, match="parameters"):
        MCAdamW(parameters(torch.bfloat16)[:2], strategy="plus").load_state_dict(optimizer.state_dict())
    half = MCAdamW(parameters(torch.float16), strategy="plus")
    with pytest.raises(ValueError, match="float16"):
        half.load_state_dict(optimizer.state_dict())


def test_safetensors_keep_the_state(tmp_path):
    files = pytest.importorskip("safetensors.torch")
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, strategy="split8")
    train(optimizer, params, 2)
    flat = {f"{i}.{name}": value for i, p in enumerate(params)
            for name, value in optimizer.state[p].items() if name != "step"}
    files.save_file(flat, tmp_path / "state.safetensors")
    for key, value in files.load_file(tmp_path / "state.safetensors").items():
        assert value.dtype == flat[key].dtype and torch.equal(value, flat[key])


def test_parameters_anywhere_in_memory():
    plain = parameters(torch.bfloat16)
    wide = torch.nn.Parameter(torch.zeros(30, 80, dtype=torch.bfloat16)[:, ::2].t())
    scattered = [wide, *(torch.nn.Parameter(p.detach().clone()) for p in plain[1:])]
    with torch.no_grad():
        wide.copy_(plain[0])
    assert not wide.is_contiguous()
    optimizers = [MCAdamW(params, strategy="split16-plus") for params in (plain, scattered)]
    for step in range(3):
        for params, optimizer in zip((plain, scattered), optimizers):
            give_gradients(params, step)
            if params is scattered:
                wide.grad = wide.grad.t().contiguous().t()
            optimizer.step()
    assert all(np.array_equal(bits(p), bits(q)) for p, q in zip(plain, scattered))


def test_groups_and_schedules():
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW([{"params": params[:1], "lr": 0.5, "strategy": "master"},
                         {"params": params[1:], "weight_decay": 0.0}], lr=0.25, strategy="plus")
    before = [p.detach().float().clone() for p in params]
    for p in params:
        p.grad = torch.ones_like(p)
    optimizer.step()
    for p, old, lr in zip(params, before, (0.5, 0.25, 0.25, 0.25)):
        assert torch.allclose(p.detach().float(), old - lr, atol=0.05)
    assert set(optimizer.state[params[0]]) == {"step", "low", "m", "v"}
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.1)
    schedule.step()
    assert abs(optimizer.param_groups[0]["lr"] - 0.05) < 1e-12
    optimizer.step()
    optimizer.add_param_group({"params": [torch.nn.Parameter(torch.ones(3))]})
    assert len(optimizer.param_groups) == 3


def test_closure_and_missing_gradients():
    p, q = torch.nn.Parameter(torch.ones(3)), torch.nn.Parameter(torch.ones(2))
    optimizer = MCAdamW([p, q], lr=0.1, strategy="full")

    def closure():
        optimizer.zero_grad()
        loss = (p * p).sum()
        loss.backward()
        return loss

    losses = [float(optimizer.step(closure)) for _ in range(3)]
    assert losses[0] > losses[1] > losses[2]
    assert torch.equal(q, torch.ones(2)) and q not in optimizer.state
    q.grad = torch.ones(2)
    optimizer.step()  # q takes its first step, p its fourth
    assert optimizer.state[p]["step"] == 4 and optimizer.state[q]["step"] == 1
    assert torch.allclose(q, torch.full((2,), 0.899), atol=1e-6)


def test_gradients_that_are_not_finite():
    params = parameters(torch.bfloat16)
    params.append(torch.nn.Parameter(torch.ones(5)))
    optimizer = MCAdamW(params, strategy="plus")
    train(optimizer, params, 1)
    before = copy.deepcopy([bits(p).tobytes() for p in params])
    give_gradients(params, 5)
    params[-1].grad[2] = np.nan  # of another type: another call
    optimizer.step()
    assert optimizer.last_report.skipped and optimizer.last_report.nonfinite == 1
    assert before == [bits(p).tobytes() for p in params]
    assert all(optimizer.state[p]["step"] == 1 for p in params)


def test_gradient_scaler():
    scaled, plain = parameters(torch.bfloat16), parameters(torch.bfloat16)
    first, second = (MCAdamW(params, strategy="split16-plus") for params in (scaled, plain))
    for step in range(3):
        give_gradients(scaled, step)
        give_gradients(plain, step)
        for p in scaled:
            p.grad *= 1024.0
        first.grad_scale, first.found_inf = torch.tensor(1024.0), torch.tensor(0.0)
        first.step()
        second.step()
    assert all(np.array_equal(bits(p), bits(q)) for p, q in zip(scaled, plain))
    before = [bits(p).copy() for p in scaled]
    first.found_inf = torch.tensor(1.0)
    first.step()
    assert all(np.array_equal(bits(p), old) for p, old in zip(scaled, before))
    assert first.state[scaled[0]]["step"] == 3
    del first.grad_scale, first.found_inf
    first.step(grad_scale=torch.tensor(2.0), found_inf=torch.tensor(0.0))
    assert first.state[scaled[0]]["step"] == 4


def test_weights_finer_than_the_parameters():
    p = torch.nn.Parameter(torch.zeros(4, dtype=torch.bfloat16))
    optimizer = MCAdamW([p], strategy="split16-plus")
    fine = torch.tensor([0.1, 0.2, 0.3, 1 / 3])
    optimizer.set_exact_weights(p, fine)
    assert torch.equal(optimizer.exact_weights(p), fine) and torch.equal(p, fine.bfloat16())
    with pytest.raises(ValueError, match="none of the groups"):
        optimizer.exact_weights(torch.nn.Parameter(torch.zeros(1)))
    with pytest.raises(ValueError, match="2 weights"):
        optimizer.set_exact_weights(p, fine[:2])


def test_memory_is_not_copied():
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, strategy="plus")
    addresses = [p.data_ptr() for p in params]
    train(optimizer, params, 1)
    states = [x.data_ptr() for p in params for x in optimizer.state[p].values() if torch.is_tensor(x)]
    train(optimizer, params, 2)
    assert addresses == [p.data_ptr() for p in params]
    assert states == [x.data_ptr() for p in params for x in optimizer.state[p].values()
                      if torch.is_tensor(x)]


def test_pickled_and_copied_optimizers():
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params, strategy="split8", seed=7, metrics=True)
    train(optimizer, params, 2)
    twin = copy.deepcopy(optimizer)
    again = [p for group in twin.param_groups for p in group["params"]]
    train(optimizer, params, 1, 2)
    train(twin, again, 1, 2)
    assert all(np.array_equal(bits(p), bits(q)) for p, q in zip(params, again))
    assert "split8" in repr(optimizer) and twin.last_report.measured == optimizer.last_report.measured > 0
    late = MCAdamW(parameters(torch.bfloat16), strategy="split8")
    late.load_state_dict(optimizer.state_dict())
    assert late.param_groups[0]["seed"] == 7


@pytest.mark.parametrize("options, message", [
    (dict(lr=-1), "lr"), (dict(betas=(1.0, 0.9)), "beta"), (dict(strategy="best"), "best"),
    (dict(eps=float("nan")), "eps"), (dict(decay_mode="never"), "never"),
    (dict(strategy="split8", arithmetic="strict"), "strict"), (dict(strategy="full"), "full")])
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        MCAdamW(parameters(torch.bfloat16), **options)


@pytest.mark.parametrize("options, error, message", [
    (dict(eps=None), TypeError, "eps must be a float, not None"), (dict(lr="x"), TypeError, "lr must be a float"),
    (dict(seed=-1), ValueError, "seed -1 is out of range"), (dict(seed=1.5), TypeError, "seed must be an int"),
    (dict(metrics=3), TypeError, "metrics must be a bool"), (dict(amsgrad="x"), TypeError, "amsgrad must be a bool"),
    (dict(lr=float("inf")), ValueError, "lr inf is not a finite"), (dict(lr=10**400), ValueError, "lr is beyond"),
    (dict(peak_lr=float("inf")), ValueError, "peak_lr, is inf"), (dict(peak_lr=float("nan")), ValueError, "peak_lr")])
def test_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        MCAdamW(parameters(torch.bfloat16), **options)


def test_an_infinite_rate_is_no_peak():
    p = torch.nn.Parameter(torch.ones(4))
    p.grad = torch.ones(4)
    optimizer = MCAdamW([p], lr=0.1, weight_decay=0)
    optimizer.step()
    for rate in (float("inf"), -1.0, float("nan")):
        optimizer.param_groups[0]["lr"] = rate
        before = p.detach().clone()
        with pytest.raises(ValueError, match="lr"):
            optimizer.step()
        assert torch.equal(p, before)
    optimizer.param_groups[0]["lr"] = 0.1
    optimizer.step()  # the rate that was refused is no peak, beside which this one would be 0
    assert torch.allclose(p, torch.full((4,), 0.8), atol=1e-3)


def test_bad_parameters():
    with pytest.raises(ValueError, match="float64"):
        MCAdamW([torch.nn.Parameter(torch.zeros(3, dtype=torch.float64))])
    with pytest.raises(ValueError, match="split16"):
        MCAdamW([torch.nn.Parameter(torch.zeros(3, dtype=torch.float16))], strategy="split16")
    with pytest.raises(ValueError, match="meta"):
        MCAdamW([torch.nn.Parameter(torch.zeros(3, device="meta"))])
    table = torch.nn.Embedding(5, 2, sparse=True)
    optimizer = MCAdamW(table.parameters(), strategy="full")
    table(torch.tensor([1])).sum().backward()
    with pytest.raises(ValueError, match="sparse"):
        optimizer.step()
