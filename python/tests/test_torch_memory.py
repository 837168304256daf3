"""MCAdamW steps what parameters, gradients and states are at the step, not what they were before."""
import copy
import gc
import weakref

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")

from mctensor.torch import MCAdamW  # noqa: E402
from test_torch import give_gradients, parameters, train  # noqa: E402

KINDS = [(torch.bfloat16, "plus"), (torch.float16, "light"), (torch.float32, "full"),
         (torch.float32, "split16-plus")]


def twins(kind, strategy):
    """Two optimizers over equal parameters: what is done to the memory of one changes nothing."""
    ours, plain = parameters(kind), parameters(kind)
    return ours, MCAdamW(ours, strategy=strategy), plain, MCAdamW(plain, strategy=strategy)


def assert_equal(ours, optimizer, plain, other):
    for p, q in zip(ours, plain):
        assert torch.equal(p, q)
        for name, value in optimizer.state[p].items():
            assert torch.equal(torch.as_tensor(value), torch.as_tensor(other.state[q][name])), name


def replace_data(p):
    """Other memory; the old one is overwritten by what comes next."""
    p.data = p.data.clone()


def transpose_data(p):
    """The same numbers at the same address, in another order, then once more."""
    if p.dim() == 2:
        p.data = p.data.t().contiguous().t()


@pytest.mark.parametrize("kind, strategy", KINDS, ids=str)
@pytest.mark.parametrize("move", [replace_data, transpose_data, torch.Tensor.share_memory_])
def test_moved_parameters(kind, strategy, move):
    ours, optimizer, plain, other = all_of_it = twins(kind, strategy)
    for step in range(4):
        train(optimizer, ours, 1, step)
        train(other, plain, 1, step)
        with torch.no_grad():
            for p in ours:
                move(p)
    assert_equal(*all_of_it)


@pytest.mark.parametrize("kind, strategy", KINDS, ids=str)
def test_exchanged_gradients(kind, strategy):
    ours, optimizer, plain, other = all_of_it = twins(kind, strategy)
    for step in range(6):
        give_gradients(ours, step)
        give_gradients(plain, step)
        for p, q in zip(ours, plain):
            if step % 3 == 1:  # in other memory of the same object, or scattered in it
                p.grad.data = p.grad.data.clone()
            if step % 3 == 2 and p.dim() == 2:
                p.grad = p.grad.t().contiguous().t()
            if step == 3 + p.dim():  # this one is left out
                p.grad = q.grad = None
        optimizer.step()
        other.step()
    assert_equal(*all_of_it)
    assert {optimizer.state[p]["step"] for p in ours} == {5, 6}


@pytest.mark.parametrize("kind, strategy", KINDS, ids=str)
def test_gradients_whose_sign_is_beside_the_memory(kind, strategy):
    """As of conj().imag: the memory has the numbers with the other sign."""
    ours, optimizer, plain, other = all_of_it = twins(kind, strategy)
    for step in range(2):
        give_gradients(ours, step)
        give_gradients(plain, step)
        for p in ours:
            p.grad = torch._neg_view(p.grad.neg())
        optimizer.step()
        other.step()
    assert_equal(*all_of_it)


def test_same_memory_in_another_order():
    p = torch.nn.Parameter(torch.arange(9.0).reshape(3, 3))
    q = torch.nn.Parameter(torch.arange(9.0).reshape(3, 3).t().contiguous())
    optimizer, other = (MCAdamW([x], strategy="full", lr=0.1) for x in (p, q))
    for x, o in ((p, optimizer), (q, other)):
        x.grad = torch.zeros_like(x)
        o.step()
    p.grad = None
    p.data = p.data.t()  # a view, at the address of old
    for x, o in ((p, optimizer), (q, other)):
        x.grad = torch.arange(9.0).reshape(3, 3)
        o.step()
    assert torch.equal(p, q)


def test_another_shape_is_refused():
    """Moments belong to places: those of the shape before would go on at others."""
    p = torch.nn.Parameter(torch.ones(2, 3))
    p.grad = torch.ones(2, 3)
    optimizer = MCAdamW([p])
    optimizer.step()
    p.grad, p.data = None, p.data.t()
    p.grad = torch.ones(3, 2)
    with pytest.raises(ValueError, match=r"m of parameter 0 of group 0 is torch.float32 of shape \(2, 3\); .*\(3, 2\)"):
        optimizer.step()


@pytest.mark.parametrize("strategy", ["split16-plus", "split8", "master"])
def test_states_that_lie_otherwise(strategy):
    """Transposed and expanded ones are the numbers that they show."""
    def square():
        params = [torch.nn.Parameter(torch.linspace(0.1, 1, 48 * 48).reshape(48, 48).bfloat16())]
        return params, MCAdamW(params, strategy=strategy)

    (ours, optimizer), (plain, other) = square(), square()
    train(optimizer, ours, 2)
    train(other, plain, 2)
    mine, theirs = optimizer.state[ours[0]], other.state[plain[0]]
    mine["m"] = mine["m"].t().contiguous().t()
    assert not mine["m"].is_contiguous()
    mine["v"] = torch.zeros((), dtype=mine["v"].dtype).expand(48, 48)
    theirs["v"].zero_()
    for state in (mine, theirs):
        if "v_low" in state:  # what continues another v
            state["v_low"].zero_()
    train(optimizer, ours, 1, 3)
    train(other, plain, 1, 3)
    mine["m"].t_()  # the same object, in place
    theirs["m"] = theirs["m"].t().contiguous()
    mine["v"].data = torch.zeros((), dtype=mine["v"].dtype).expand(48, 48)
    theirs["v"].zero_()
    for state in (mine, theirs):
        if "v_low" in state:
            state["v_low"].zero_()
    train(optimizer, ours, 4, 4)
    train(other, plain, 4, 4)
    assert_equal(ours, optimizer, plain, other)


def transpose(state, p):
    state["m"] = state["m"].t().contiguous()


def free_storage(state, p):
    state["v"].untyped_storage().resize_(0)


@pytest.mark.parametrize("change, message", [
    (lambda state, p: state.update(m=state["m"].float()), r"m of parameter 0 of group 0 is torch.float32"),
    (lambda state, p: state.update(m=state["m"].reshape(-1)), "shape"), (transpose, "shape"),
    (lambda state, p: state.update(m=state["m"][:5]), "shape"),
    (lambda state, p: state.update(m=state["m"].to("meta")), "m of parameter 0 of group 0 is on meta"),
    (lambda state, p: state.update(m=state["m"].to_sparse()), "sparse"),
    (lambda state, p: state.update(m=3), "m of parameter 0 of group 0 is 3"),
    (lambda state, p: state.update(v=state["m"]), "overlap"),
    (lambda state, p: state.update(v=p.detach()), "overlap"),
    (lambda state, p: setattr(state["m"], "data", state["m"].data.float()), "torch.float32"),
    (lambda state, p: setattr(state["v_low"], "data", state["v_low"].data[:5]), "shape"),
    (lambda state, p: setattr(state["marks"], "data", torch.zeros(3, dtype=torch.int32)), "shape"),
    (lambda state, p: state.update(step="2"), "step|taken"), (free_storage, "storage of entry v")])
def test_impossible_states_are_refused(change, message):
    p = torch.nn.Parameter(torch.linspace(0.1, 1, 1200).reshape(40, 30).bfloat16())
    optimizer = MCAdamW([p])
    train(optimizer, [p], 2)
    change(optimizer.state[p], p)
    before = p.detach().clone()
    with pytest.raises(ValueError, match=message):
        train(optimizer, [p], 1)
    assert torch.equal(p, before)


def test_parameters_whose_elements_share_memory_are_refused():
    with pytest.raises(ValueError, match=r"share memory \(shape \(64,\), strides \(0,\)\)"):
        MCAdamW([torch.nn.Parameter(torch.zeros(1).expand(64))])
    p = torch.nn.Parameter(torch.ones(64))
    optimizer = MCAdamW([p])
    train(optimizer, [p], 1)
    p.data = torch.zeros(1).expand(64)
    with pytest.raises(ValueError, match="share memory"):
        train(optimizer, [p], 1)
    p.data = torch.zeros(64)
    p.grad = torch.ones(1).expand(64)  # is read alone
    optimizer.step()
    assert optimizer.state[p]["step"] == 2


@pytest.mark.parametrize("kind, strategy", KINDS, ids=str)
def test_exchanged_states(kind, strategy):
    ours, optimizer, plain, other = all_of_it = twins(kind, strategy)
    train(optimizer, ours, 1)
    train(other, plain, 1)
    for p in ours[:2]:  # as those do who move states to a device
        optimizer.state[p] = {name: copy.deepcopy(x) for name, x in optimizer.state[p].items()}
    for name, x in optimizer.state[ours[2]].items():
        optimizer.state[ours[2]][name] = x.clone() if torch.is_tensor(x) else x
    train(optimizer, ours, 2, 1)
    train(other, plain, 2, 1)
    assert_equal(*all_of_it)
    for p in ours:
        for x in optimizer.state[p].values():
            if torch.is_tensor(x):
                x.share_memory_()
    train(optimizer, ours, 1, 3)
    train(other, plain, 1, 3)
    assert_equal(*all_of_it)
    for o, params in ((optimizer, ours), (other, plain)):
        o.state[params[1]]["step"] = 0
        del o.state[params[0]]
    train(optimizer, ours, 1, 5)
    train(other, plain, 1, 5)
    assert [optimizer.state[p]["step"] for p in ours] == [1, 1, 5, 5]
    assert_equal(*all_of_it)


def test_options_between_steps():
    ours, optimizer, plain, other = all_of_it = twins(torch.bfloat16, "plus")
    for step in range(3):
        optimizer.param_groups[0]["lr"] = other.param_groups[0]["lr"] = 10.0 ** -(step + 1)
        optimizer.param_groups[0]["weight_decay"] = other.param_groups[0]["weight_decay"] = step / 10
        if step == 2:
            other._batches = None  # nothing that was gathered before is used
        train(optimizer, ours, 1, step)
        train(other, plain, 1, step)
    assert_equal(*all_of_it)
    optimizer.param_groups[0]["strategy"] = "split8"
    with pytest.raises(ValueError, match="split8 has"):
        train(optimizer, ours, 1)
    optimizer.param_groups[0]["strategy"] = "plus"
    late = torch.nn.Parameter(torch.ones(3).bfloat16())
    optimizer.param_groups[0]["params"].append(late)
    late.grad = torch.ones(3).bfloat16()
    optimizer.step()
    assert optimizer.state[late]["step"] == 1 and optimizer.exact_weights(late)[0] != 1


@pytest.mark.parametrize("change, message", [
    (lambda p: setattr(p, "data", p.data.float()), "float32"),
    (lambda p: setattr(p, "data", p.data[:5]), r"of shape \(10,\); .* of shape \(5,\) is wanted"),
    (lambda p: setattr(p.grad, "data", p.grad.data.double()), "gradient of torch.float64"),
    (lambda p: setattr(p.grad, "data", p.grad.data[:5]), "shape")])
def test_impossible_changes_are_refused(change, message):
    p = torch.nn.Parameter(torch.ones(10).bfloat16())
    p.grad = torch.ones(10).bfloat16()
    optimizer = MCAdamW([p])
    optimizer.step()
    change(p)
    before = p.detach().clone()
    with pytest.raises(ValueError, match=message):
        optimizer.step()
    assert torch.equal(p, before)


def test_gradients_are_let_go():
    params = parameters(torch.bfloat16)
    optimizer = MCAdamW(params)
    train(optimizer, params, 2)
    grads = [weakref.ref(p.grad) for p in params]
    memory = weakref.ref(optimizer)
    optimizer.zero_grad(set_to_none=True)
    assert all(grad() is None for grad in grads)
    del optimizer
    gc.collect()
    assert memory() is None


def test_groups_of_several_types_are_stepped_as_each_alone():
    together, alone = [[*parameters(torch.bfloat16), *parameters(torch.float32, 1)] for _ in range(2)]
    first = MCAdamW([{"params": together[:4]}, {"params": together[4:], "strategy": "split16"}])
    others = [MCAdamW(alone[:4]), MCAdamW(alone[4:], strategy="split16")]
    for step in range(3):
        for params in (together, alone):
            give_gradients(params, step)
        first.step()
        for other in others:
            other.step()
        assert first.last_report.elements == sum(other.last_report.elements for other in others)
    assert all(torch.equal(p, q) for p, q in zip(together, alone))
