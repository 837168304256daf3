#!/usr/bin/env python3
"""Tests MCAdamW, points, exact sums and attention on the GPU of this machine against the CPU, and measures them beside
PyTorch's.

usage: torch_on_device.py [--no-tests]

The package must be importable, with CUDA kernels (PYTHONPATH, or pip install). bench/cuda_report.sh builds it and calls
this. Prints rows of the report's table, and what the tests say on stderr. Ends with 1 where a test fails, with 2 where
there is no GPU or no package.

Without a GPU, on the simulated device (build/*/python/simulated), it runs the tests and a small measurement that shows
that the rows can be made; their times say nothing.
"""
import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "peers"))


def run_tests() -> int:
    """python/tests/test_torch_device*.py, whose tensors are the device's."""
    done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           *map(str, (ROOT / "python" / "tests").glob("test_torch_device*.py"))],
                          stdout=sys.stderr, check=False)
    return done.returncode


def parameters(sizes, dtype, where):
    import torch
    result = [torch.nn.Parameter(torch.ones(size, dtype=dtype, device=where)) for size in sizes]
    for p in result:
        p.grad = torch.rand(p.shape, device=where).to(dtype)
    return result


def measure_adamw(row, sizes, name, where):
    """Steps of every strategy, and of PyTorch's."""
    import torch
    from mctensor import _core
    from mctensor.torch import STRATEGIES, MCAdamW
    count = sum(sizes)
    for strategy in STRATEGIES:
        dtype = torch.float32 if strategy == "full" else torch.bfloat16
        optimizer = MCAdamW(parameters(sizes, dtype, where), strategy=strategy)
        kept = sum(size for _, size, _ in _core.adamw_arrays(strategy, 1, False).values())
        grad = 4 if strategy == "full" else 2
        row(f"MCAdamW, {strategy}", name, count * 2 * (kept + grad), "TB/s", optimizer.step, "")
        if strategy == "split16-plus":  # gradients are read three times as floats, what is rounded lies between
            optimizer = MCAdamW(parameters(sizes, torch.float32, where), strategy=strategy)
            row(f"MCAdamW, {strategy}, float32 parameters", name, count * (2 * kept + 28), "TB/s", optimizer.step, "")
    for dtype in (torch.bfloat16, torch.float32):
        for kind in ("fused", "foreach"):
            optimizer = torch.optim.AdamW(parameters(sizes, dtype, where), **{kind: True})
            row(f"AdamW, {kind}, {str(dtype).split('.')[1]}", name, count * 7 * dtype.itemsize, "TB/s",
                optimizer.step)


def measure_graph(row, sizes, name):
    """A step that was recorded."""
    import torch
    from mctensor.torch import MCAdamW
    optimizer = MCAdamW(parameters(sizes, torch.bfloat16, "cuda"), lr=torch.tensor(1e-3, device="cuda"),
                        capturable=True)
    optimizer.step()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        optimizer.step()
    row("MCAdamW, split16-plus, recorded", name, sum(sizes) * 24, "TB/s", graph.replay, "")


def mobius_add(x, y):
    """As geoopt 0.5 computes it where the curvature is -1, and so the others."""
    x2, y2, xy = (x * x).sum(-1, True), (y * y).sum(-1, True), (x * y).sum(-1, True)
    return ((1 + 2 * xy + y2) * x + (1 - x2) * y) / (1 + 2 * xy + x2 * y2).clamp_min(1e-15)


def conformal_factor(x):
    return 2 / (1 - (x * x).sum(-1, True)).clamp_min(1e-15)


def dist(x, y):
    return 2 * mobius_add(-x, y).norm(dim=-1).clamp(max=1 - 1e-7).atanh()


def expmap(x, u):
    norm = u.norm(dim=-1, keepdim=True).clamp_min(1e-15)
    return mobius_add(x, (conformal_factor(x) / 2 * norm).tanh() * u / norm)


def logmap(x, y):
    moved = mobius_add(-x, y)
    norm = moved.norm(dim=-1, keepdim=True).clamp_min(1e-15)
    return 2 / conformal_factor(x) * norm.clamp(max=1 - 1e-7).atanh() * moved / norm


def measure_geometry(row, where, count):
    """The ball's operations beside geoopt's formulas, as PyTorch's operations, of as many points as in the rows of
    bench/cuda."""
    import torch
    from mctensor.geometry import HalfSpace, PenumbralCones, PoincareBall, Stereographic
    ball = PoincareBall()
    x, y = (torch.rand(count, 10, dtype=torch.float64, device=where) * 0.3 for _ in range(2))
    for work in (dist, expmap, logmap):
        row(f"geoopt's formula of {work.__name__} in the ball, float64", f"{count} x 10", count, "Tpoints/s",
            lambda work=work: work(x, y))
        row(f"{work.__name__} of PoincareBall, float64", f"{count} x 10", count, "Tpoints/s",
            lambda work=getattr(ball, work.__name__): work(x, y))
    row("geoopt's formula of mobius_add, float64", f"{count} x 10", count, "Tpoints/s", lambda: mobius_add(x, y))
    row("mobius_add of PoincareBall by steps, float64", f"{count} x 10", count, "Tpoints/s",
        lambda: ball.mobius_add(x, y), "")
    cones = PenumbralCones(ball, light=0.01)
    row("angle_energy of PenumbralCones by steps, float64", f"{count} x 10", count, "Tpoints/s",
        lambda: cones.angle_energy(x, y), "")
    for curvature in (-1.0, 1.0):
        row(f"dist of Stereographic({curvature:g}) by steps, float64", f"{count} x 10", count, "Tpoints/s",
            lambda of=Stereographic(curvature): of.dist(x, y), "")
    above, up = x + 0.1, torch.zeros_like(x)
    up[:, 0] = 1
    row("busemann of HalfSpace by steps, float64", f"{count} x 10", count, "Tpoints/s",
        lambda: HalfSpace().busemann(above, up), "")
    sets, weights = x.reshape(-1, 16, 10), torch.rand(count // 16, 16, dtype=torch.float64, device=where)
    row("weighted_midpoint of PoincareBall, 16 points each, float64", f"{count} x 10", count, "Tpoints/s",
        lambda: ball.weighted_midpoint(sets, weights, 1), "")
    a, b = (z.clone().requires_grad_() for z in (x, y))
    for name, formula, ours in (("dist", dist, ball.dist), ("expmap", expmap, ball.expmap)):
        for what, work, whose in ((f"geoopt's formula of {name}", formula, ()),
                                  (f"{name} of PoincareBall", ours, ("",))):
            row(f"{what} and its gradients, float64", f"{count} x 10", count, "Tpoints/s",
                lambda work=work: torch.autograd.grad(work(a, b).sum(), (a, b)), *whose)


def measure_sums(row, where, rows, length):
    """Exact sums of float64 beside PyTorch's."""
    import torch
    from mctensor.torch import exact
    x = torch.randn(rows, length, dtype=torch.float64, device=where)
    size, moved = f"{rows} x {length}", 8 * rows * length
    row("sum, float64", size, moved, "TB/s", lambda: x.sum(-1))
    row("exact.sum, float64", size, moved, "TB/s", lambda: exact.sum(x, -1), "")
    row("exact.dot, float64", size, 2 * moved, "TB/s", lambda: exact.dot(x, x), "")


def measure_attention(row, where, dtype, shape):
    """Scores of inner products and of cones beside PyTorch's attention."""
    import torch
    from mctensor.attention import attention
    q, k, v = (torch.randn(shape, dtype=dtype, device=where) * 0.3 for _ in range(3))
    q.requires_grad_()
    *groups, length, d = shape
    size, pairs = " x ".join(map(str, shape)), torch.Size(groups).numel() * length**2 * d
    kind = str(dtype).split(".")[1]
    calls = [("scaled_dot_product_attention", lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v), [])]
    calls += [(f"attention, {comparison}", lambda comparison=comparison: attention(q, k, v, comparison), [""])
              for comparison in ("dot-product", "penumbral", "ball")]
    for name, work, whose in calls:
        row(f"{name}, {kind}", size, 4 * pairs, "Tflop/s", lambda work=work: work().detach(), *whose)
        row(f"{name} with the gradient of q, {kind}", size, 14 * pairs, "Tflop/s",
            lambda work=work: torch.autograd.grad(work().sum(), q), *whose)


def measure_edges(row, where, nodes, degree, d):
    """Attention along the edges of a random graph beside PyTorch's operations on the same edges: inner products, their
    softmax by scatter, and a sparse product."""
    import torch
    from mctensor.attention import attend_edges
    q, k, v = (torch.randn(nodes, d, device=where) * 0.3 for _ in range(3))
    q.requires_grad_()
    starts = torch.arange(0, nodes * degree + 1, degree, device=where)
    columns = torch.randint(nodes, (nodes * degree,), device=where)
    rows = torch.arange(nodes, device=where).repeat_interleave(degree)

    def formula():
        score = (q[rows] * k[columns]).sum(-1) / d**0.5
        top = score.detach().new_zeros(nodes).scatter_reduce(0, rows, score.detach(), "amax", include_self=False)
        weight = (score - top[rows]).exp()
        total = weight.new_zeros(nodes).index_add(0, rows, weight)
        return torch.zeros_like(v).index_add(0, rows, v[columns] * (weight / total[rows])[:, None])

    size = f"{nodes} nodes, {nodes * degree} edges, d = {d}"
    calls = [("attention along edges by PyTorch's operations", formula, [])]
    calls += [(f"attend_edges, {comparison}",
               lambda comparison=comparison: attend_edges(q, k, v, starts, columns, comparison), [""])
              for comparison in ("dot-product", "penumbral")]
    for name, work, whose in calls:
        row(f"{name}, float32", size, nodes * degree, "Tedges/s", lambda work=work: work().detach(), *whose)
        row(f"{name} with the gradient of q, float32", size, nodes * degree, "Tedges/s",
            lambda work=work: torch.autograd.grad(work().sum(), q), *whose)


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--no-tests", action="store_true")
    given = options.parse_args()
    try:
        import torch
        import torch_cuda
        from mctensor import _core, _torch_device
    except ImportError as error:
        print(f"torch_on_device: {error}", file=sys.stderr)
        return 2
    simulated = _core.device_is_simulated()
    if not (simulated or torch.cuda.is_available()):
        print("torch_on_device: PyTorch sees no GPU", file=sys.stderr)
        return 2
    failed = 0 if given.no_tests else run_tests()
    if simulated:
        _torch_device.simulates = True
        torch_cuda.seconds_of = lambda work: (work(), 1.0)[1]
        measure_adamw(torch_cuda.row, [256, 40], "a row for the test", "cpu")
        measure_geometry(torch_cuda.row, "cpu", 16)
        measure_sums(torch_cuda.row, "cpu", 2, 40)
        measure_attention(torch_cuda.row, "cpu", torch.float32, (1, 8, 16))
        measure_edges(torch_cuda.row, "cpu", 8, 3, 4)
        return int(failed != 0)
    row = torch_cuda.row
    measure_adamw(row, [1 << 26], "2^26 parameters", "cuda")
    measure_adamw(row, [10000] * 300, "300 tensors of 10^4", "cuda")
    measure_graph(row, [10000] * 300, "300 tensors of 10^4")
    measure_geometry(row, "cuda", 1 << 20)
    measure_sums(row, "cuda", 1 << 14, 1 << 12)
    measure_sums(row, "cuda", 1, 1 << 26)
    for dtype in (torch.bfloat16, torch.float32):
        measure_attention(row, "cuda", dtype, (4, 16, 2048, 64))
    measure_edges(row, "cuda", 1 << 17, 16, 64)
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
