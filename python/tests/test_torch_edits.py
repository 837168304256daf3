"""What is written to parameters between steps counts, whatever strategy keeps them and however it is written."""
import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import MCAdamW  # noqa: E402
from test_torch import give_gradients, pairs, parameters, train  # noqa: E402


def fill(p):
    with torch.no_grad():
        p.fill_(0.001)


def load(p):
    """As model.load_state_dict does."""
    holder = torch.nn.ParameterList([p])
    holder.load_state_dict({"0": torch.linspace(0.1, 0.9, p.numel()).reshape(p.shape)})


def copy_data(p):
    """Moves no version counter."""
    p.data.copy_(torch.full(p.shape, 0.37))


def clamp(p):
    with torch.no_grad():
        p.copy_(p.float().clamp(-0.25, 0.25))


def average(p):
    """As a moving average of weights is copied in."""
    mean = p.detach().float().mul(0.5)
    with torch.no_grad():
        p.copy_(mean)


def one_number(p):
    with torch.no_grad():
        p.view(-1)[-1:] += 1


EDITS = [fill, load, copy_data, clamp, average, one_number]


def still(optimizer, params):
    """A step that must change nothing: a rate of 0."""
    group = optimizer.param_groups[0]
    rate, group["lr"] = group["lr"], 0.0
    train(optimizer, params, 1, 50)
    group["lr"] = rate


@pytest.mark.parametrize("strategy, kind", list(pairs()), ids=str)
def test_what_is_written_stays(strategy, kind):
    for edit in EDITS:
        params = parameters(kind)
        optimizer = MCAdamW(params, lr=1e-3, strategy=strategy, weight_decay=0.0)
        train(optimizer, params, 3)
        before = [p.detach().clone() for p in params]
        for p in params:
            edit(p)
        written = [p.detach().clone() for p in params]
        for p, old in zip(params, written):
            assert torch.allclose(optimizer.exact_weights(p), old.float(), rtol=2.0 ** -8, atol=0), edit.__name__
        still(optimizer, params)
        is_rounded = kind == torch.float32 and strategy != "full"  # the parameter shows what 16 bits hold of it
        for p, old, older in zip(params, written, before):
            edited = old != older
            assert edited.any() and (is_rounded or torch.equal(p[edited], old[edited])), edit.__name__
            # the others keep their low parts, or are rounded where these are dropped
            assert torch.allclose(p.float(), old.float(), rtol=2.0 ** -7, atol=0), edit.__name__
            if is_rounded:
                tolerance = 2.0 ** -15 if "low" in optimizer.state[p] else 2.0 ** -8
                exact = optimizer.exact_weights(p)
                assert torch.allclose(exact[edited], old[edited], rtol=tolerance, atol=0), edit.__name__


@pytest.mark.parametrize("strategy, kind", list(pairs()), ids=str)
def test_later_steps_begin_at_what_was_written(strategy, kind):
    edited, fresh = parameters(kind), parameters(kind, 1)
    first = MCAdamW(edited, lr=1e-2, strategy=strategy, weight_decay=0.0, seed=3)
    train(first, edited, 2)
    # where the same number is written, nothing is
    changed = [p.detach() != q.detach() for p, q in zip(edited, fresh)]
    for p, q in zip(edited, fresh):
        p.data.copy_(q)
    # another optimizer that begins there, with the same moments
    second = MCAdamW(fresh, lr=1e-2, strategy=strategy, weight_decay=0.0, seed=3)
    for p, q in zip(edited, fresh):
        state = second._state_of(q, second.param_groups[0], "q")
        for name, value in first.state[p].items():
            if name in ("m", "v", "v_low", "scales", "step"):
                state[name] = value.clone() if torch.is_tensor(value) else value
        if strategy == "split8":  # the scales of the moments are bits of low
            state["low"] = (state["low"] & 0xFE) | (first.state[p]["low"] & 1)
    for step in range(3):
        train(first, edited, 1, step)
        train(second, fresh, 1, step)
    for p, q, mask in zip(edited, fresh, changed):
        assert mask.any() and torch.equal(p[mask], q[mask])
        assert torch.equal(first.exact_weights(p)[mask], second.exact_weights(q)[mask])


@pytest.mark.parametrize("kind, strategy", [(torch.bfloat16, "split16-plus"), (torch.bfloat16, "master"),
                                            (torch.float32, "split16")], ids=str)
def test_files_in_any_order(kind, strategy):
    """Weights and states that belong together are no edit of each other."""
    params = parameters(kind)
    optimizer = MCAdamW(params, lr=1e-4, strategy=strategy)
    train(optimizer, params, 3)
    saved, weights = optimizer.state_dict(), [p.detach().clone() for p in params]
    exact = [optimizer.exact_weights(p) for p in params]
    for weights_first in (True, False):
        again = parameters(kind, 9)
        other = MCAdamW(again, lr=1e-4, strategy=strategy)
        for is_weights in (weights_first, not weights_first):
            if is_weights:
                for p, weight in zip(again, weights):
                    p.data.copy_(weight)
            else:
                other.load_state_dict(saved)
        still(other, again)
        assert all(torch.equal(other.exact_weights(p), x) for p, x in zip(again, exact))


def test_a_step_is_a_change_of_the_tensor():
    """A backward pass that needs what parameters were is an error, as with PyTorch's optimizers."""
    p = torch.nn.Parameter(torch.ones(4))
    optimizer = MCAdamW([p], strategy="full")
    loss = (p * p).sum()
    version = p._version
    give_gradients([p], 1)
    optimizer.step()
    assert p._version > version
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    version = p._version
    p.grad.fill_(float("nan"))
    with pytest.warns(RuntimeWarning, match="skipped"):
        optimizer.step()
    assert p._version == version
