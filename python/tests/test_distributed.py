"""Exact sums over processes of torch.distributed: the same bits on 1, 2 and 4 ranks."""
import copy
import warnings

import pytest

torch = pytest.importorskip("torch", "2.4", reason="PyTorch is not installed")
if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
    pytest.skip("PyTorch has no gloo", allow_module_level=True)

import torch.distributed as dist  # noqa: E402

from mctensor.torch import MCAdamW, full_gradients, tensor  # noqa: E402
from mctensor.torch import distributed as exact  # noqa: E402
from ranks import run  # noqa: E402

SHARES = 4
KINDS = [torch.float64, torch.float32, torch.bfloat16, torch.float16]


def shares(kind, size=1000):
    """What each of four workers has: numbers whose sum depends on the order, in the type itself."""
    generator = torch.Generator().manual_seed(3)
    shape = (SHARES, size)
    scale = 2.0 ** torch.randint(-9, 9, shape, generator=generator)
    x = (torch.randn(shape, generator=generator) * scale).to(kind)
    x[:, 0] = torch.tensor([1e4, 1.0, -1e4, 1e-4]).to(kind)
    x[:, 1], x[2, 2], x[1, 3], x[3, 3] = -0.0, float("nan"), float("inf"), -float("inf")
    return x


def model():
    torch.manual_seed(7)
    return torch.nn.Sequential(torch.nn.Linear(6, 20), torch.nn.Tanh(), torch.nn.Linear(20, 3),
                               torch.nn.Linear(3, 3).requires_grad_(False)).bfloat16()


def train(rank, ranks):
    """Three steps over four batches each, shared out among the ranks; the parameters."""
    net = model()
    optimizer = MCAdamW(net.parameters(), lr=1e-2, strategy="split16-plus")
    gradients = exact.ExactGradients(net.parameters())
    generator = torch.Generator().manual_seed(1)
    for _ in range(3):
        batches = torch.randn(SHARES, 5, 6, generator=generator).bfloat16()
        for batch in batches[rank::ranks]:
            net(batch).square().mean().backward()
            gradients.add()
        assert gradients.average() == SHARES
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return [p.detach().clone() for p in net.parameters()]


def sums(rank, ranks):
    result = []
    for kind in KINDS:
        mine = shares(kind)[rank::ranks]
        if len(mine) == 1:
            result.append(exact.all_reduce(mine[0].clone()))
        p = torch.nn.Parameter(torch.zeros(mine.shape[1], dtype=kind))
        gradients = exact.ExactGradients([p])
        for x in mine:
            p.grad = x.clone()
            gradients.add()
        assert gradients.sum() == SHARES
        result.append(p.grad)
    return result


def averages(rank, ranks):
    used, idle = (torch.nn.Parameter(torch.zeros(3, 2)) for _ in range(2))
    if rank == 0:
        used.grad = torch.full((3, 2), 6.0)
    exact.average_gradients([used, idle])
    assert idle.grad is None and torch.equal(used.grad, torch.full((3, 2), 6.0 / ranks))
    wide = torch.arange(12.0).reshape(3, 4).t()
    exact.all_reduce(wide)
    assert torch.equal(wide, ranks * torch.arange(12.0).reshape(3, 4).t())
    if ranks > 1:
        with pytest.raises(ValueError, match="elements"):
            exact.all_reduce(torch.zeros(3 + rank))
        with pytest.raises(ValueError, match="type"):
            exact.all_reduce(torch.zeros(3, dtype=torch.float32 if rank else torch.float64))
    return []


def skips(rank, ranks):
    """A gradient of one rank is not finite: no rank of the group steps, unless each decides for itself. Sharded
    parameters: every rank has others. Rows of (has moved, skipped so far) of all steps, and what the warnings say."""
    result = []
    for group in ("world", None, dist.group.WORLD):
        p = torch.nn.Parameter(torch.full((20 + rank,), 1.0, dtype=torch.bfloat16))
        optimizer = MCAdamW([p], lr=0.1, process_group=group)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for step in range(4):
                p.grad = torch.ones_like(p)
                if step == 1 and rank == ranks - 1:
                    p.grad[3] = float("nan")
                found_inf = torch.tensor(float(step == 2 and rank == 0))  # as a scaler of gradients sets it
                before = p.detach().clone()
                optimizer.step(found_inf=found_inf)
                result.append((not torch.equal(p, before), optimizer.skipped_steps))
        result.append(sorted("another rank" in str(w.message) for w in told))
        result.append(copy.deepcopy(optimizer)._vote.are_several() == (ranks > 1 and group is not None))
    return result


def errors(rank):
    """An error of one rank before its step: the others are told, and leave the step out."""
    p = torch.nn.Parameter(torch.ones(3))
    optimizer = MCAdamW([p], lr=0.1)
    p.grad = torch.ones(3)
    if rank == 0:
        optimizer.param_groups[0]["lr"] = "much"
        with pytest.raises(TypeError, match="lr"):
            optimizer.step()
    else:
        with pytest.warns(RuntimeWarning, match="on another rank"):
            optimizer.step()
    assert torch.equal(p, torch.ones(3)) and optimizer.skipped_steps == (rank != 0)


def groups(rank, ranks):
    """Sums over ranks 1 ... n - 1, and over those in another order."""
    if ranks == 1:
        return
    for members in (range(1, ranks), range(ranks - 1, 0, -1)):
        group = dist.new_group(list(members))
        x = torch.full((300,), 1.0 + rank)
        p = torch.nn.Parameter(torch.zeros(3))
        p.grad = torch.full((3,), 1.0 + rank)
        if rank == 0:
            with pytest.raises(ValueError, match="rank 0 is not in the group"):
                exact.all_reduce(x, group)
            continue
        total = sum(range(2, ranks + 1))
        assert torch.equal(exact.all_reduce(x, group=group), torch.full((300,), float(total)))
        exact.average_gradients([p], group)
        assert torch.equal(p.grad, torch.full((3,), float(total)) / (ranks - 1))


def replicas(rank, ranks):
    """Copies of a model that average their gradients, and an optimizer whose states are shared out: one result."""
    from torch.distributed.optim import ZeroRedundancyOptimizer

    nets = [torch.nn.parallel.DistributedDataParallel(model()) for _ in range(2)]
    options = dict(lr=1e-2, strategy="master")
    optimizers = [MCAdamW(nets[0].parameters(), **options),
                  ZeroRedundancyOptimizer(nets[1].parameters(), MCAdamW, **options)]
    for step in range(3):
        x = torch.randn(8, 6, generator=torch.Generator().manual_seed(10 * step + rank)).bfloat16()
        for net, optimizer in zip(nets, optimizers):
            net(x).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
    assert all(torch.equal(p, q) for p, q in zip(nets[0].parameters(), nets[1].parameters()))
    optimizers[1].consolidate_state_dict(0)
    if rank == 0:
        again = MCAdamW(model().parameters(), **options)
        again.load_state_dict(optimizers[1].state_dict())
        for mine, theirs in zip(again.state.values(), optimizers[0].state.values()):
            assert all(torch.equal(torch.as_tensor(x), torch.as_tensor(theirs[name])) for name, x in mine.items())


def work(rank, ranks):
    replicas(rank, ranks)
    errors(rank)
    groups(rank, ranks)
    return sums(rank, ranks), train(rank, ranks), averages(rank, ranks), skips(rank, ranks)


def bits(x):
    size = {2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()]
    return x.contiguous().view(size)


def check_skips(results):
    first, last = 0, len(results) - 1
    for rank, rows in enumerate(results):
        for begin in (0, 12):  # the step with a NaN and that with found_inf are left out by all
            steps = rows[begin:begin + 4]
            assert [moved for moved, _ in steps] == [True, False, False, True]
            # found_inf is the scaler's: the rank that has it does not count
            assert steps[-1][1] == (1 if rank == first else 2)
        for begin in (0, 12):
            warned, copied = rows[begin + 4:begin + 6]
            elsewhere = [rank != last] + [True] * (rank != first)  # of the NaN, of found_inf
            assert copied and warned == sorted(elsewhere)
        steps = rows[6:10]  # each for itself
        assert [moved for moved, _ in steps] == [True, rank != last, rank != first, True]
        assert steps[-1][1] == (rank == last) and rows[11]


def test_any_number_of_ranks_gives_the_same_bits(tmp_path):
    ((*alone, _, _),) = run(work, 1, tmp_path / "1")
    assert all(torch.equal(bits(x), bits(y)) for x, y in zip(sums(0, 1), alone[0]))
    for ranks in (2, 4):
        results = run(work, ranks, tmp_path / str(ranks))
        check_skips([skipped for *_, skipped in results])
        for found, trained, *_ in results:
            if ranks == SHARES:  # all_reduce has been called, too
                for reduced, summed in zip(found[::2], found[1::2]):
                    assert torch.equal(bits(reduced), bits(summed))
                found = found[1::2]
            for ours, expected in zip((*found, *trained), (*alone[0], *alone[1])):
                assert torch.equal(bits(ours), bits(expected))
    for kind, total in zip(KINDS, alone[0]):
        terms = shares(kind)[:, 4:].double()
        assert torch.allclose(total[4:].double(), terms.sum(0), rtol=2 * torch.finfo(kind).eps,
                              atol=torch.finfo(kind).tiny)
        assert float(total[0]) == torch.tensor(1.0).add(shares(kind)[3, 0].double()).to(kind)
        assert str(float(total[1])) == "-0.0" and torch.isnan(total[2:4]).all()


def test_float_gradients_of_narrow_parameters():
    p = torch.nn.Parameter(torch.ones(2, dtype=torch.bfloat16))
    if not hasattr(p, "grad_dtype"):
        pytest.skip("this PyTorch has no grad_dtype")
    p.grad_dtype = torch.float32
    gradients = exact.ExactGradients([p])
    for value in (1 / 3, 1e-6):
        p.grad = torch.full((2,), value)
        gradients.add()
    gradients.sum()
    assert p.grad.dtype == torch.float32 and torch.equal(p.grad, torch.full((2,), 1 / 3) + 1e-6)
    p.grad, p.grad_dtype = None, torch.bfloat16
    p.grad = torch.ones(2, dtype=torch.bfloat16)
    with pytest.raises(TypeError, match="bfloat16 of a parameter of torch.bfloat16 with gradients of torch.float32"):
        gradients.add()


def test_one_process_without_a_group():
    averages(0, 1)
    x = torch.tensor([1.0, -0.0])
    assert torch.equal(bits(exact.all_reduce(x.clone())), bits(x))
    gradients = exact.ExactGradients([torch.nn.Parameter(torch.ones(2))])
    with pytest.raises(TypeError, match="ExactGradients: pickle"):
        copy.deepcopy(gradients)
    with pytest.raises(ValueError, match="nothing was added"):
        gradients.average()
    with pytest.raises(TypeError, match="int64"):
        exact.all_reduce(torch.tensor([1]))
    with pytest.raises(ValueError, match="meta"):
        exact.all_reduce(torch.zeros(2, device="meta"))
    number = tensor([0.1, 0.2], requires_grad=True)
    with pytest.raises(TypeError, match="all_reduce: an MCTensor of 2 components"):
        exact.all_reduce(number)
    gradients = exact.ExactGradients([number])  # plain gradients are added
    with full_gradients():
        number.square().sum().backward()
    with pytest.raises(TypeError, match="a gradient: an MCTensor of 2 components"):
        gradients.add()
    p = torch.nn.Parameter(torch.ones(2))
    p.grad = torch.ones(2).to_sparse()
    with pytest.raises(TypeError, match="sparse"):
        exact.average_gradients([p])
