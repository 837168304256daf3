"""MCAdamW over parameters of which each process has a part: the same bits on any number of ranks, and unsharded."""
import copy
import functools
import warnings

import pytest

torch = pytest.importorskip("torch", "2.6", reason="PyTorch is not installed")  # from which on fully_shard is public
if not torch.distributed.is_available() or not torch.distributed.is_gloo_available():
    pytest.skip("PyTorch has no gloo", allow_module_level=True)
if not hasattr(torch.cpu.Stream, "record_event"):
    pytest.skip("fully_shard of this PyTorch (2.6) does not run on the CPU", allow_module_level=True)

import torch.distributed as dist  # noqa: E402
from torch.distributed.device_mesh import init_device_mesh  # noqa: E402
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard  # noqa: E402
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor  # noqa: E402
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module  # noqa: E402
from torch.distributed.tensor.placement_types import _StridedShard  # noqa: E402

from mctensor import _torch_shards as shards  # noqa: E402
from mctensor._torch_state import restored  # noqa: E402
from mctensor.torch import MCAdamW  # noqa: E402
from ranks import run  # noqa: E402

SHARDED = ["split16-plus", "split16-stochastic", "stochastic-states", "residual", "light", "master"]


def model(kind=torch.bfloat16):
    """Its parts begin in groups of 128 elements, and some ranks have none of a parameter."""
    torch.manual_seed(7)
    return torch.nn.Sequential(torch.nn.Linear(13, 29), torch.nn.Tanh(), torch.nn.Linear(29, 37), torch.nn.Tanh(),
                               torch.nn.Linear(37, 1)).to(kind)


def whole(x):
    return x.full_tensor() if hasattr(x, "full_tensor") else x


def steps(net, optimizer, count, begin=0):
    """All ranks have the same batches: means over them are exact."""
    generator = torch.Generator().manual_seed(3)
    batches = torch.randn(5, 8, 13, generator=generator).to(next(net.parameters()).dtype)
    for batch in batches[begin:begin + count]:
        net(batch).float().square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def all_of(net, optimizer):
    """Weights and states, whole, as files have them: lower bits are shown as another type where they are sharded."""
    saved = optimizer.state_dict()["state"]
    result = []
    for i, p in enumerate(net.parameters()):
        state = {name: whole(x) for name, x in saved[i].items() if name != "marks"}
        if "low" in state:
            state["low"] = restored(state["low"], shards.local(optimizer.state[p]["low"]).dtype)
        result.append((whole(p.detach()), whole(optimizer.exact_weights(p)), state))
    return result


def sharded(kind=torch.bfloat16, **options):
    net = model(kind)
    fully_shard(net, mesh=init_device_mesh("cpu", (dist.get_world_size(),)),
                mp_policy=MixedPrecisionPolicy(reduce_dtype=torch.float32))
    return net, MCAdamW(net.parameters(), lr=1e-2, weight_decay=0.1, **options)


def trained(strategy, kind):
    net, optimizer = sharded(kind, strategy=strategy, seed=5)
    steps(net, optimizer, 3)
    with torch.no_grad():
        for p in net.parameters():  # what is written counts, of parts, too
            p.mul_(0.5)
    steps(net, optimizer, 2, 3)
    return all_of(net, optimizer)


def columns(rank, ranks):
    """A parameter that is cut in its second dimension, and one that all ranks have whole."""
    mesh = init_device_mesh("cpu", (ranks,))
    generator = torch.Generator().manual_seed(1)
    values, grads = torch.randn(2, 17, 12, generator=generator).bfloat16()
    params = [torch.nn.Parameter(distribute_tensor(values, mesh, [placement])) for placement in (Shard(1), Replicate())]
    optimizer = MCAdamW(params, strategy="split16-stochastic", seed=3)
    for _ in range(3):
        for p in params:
            p.grad = distribute_tensor(grads, mesh, p.placements)
        optimizer.step()
    params[1].grad = distribute_tensor(grads, mesh, [Shard(0)])  # is exchanged first
    optimizer.step()
    optimizer.set_exact_weights(params[1], params[1].detach() * 2)
    return [whole(x) for p in params for x in (p.detach(), optimizer.exact_weights(p))]


def skips(rank, ranks):
    """A gradient that is not finite in the part of one rank."""
    net, optimizer = sharded()
    steps(net, optimizer, 1)
    before = [whole(p.detach()).clone() for p in net.parameters()]
    for p in net.parameters():
        p.grad = torch.zeros_like(p)
    if rank == ranks - 1:
        next(net.parameters()).grad.to_local()[-1, 3] = float("nan")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        optimizer.step()
    assert optimizer.skipped_steps == 1 and ("another rank" in str(told[0].message)) == (rank != ranks - 1)
    assert all(torch.equal(whole(p.detach()), old) for p, old in zip(net.parameters(), before))


def flattened(rank, ranks):
    """FullyShardedDataParallel puts states together and cuts them again. PyTorch's own default, offload_to_cpu, gives
    all entries of a parameter one memory on the CPU."""
    from torch.distributed import fsdp

    options = (fsdp.StateDictType.FULL_STATE_DICT, fsdp.FullStateDictConfig(),
               fsdp.FullOptimStateDictConfig(offload_to_cpu=False))
    for strategy in ("split16-plus", "split16", "master"):
        nets = [fsdp.FullyShardedDataParallel(model(), use_orig_params=True, device_id=torch.device("cpu"))
                for _ in range(2)]
        first, second = (MCAdamW(net.parameters(), lr=1e-2, strategy=strategy) for net in nets)
        steps(nets[0], first, 2)
        with fsdp.FullyShardedDataParallel.state_dict_type(nets[0], *options):
            saved = [nets[0].state_dict(), fsdp.FullyShardedDataParallel.optim_state_dict(nets[0], first)]
        dist.broadcast_object_list(saved, 0)  # the first rank alone has what was put together
        with fsdp.FullyShardedDataParallel.state_dict_type(nets[1], *options):
            nets[1].load_state_dict(saved[0])
            second.load_state_dict(fsdp.FullyShardedDataParallel.optim_state_dict_to_load(nets[1], second, saved[1]))
        for net, optimizer in zip(nets, (first, second)):
            steps(net, optimizer, 2, 2)
        assert all(torch.equal(p, q) for p, q in zip(nets[0].parameters(), nets[1].parameters()))


def refusals(ranks):
    net = model()
    fully_shard(net, mesh=init_device_mesh("cpu", (ranks,)))
    with pytest.raises(ValueError, match="parameter 0 of group 0, of shape .29, 13., is cut in dimension 0.*split8"):
        MCAdamW(net.parameters(), strategy="split8")


def strided():
    """Cut by tensor parallelism first and then by fully_shard, evenly: boxes. Other strided parts are none."""
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "tensor"))
    torch.manual_seed(9)
    plain = torch.nn.Linear(13, 28).bfloat16()
    net = copy.deepcopy(plain)
    parallelize_module(net, mesh["tensor"], ColwiseParallel())
    fully_shard(net, mesh=mesh["data"])
    assert isinstance(net.weight.placements[0], _StridedShard)
    optimizers = [MCAdamW(module.parameters(), lr=1e-2, strategy="split16-stochastic") for module in (net, plain)]
    for _ in range(3):
        grads = [torch.randn_like(q) for q in plain.parameters()]
        for p, q, grad in zip(net.parameters(), plain.parameters(), grads):
            first = _first(p)
            p.grad = shards.like(p, grad[first:first + p.to_local().shape[0]].clone())
            q.grad = grad
        for optimizer in optimizers:
            optimizer.step()
    for p, q in zip(net.parameters(), plain.parameters()):
        first = _first(p)
        for x, y in ((p, q), (optimizers[0].exact_weights(p), optimizers[1].exact_weights(q))):
            assert torch.equal(x.to_local(), y[first:first + 7])
    for placements, size in (([_StridedShard(0, split_factor=2), Replicate()], 8),
                             ([Shard(0), _StridedShard(0, split_factor=2)], 8),
                             ([_StridedShard(0, split_factor=2), Shard(1)], 8),
                             ([_StridedShard(0, split_factor=4), Shard(0)], 8),
                             ([_StridedShard(0, split_factor=2), Shard(0)], 6)):
        p = torch.nn.Parameter(DTensor.from_local(torch.zeros(2, 4), mesh, placements, run_check=False,
                                                  shape=torch.Size((size, 4)), stride=(4, 1)))
        with pytest.raises(ValueError, match=r"parameter 0 of group 0, of shape .\d, 4., .*one block of neighb"):
            MCAdamW([p])


def _first(p):
    """The first row of this process' part: tensor parallelism cuts in two, then fully_shard each part."""
    data, tensor = p.device_mesh.get_coordinate()
    return (2 * tensor + data) * 7


def checkpoint(rank, ranks, folder):
    """Two ranks save after three steps; all load, and go on."""
    import torch.distributed.checkpoint as dcp
    from torch.distributed.checkpoint import state_dict as states

    def entries(net, optimizer):
        return {"model": states.get_model_state_dict(net),
                "optimizer": states.get_optimizer_state_dict(net, optimizer)}

    net, optimizer = sharded()
    if ranks == 2:
        steps(net, optimizer, 3)
        dcp.save(entries(net, optimizer), checkpoint_id=folder)
        net, optimizer = sharded()
    found = entries(net, optimizer)
    dcp.load(found, checkpoint_id=folder)
    states.set_model_state_dict(net, found["model"])
    states.set_optimizer_state_dict(net, optimizer, found["optimizer"])
    steps(net, optimizer, 2, 3)
    return all_of(net, optimizer)


def from_a_whole_file():
    """A file of a model that is not sharded goes on in one that is, its weights beyond the parameters' bits, too."""
    plain = model()
    first = MCAdamW(plain.parameters(), lr=1e-2)
    steps(plain, first, 2)
    net, second = sharded()
    with torch.no_grad():
        for p, q in zip(net.parameters(), plain.parameters()):
            p.copy_(distribute_tensor(q.detach(), p.device_mesh, p.placements))
    second.load_state_dict(first.state_dict())
    for p, q in zip(net.parameters(), plain.parameters()):
        assert torch.equal(whole(second.exact_weights(p)), first.exact_weights(q))
    third = MCAdamW(net.parameters(), strategy="master")
    third.load_converted_state_dict(first.state_dict(), weights=[first.exact_weights(q) for q in plain.parameters()])
    for p, q in zip(net.parameters(), plain.parameters()):
        assert torch.equal(whole(third.exact_weights(p)), first.exact_weights(q))
        assert torch.equal(whole(third.state[p]["m"]), first.state[q]["m"].float())
    with pytest.raises(ValueError, match="parameter 0 of group 0 is sharded .*, the parameter is in no parts"):
        MCAdamW(model().parameters()).load_state_dict(second.state_dict())


def work(folder, rank, ranks):
    from_a_whole_file()
    skips(rank, ranks)
    refusals(ranks)
    if ranks == 2:
        flattened(rank, ranks)
    if ranks == 4:
        strided()
    return ({strategy: trained(strategy, torch.bfloat16) for strategy in SHARDED}, trained("full", torch.float32),
            trained("split16-plus", torch.float32), columns(rank, ranks), checkpoint(rank, ranks, folder))


def unsharded(strategy, kind):
    net = model(kind)
    optimizer = MCAdamW(net.parameters(), lr=1e-2, weight_decay=0.1, strategy=strategy, seed=5)
    steps(net, optimizer, 3)
    with torch.no_grad():
        for p in net.parameters():
            p.mul_(0.5)
    steps(net, optimizer, 2, 3)
    return all_of(net, optimizer)


def assert_same(found, expected, what):
    for (p, exact, state), (q, wanted, other) in zip(found, expected):
        assert torch.equal(p, q) and torch.equal(exact, wanted), what
        assert state.keys() == other.keys() and all(torch.equal(torch.as_tensor(x), torch.as_tensor(other[name]))
                                                    for name, x in state.items()), what


def test_any_number_of_ranks_gives_the_same_bits(tmp_path):
    torch.set_num_threads(1)
    plain = model()
    optimizer = MCAdamW(plain.parameters(), lr=1e-2, weight_decay=0.1)
    steps(plain, optimizer, 5)
    first = None
    for ranks in (2, 1, 4):
        for found in run(functools.partial(work, str(tmp_path / "checkpoint")), ranks, tmp_path / str(ranks)):
            narrow, full, wide, cut, loaded = found
            for strategy in SHARDED:
                assert_same(narrow[strategy], unsharded(strategy, torch.bfloat16), (ranks, strategy))
            assert_same(full, unsharded("full", torch.float32), ranks)
            assert_same(wide, unsharded("split16-plus", torch.float32), ranks)
            assert_same(loaded, all_of(plain, optimizer), ranks)
            first = first or cut
            assert all(torch.equal(x, y) for x, y in zip(cut, first)), ranks
