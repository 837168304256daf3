"""Times geometry on PyTorch's tensors beside geoopt: nanoseconds per point.

usage: torch_geometry.py [POINTS] [COORDINATES] [REPETITIONS] [THREADS] [MILLISECONDS]

Both compute the same operation on the same tensors in one process, forward, and forward and backward, taking turns;
the minimum of the repetitions counts, of the processor's time, which other programs disturb least. A repetition is
repeated until it takes so many milliseconds. Nothing is timed where geoopt or the package mctensor is not there
(PYTHONPATH=build/release/python).
"""
import sys
import time
import warnings

import torch

warnings.filterwarnings("ignore", category=FutureWarning)
try:
    import geoopt

    from mctensor.geometry import Lorentz, PoincareBall
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)


def points_of(count, coordinates, dtype):
    """Points of the ball at distances around 1, a tangent vector for each, and the same for the hyperboloid."""
    torch.manual_seed(1)
    ball = [torch.randn(count, coordinates, dtype=dtype) * (0.5 / coordinates**0.5) for _ in range(3)]
    space = [2 * x / (1 - (x * x).sum(-1, keepdim=True)) for x in (b[:, 1:] for b in ball)]
    times = [(1 + (s * s).sum(-1, keepdim=True)).sqrt() for s in space]
    lorentz = [torch.cat([t, s], -1) for t, s in zip(times, space)]
    lorentz[2] = geoopt.Lorentz().proju(lorentz[0], ball[2])
    return ball, lorentz


def cases(dtype, count, coordinates):
    """(name, geoopt's function, ours, operands) of every operation that both have."""
    ball, lorentz = points_of(count, coordinates, dtype)
    theirs, ours = geoopt.PoincareBall(), PoincareBall(1.0)
    hyperboloid, surface = geoopt.Lorentz(), Lorentz(1.0)
    x, y, u = ball
    a, b, v = lorentz
    origin = torch.zeros_like(a)
    origin[:, 0] = 1
    v0 = hyperboloid.proju(origin, ball[2])
    t = torch.rand(count, 1, dtype=dtype)
    ball_cases = [
        ("dist", theirs.dist, ours.dist, (x, y)),
        ("dist0", theirs.dist0, ours.dist0, (x,)),
        ("expmap", theirs.expmap, ours.expmap, (x, u)),
        ("expmap0", theirs.expmap0, ours.expmap0, (u,)),
        ("logmap", theirs.logmap, ours.logmap, (x, y)),
        ("logmap0", theirs.logmap0, ours.logmap0, (y,)),
        ("ptransp", theirs.transp, ours.ptransp, (x, y, u)),
        ("ptransp0", theirs.transp0, ours.ptransp0, (y, u)),
        ("ptransp0back", theirs.transp0back, ours.ptransp0back, (y, u)),
        ("egrad2rgrad", theirs.egrad2rgrad, ours.egrad2rgrad, (x, u)),
        ("projx", theirs.projx, ours.projx, (x,)),
        ("norm", theirs.norm, ours.norm, (x, u)),
        # without keepdim geoopt gives one number for every pair of points
        ("inner", lambda p, q, r: theirs.inner(p, q, r, keepdim=True), ours.inner, (x, u, y)),
        ("lambda_x", theirs.lambda_x, ours.lambda_x, (x,)),
        ("geodesic", theirs.geodesic, lambda s, p, q: ours.geodesic(s.squeeze(-1), p, q), (t, x, y)),
        ("mobius_add", theirs.mobius_add, ours.mobius_add, (x, y)),
        ("mobius_coadd", theirs.mobius_coadd, ours.mobius_coadd, (x, y)),
        ("mobius_scalar_mul", theirs.mobius_scalar_mul,
         lambda s, p: ours.mobius_scalar_mul(s.squeeze(-1), p), (t, x)),
        ("mobius_pointwise_mul", theirs.mobius_pointwise_mul, ours.mobius_pointwise_mul, (u, x)),
        ("gyration", theirs.gyration, ours.gyration, (x, y, u)),
    ]
    lorentz_cases = [
        ("dist", hyperboloid.dist, surface.dist, (a, b)),
        ("dist0", hyperboloid.dist0, surface.dist0, (a,)),
        ("expmap", hyperboloid.expmap, surface.expmap, (a, v)),
        ("expmap0", hyperboloid.expmap0, surface.expmap0, (v0,)),
        ("logmap", hyperboloid.logmap, surface.logmap, (a, b)),
        ("logmap0", hyperboloid.logmap0, surface.logmap0, (b,)),
        ("ptransp", hyperboloid.transp, surface.ptransp, (a, b, v)),
        ("ptransp0", hyperboloid.transp0, surface.ptransp0, (b, v0)),
        ("ptransp0back", hyperboloid.transp0back, surface.ptransp0back, (a, v)),
        ("proju", hyperboloid.proju, surface.proju, (a, ball[2])),
        ("projx", hyperboloid.projx, surface.projx, (a,)),
    ]
    return [("ball", *case) for case in ball_cases] + [("Lorentz", *case) for case in lorentz_cases]


def best_times(calls, repetitions, seconds):
    """The least seconds of the processor of each."""
    best = [float("inf")] * len(calls)
    loops = []
    for call in calls:
        start = time.process_time()
        call()
        loops.append(max(1, int(seconds / max(1e-9, time.process_time() - start))))
    for _ in range(repetitions):
        for i, call in enumerate(calls):
            start = time.process_time()
            for _ in range(loops[i]):
                call()
            best[i] = min(best[i], (time.process_time() - start) / loops[i])
    return best


def forward(function, operands):
    def call():
        with torch.no_grad():
            function(*operands)

    return call


def backward(function, operands):
    leaves = [x.detach().requires_grad_() for x in operands]
    grad = torch.ones_like(function(*operands))

    def call():
        torch.autograd.grad(function(*leaves), leaves, grad, allow_unused=True)

    return call


def main():
    numbers = [int(float(text)) for text in sys.argv[1:]]
    count, coordinates, repetitions, threads, milliseconds = (*numbers, *(50_000, 16, 7, 1, 20)[len(numbers):])
    torch.set_num_threads(threads)
    print(f"{count} points of {coordinates} coordinates, {threads} threads, PyTorch {torch.__version__}, geoopt "
          f"{geoopt.__version__}, best of {repetitions}: ns of the processor per point")
    print("| type | model | operation | geoopt | mctensor | ratio | with backward: geoopt | mctensor | ratio |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|")
    for dtype in (torch.float64, torch.float32):
        for model, name, theirs, ours, operands in cases(dtype, count, coordinates):
            calls = [make(f, operands) for make in (forward, backward) for f in (theirs, ours)]
            cells = [t / count * 1e9 for t in best_times(calls, repetitions, milliseconds / 1e3)]
            print(f"| {str(dtype).split('.')[1]} | {model} | `{name}` | {cells[0]:.0f} | {cells[1]:.0f} | "
                  f"{cells[0] / cells[1]:.2f} | {cells[2]:.0f} | {cells[3]:.0f} | {cells[2] / cells[3]:.2f} |",
                  flush=True)


if __name__ == "__main__":
    main()
