"""Times mctensor.torch.MCTensor beside the published MCTensor of PyTorch (Yu et al. 2022), with the errors of both.

usage: torch_mctensor.py SOURCES [--json FILE] [--device cuda] [--seconds S]

SOURCES is the folder src of the published package (https://github.com/ydtydr/MCTensor), which is imported from there.
Both compute the same operation on the same components in one process, taking turns; the least time counts. Errors are
the largest over all elements, against 159 bits: in units u^N, u = 2^-24, of the exact result or, of products of
matrices, of |A| |B|. Nothing is timed where the package mctensor is not there (PYTHONPATH=build/release/python).
"""
import argparse
import sys
import time

import results
import torch

U = 2.0**-24


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sources", help="the folder src of the published package")
    results.add_options(parser)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each operation of each library [0.5]")
    return parser.parse_args()


arguments = parsed()
sys.path.insert(0, arguments.sources)
try:
    from MCTensor.MCModule import MCLinear as TheirLinear
    from MCTensor.MCOptim import MCSGD as TheirSGD
    from MCTensor.MCTensor import MCTensor as Theirs

    from mctensor.torch import from_components, nn, optim, tensor
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(0)


def numbers(nc, *shape):
    """Normalized components (*shape, nc) of numbers with all their bits, of sizes that differ by some thousands."""
    x = torch.randn(*shape, dtype=torch.float64) * 2.0 ** torch.randint(-6, 7, shape)
    return tensor(x, nc=3).mul(1 + tensor(torch.rand(*shape, dtype=torch.float64), nc=3) * 2.0**-30).to(
        torch.float32).with_components(nc).tensor.contiguous().to(arguments.device)


def theirs_of(components):
    made = Theirs(*components.shape[:-1], nc=components.shape[-1], val=components[..., 0].clone())
    made.tensor[..., 1:] = components[..., 1:]
    return made


def exact_of(components):
    wide = components.double().cpu()
    return from_components(torch.cat([wide, wide.new_zeros(*wide.shape[:-1], 3 - wide.shape[-1])], -1)
                           if wide.shape[-1] < 3 else wide)


def plain_of(x):
    return x.float().to(arguments.device)


def synchronize():
    if arguments.device != "cpu":
        torch.cuda.synchronize()


def seconds_of(call):
    begin = time.perf_counter()
    call()
    synchronize()
    return time.perf_counter() - begin


def least_times(*calls):
    """The least time of each call, in turns; none is called again that has taken longer than all may."""
    best, spent = [seconds_of(call) for call in calls], [0.0] * len(calls)
    while min(spent) < arguments.seconds:
        for i, call in enumerate(calls):
            if best[i] < 4 * arguments.seconds and spent[i] < 4 * arguments.seconds:
                took = seconds_of(call)
                best[i] = min(best[i], took)
                spent[i] += took
            else:
                spent[i] = float("inf")
    return best


def error_of(components, exact, size, nc):
    error = (exact_of(components.detach()) - exact).abs().evaluate() / size
    return float(error.max()) / U**nc


def cases(nc):
    """(name, call(x, y), operands as components, plain tensors, what errors are relative to)."""
    square, small = numbers(nc, 1000, 1000), numbers(nc, 1000, 1000)
    tall, wide = numbers(nc, 5000, 500), numbers(nc, 500, 200)
    batch = numbers(nc, 16, 500, 200)
    vector, matrix = plain_of(torch.randn(500)), plain_of(torch.randn(200, 50))
    matrices = plain_of(torch.randn(16, 200, 50))
    yield "x + y, 1000 x 1000", lambda x, y: x + y, (square, small), None
    yield "x y", lambda x, y: x * y, (square, small), None
    yield "x / y", lambda x, y: x / y, (square, small), None
    yield "x times a number", lambda x: x * 0.3, (square,), None
    yield "exp(x)", lambda x: torch.exp(x), (numbers(nc, 1000, 1000) * 0.01,), None
    yield "mv, 5000 x 500 by a plain vector", lambda x, y: torch.mv(x, y), (tall,), vector
    yield "mm, 500 x 200 by plain 200 x 50", lambda x, y: torch.mm(x, y), (wide,), matrix
    yield "bmm, 16 of them", lambda x, y: torch.bmm(x, y), (batch,), matrices


def row(name, call, operands, plain, nc):
    ours = [tensor(from_components(x), nc) for x in operands]  # planes, as tensors are made
    theirs = [theirs_of(x) for x in operands]
    exact = [exact_of(x) for x in operands]
    beside = [] if plain is None else [plain]
    reference = call(*exact, *(x.double().cpu() for x in beside))
    if plain is None:
        size = reference.abs().evaluate()
    else:
        size = call(exact[0].abs(), plain.double().cpu().abs()).evaluate()
    their_error, our_error = "fails", error_of(call(*ours, *beside).tensor, reference, size, nc)
    times = [float("nan")]
    try:
        their_error = f"{error_of(call(*theirs, *beside).tensor, reference, size, nc):.3g}"
        times = least_times(lambda: call(*theirs, *beside), lambda: call(*ours, *beside))
    except Exception as error:  # which is theirs
        print(f"{name}: the published package raises {error!r}", file=sys.stderr)
        times += least_times(lambda: call(*ours, *beside))
    return [name, str(nc), *times, their_error, f"{our_error:.3g}"]


def layer_row(nc):
    """A step of descent: a layer of 512 x 512, 64 rows, a loss, its gradients, MCSGD."""
    x = plain_of(torch.randn(64, 512))

    def step_of(layer, descent, plain):
        def step():
            descent.zero_grad()
            plain(layer(x)).square().mean().backward()
            descent.step()
        return step

    theirs = TheirLinear(512, 512, nc=nc, bias=True, device=torch.device(arguments.device), dtype=torch.float32)
    ours = nn.MCLinear(512, 512, nc=nc).to(arguments.device)
    times = least_times(
        step_of(theirs, TheirSGD(theirs.parameters(), lr=0.01), lambda y: y.tensor.sum(-1)),
        step_of(ours, optim.MCSGD(ours.parameters(), lr=0.01), lambda y: y.tensor.sum(-1)))
    return ["a step of MCLinear(512, 512), 64 rows", str(nc), *times, "", ""]


def text_of(seconds):
    if seconds != seconds:
        return "fails"
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g} us"


def ratio_of(theirs, ours):
    if theirs != theirs:
        return ""
    return f"{theirs / ours:,.0f}" if theirs > 100 * ours else f"{theirs / ours:.1f}"


torch.manual_seed(3)
found = []
for nc in (2, 3):
    for name, call, operands, plain in cases(nc):
        found.append(row(name, call, operands, plain, nc))
    try:
        found.append(layer_row(nc))
    except Exception as error:
        print(f"layer: {error!r}", file=sys.stderr)
table = [[name, nc, text_of(theirs), text_of(ours), ratio_of(theirs, ours), *errors]
         for name, nc, theirs, ours, *errors in found]
header = ["float32", "components", "published", "ours", "ratio", "its error, u^N", "ours, u^N"]
results.report(arguments, header, table, compiler=f"PyTorch {torch.__version__}")
