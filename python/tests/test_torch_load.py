"""Files of MCAdamW: hooks, options that a file does not have, states of torch.optim.AdamW and of other strategies."""
import copy

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import STRATEGIES, MCAdamW  # noqa: E402
from test_torch import parameters, train  # noqa: E402



def trained(kind=torch.bfloat16, steps=3, **options):
    params = parameters(kind)
    optimizer = MCAdamW(params, lr=1e-3, **options)
    train(optimizer, params, steps)
    return params, optimizer


def test_hooks_of_loading():
    params, optimizer = trained()
    saved = optimizer.state_dict()
    other = MCAdamW(parameters(torch.bfloat16), lr=1e-3)
    seen = []

    def prefix(optimizer, found):
        """A file of another layout, as hooks turn it into the present one."""
        assert optimizer is other
        seen.append("first")
        return {"state": {key: {name.removeprefix("old_"): x for name, x in state.items()}
                          for key, state in found["state"].items()}, "param_groups": found["param_groups"]}

    def in_place(optimizer, found):
        seen.append("second")
        found["param_groups"] = [{**group, "lr": 0.25} for group in found["param_groups"]]

    def after(optimizer):
        seen.append(("after", len(optimizer.state), {state["step"] for state in optimizer.state.values()}))

    other.register_load_state_dict_pre_hook(prefix)
    other.register_load_state_dict_pre_hook(in_place)
    other.register_load_state_dict_post_hook(after)
    renamed = {"state": {key: {f"old_{name}": x for name, x in state.items()}
                         for key, state in saved["state"].items()}, "param_groups": saved["param_groups"]}
    before = copy.deepcopy(renamed)
    other.load_state_dict(renamed)
    assert seen == ["first", "second", ("after", len(params), {3})]
    assert other.param_groups[0]["lr"] == 0.25 and renamed["param_groups"] == before["param_groups"]
    with pytest.raises(ValueError, match="the state has 2 groups, the optimizer has 1"):
        other.load_state_dict({"state": {}, "param_groups": 2 * renamed["param_groups"]})
    assert len(other.state) == len(params)  # nothing has changed, and no hook of ours is left
    assert len(other._optimizer_load_state_dict_pre_hooks) == 2
    assert len(other._optimizer_load_state_dict_post_hooks) == 1


def test_what_a_file_does_not_have_stays():
    params, optimizer = trained(seed=5)
    saved = copy.deepcopy(optimizer.state_dict())
    for group in saved["param_groups"]:
        for name in set(group) - {"params", "lr", "betas"}:
            del group[name]
    for state in saved["state"].values():
        state.pop("marks")
    again = [torch.nn.Parameter(p.detach().clone()) for p in params]
    other = MCAdamW(again, lr=7.0, seed=5, weight_decay=0.01)
    other.load_state_dict(saved)
    assert other.param_groups[0]["lr"] == 1e-3 and other.param_groups[0]["decay_mode"] == "inside"
    train(optimizer, params, 2, 3)
    train(other, again, 2, 3)
    assert all(torch.equal(p, q) for p, q in zip(params, again))


def test_auto_is_the_strategy_that_it_stands_for():
    for first, second in (("auto", "split16-plus"), ("split16-plus", "auto")):
        _, optimizer = trained(strategy=first)
        other = MCAdamW(parameters(torch.bfloat16), strategy=second)
        other.load_state_dict(optimizer.state_dict())
        assert other.param_groups[0]["strategy"] == second
    with pytest.raises(ValueError, match="entry low of parameter 0"):
        MCAdamW(parameters(torch.bfloat16), strategy="plus").load_state_dict(trained()[1].state_dict())


def test_what_is_no_state():
    optimizer = MCAdamW(parameters(torch.bfloat16))
    with pytest.raises(ValueError, match="no entry param_groups"):
        optimizer.load_state_dict({"state": {}})
    saved = trained()[1].state_dict()
    for step in (-1, 1.5, "a", None, float("nan"), torch.ones(2)):
        broken = copy.deepcopy(saved)
        broken["state"][0]["step"] = step
        with pytest.raises(ValueError, match="parameter 0 of group 0 has taken"):
            optimizer.load_state_dict(broken)
    broken = copy.deepcopy(saved)
    broken["state"][1]["m"] = None
    with pytest.raises(ValueError, match="entry m of parameter 1 of group 0 is None"):
        optimizer.load_state_dict(broken)
    assert not optimizer.state


def adamw(kind, steps=4, **options):
    params = parameters(kind)
    optimizer = torch.optim.AdamW(params, lr=1e-3, **options)
    train(optimizer, params, steps)
    return params, optimizer


def close(p, q, tolerance):
    return torch.allclose(p.detach().float(), q.detach().float(), rtol=tolerance, atol=tolerance)


def test_the_state_of_pytorchs_adamw():
    """full goes on as PyTorch does; other strategies take float weights and moments as their formats hold them."""
    params, theirs = adamw(torch.float32)
    again = [torch.nn.Parameter(p.detach().clone()) for p in params]
    ours = MCAdamW(again, lr=1.0)
    with pytest.raises(ValueError, match="load_converted_state_dict"):
        ours.load_state_dict(theirs.state_dict())
    ours.load_converted_state_dict(theirs.state_dict())
    assert ours.param_groups[0]["lr"] == 1e-3 and ours.param_groups[0]["strategy"] == "auto"
    assert all(ours.state[q]["step"] == 4 for q in again)
    train(theirs, params, 5, 4)
    train(ours, again, 5, 4)
    assert all(close(p, q, 1e-6) for p, q in zip(params, again))


@pytest.mark.parametrize("strategy", [s for s in STRATEGIES if s not in ("full", "split8")])
def test_float_weights_become_those_of_a_strategy(strategy):
    params, theirs = adamw(torch.float32)
    weights = [p.detach().clone() for p in params]
    again = [torch.nn.Parameter(torch.zeros(p.shape, dtype=torch.bfloat16)) for p in params]
    ours = MCAdamW(again, strategy=strategy)
    ours.load_converted_state_dict(theirs.state_dict(), weights=weights)
    exact = {"split16", "split16-stochastic", "split16-plus", "master"}
    single = {"plain", "stochastic", "stochastic-states", "float-states"}
    for p, q, weight in zip(params, again, weights):
        assert torch.equal(q, weight.bfloat16())
        tolerance = 0 if strategy in exact else 2.0 ** -8 if strategy in single else 2.0 ** -16
        assert close(ours.exact_weights(q), weight, tolerance)
        state, old = ours.state[q], theirs.state[p]
        assert close(state["m"], old["exp_avg"], 2.0 ** -8)
        v = state["v"].float() + (state["v_low"].float() if "v_low" in state else 0)
        assert torch.allclose(v, old["exp_avg_sq"], rtol=2.0 ** (-16 if "v_low" in state else -8), atol=0)
    train(ours, again, 1)


def test_strategies_of_earlier_versions():
    """What takes their place is named; kahan's states are those of light."""
    for name, successor in (("fp8-states", "split8"), ("kahan", "light")):
        with pytest.raises(ValueError, match=f"no strategy '{name}'; {successor}, .* takes its place"):
            MCAdamW(parameters(torch.bfloat16), strategy=name)
    params, light = trained(strategy="light")
    saved = light.state_dict()
    exact = [light.exact_weights(p) for p in params]
    for mine in ("light", "auto"):
        saved["param_groups"][0]["strategy"] = "kahan"
        again = [torch.nn.Parameter(p.detach().clone()) for p in params]
        ours = MCAdamW(again, strategy=mine)
        with pytest.raises(ValueError, match="has strategy 'kahan', .*; light, .* takes its place"):
            ours.load_state_dict(saved)
        assert not ours.state
        ours.load_converted_state_dict(saved)
        assert all(torch.equal(ours.exact_weights(q), weight) for q, weight in zip(again, exact))
        saved["param_groups"][0]["strategy"] = "fp8-states"
        with pytest.raises(ValueError, match="begin with a new optimizer; split8"):
            ours.load_converted_state_dict(saved)


def test_from_one_strategy_to_another():
    for kind, first, second in ((torch.bfloat16, "plus", "split16-plus"), (torch.bfloat16, "split16", "master"),
                                (torch.float32, "split16-plus", "full"), (torch.float32, "full", "light"),
                                (torch.float16, "residual-states", "master"), (torch.bfloat16, "auto", "plus")):
        params, optimizer = trained(kind, strategy=first)
        exact = [optimizer.exact_weights(p) for p in params]
        again = [torch.nn.Parameter(p.detach().clone()) for p in params]
        other = MCAdamW(again, strategy=second)
        other.load_converted_state_dict(optimizer.state_dict())
        tolerance = 0 if second in ("full", "master", "split16-plus") else 2.0 ** -16
        for p, q, weight in zip(params, again, exact):
            assert close(other.exact_weights(q), weight, tolerance), (first, second)
            assert other.state[q]["step"] == 3
            assert close(other.state[q]["m"], optimizer.state[p]["m"], 2.0 ** -8)
        train(other, again, 2, 3)


def test_the_format_is_that_of_the_file():
    """A model that was in float16 goes on in float32."""
    params, optimizer = trained(torch.float16, strategy="residual-states")
    again = [torch.nn.Parameter(p.detach().float()) for p in params]
    other = MCAdamW(again)
    other.load_converted_state_dict(optimizer.state_dict())
    assert all(torch.equal(q, optimizer.exact_weights(p)) for p, q in zip(params, again))


def test_what_is_not_converted():
    _, theirs = adamw(torch.float32, amsgrad=True)
    with pytest.raises(ValueError, match="AMSGrad"):
        MCAdamW(parameters(torch.float32)).load_converted_state_dict(theirs.state_dict())
    _, theirs = adamw(torch.float32)
    target = MCAdamW(parameters(torch.bfloat16), strategy="split8")
    with pytest.raises(ValueError, match="8 bits"):
        target.load_converted_state_dict(theirs.state_dict())
    assert not target.state
    _, source = trained(strategy="split8")
    with pytest.raises(ValueError, match="8 bits"):
        MCAdamW(parameters(torch.bfloat16), strategy="plus").load_converted_state_dict(source.state_dict())
    ours = MCAdamW(parameters(torch.bfloat16))
    with pytest.raises(ValueError, match="2 weights are given, expected 4"):
        ours.load_converted_state_dict(theirs.state_dict(), weights=[torch.zeros(3)] * 2)
    with pytest.raises(ValueError, match="weight 0 is of shape"):
        ours.load_converted_state_dict(theirs.state_dict(), weights=[torch.zeros(3)] * 4)
    with pytest.raises(ValueError, match="weight 0 is None"):
        ours.load_converted_state_dict(theirs.state_dict(), weights=[None] * 4)
    for name, value, message in (("exp_avg", None, "exp_avg of parameter 0 of group 0 is None"),
                                 ("exp_avg_sq", torch.ones(3), "exp_avg_sq of .* has 3 elements"),
                                 ("step", float("nan"), "parameter 0 of group 0 has taken nan steps")):
        broken = copy.deepcopy(theirs.state_dict())
        broken["state"][0][name] = value
        with pytest.raises(ValueError, match=message):
            ours.load_converted_state_dict(broken)
        del broken["state"][0][name]
        with pytest.raises(ValueError, match="the state of parameter 0 of group 0 has .*: neither"):
            ours.load_converted_state_dict(broken)
    broken = copy.deepcopy(theirs.state_dict())
    broken["state"][0]["exp_avg_sq"][0] = float("nan")
    with pytest.raises(ValueError, match="v of parameter 0 of group 0 is infinite or NaN"):
        ours.load_converted_state_dict(broken)
    sgd = torch.optim.SGD(parameters(torch.float32), lr=0.1, momentum=0.9)
    train(sgd, sgd.param_groups[0]["params"], 1)
    with pytest.raises(ValueError, match="momentum_buffer: neither"):
        ours.load_converted_state_dict(sgd.state_dict())
    assert not ours.state
