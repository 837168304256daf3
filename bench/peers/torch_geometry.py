"""Times geometry on PyTorch's tensors beside geoopt: nanoseconds of the processor per point.

All compute the same operation on the same tensors in one process, forward, and forward and backward, taking turns;
the minimum of the repetitions counts, of the processor's time, which other programs disturb least. Three take turns:
geoopt's formulas as they are, the same under torch.compile, and the package mctensor. "times ours" is the faster one of
geoopt's two. Nothing is timed where geoopt or the package mctensor is not there (PYTHONPATH=build/release/python).
torch.compile takes seconds for each operation; it keeps what it has compiled (TORCHINDUCTOR_CACHE_DIR).
"""
import argparse
import sys
import warnings

import results
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


def times(case, repetitions):
    """Seconds of the processor of geoopt, geoopt compiled and ours, forward and then with backward."""
    _, _, theirs, ours, operands = case
    functions = theirs, torch.compile(theirs, dynamic=False), ours
    calls = [make(f, operands) for make in (forward, backward) for f in functions]
    return [work for _, work in results.best_times(calls, repetitions)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", nargs="?", default=5e4, type=float)
    parser.add_argument("coordinates", nargs="?", default=16, type=int)
    parser.add_argument("repetitions", nargs="?", default=30, type=int)
    parser.add_argument("threads", nargs="?", default=1, type=int)
    parser.add_argument("--only", default="", help="operations whose name, as the table has it, contains this")
    results.add_options(parser)
    options = parser.parse_args()
    count = int(options.points)
    torch.set_num_threads(options.threads)
    print(f"{count} points of {options.coordinates} coordinates, PyTorch {torch.__version__}, geoopt "
          f"{geoopt.__version__}, best of {options.repetitions}")
    names = ["geoopt", "compiled", "mctensor", "times ours"]
    columns = [f"ns per point, {results.threads_text(options.threads)}", *names,
               *(f"with backward: {names[0]}", *names[1:])]
    rows = []
    for dtype in (torch.float64, torch.float32):
        for case in cases(dtype, count, options.coordinates):
            name = f"{case[0]} `{case[1]}`, {str(dtype).split('.')[1]}"
            if options.only not in name:
                continue
            found = [seconds / count * 1e9 for seconds in times(case, options.repetitions)]
            cells = []
            for plain, compiled, ours in (found[:3], found[3:]):
                cells += [f"{plain:.0f}", f"{compiled:.0f}", f"{ours:.0f}", f"{min(plain, compiled) / ours:.2f}"]
            rows.append([name, *cells])
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    results.report(options, columns, rows, repetitions=f"best of {options.repetitions}",
                   command=f"bench/peers/torch_geometry.py {options.points:g} {options.coordinates} "
                           f"{options.repetitions} {options.threads}")


if __name__ == "__main__":
    main()
