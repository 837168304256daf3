#!/usr/bin/env python3
"""What a stranger tries first with an installed wheel, with the time of each: it is run by wheel_check.py.

usage: try_wheel.py [--with-compilers] MAMMALS.tsv

Imports the package; multiplies matrices of two doubles and compares elements with fractions; embeds WordNet's mammals
and finds a neighbour; where PyTorch is installed, one step of MCAdamW moves weights of bfloat16 by less than their last
digit. Unless --with-compilers says so, no compiler may be in PATH.

Exit codes: 0 all went well, 1 a step failed, 2 bad usage.
"""
import shutil
import sys
import time
from fractions import Fraction

COMPILERS = ("cc", "gcc", "g++", "c++", "clang", "clang++", "cmake", "ninja", "nvcc")


def no_compiler(_):
    found = [name for name in COMPILERS if shutil.which(name)]
    assert not found, f"compilers in PATH: {found}"
    return f"Python {sys.version.split()[0]}, no compiler"


def imported(_):
    import numpy
    import mctensor
    return f"import mctensor {mctensor.__version__}, NumPy {numpy.__version__}"


def product(_):
    import mctensor as mct
    a, b = (mct.random.normal(0, 1, (200, 200), dtype="f64x2", seed=seed) for seed in (1, 2))
    c = a @ b
    worst = Fraction(0)
    for i in range(0, 200, 67):
        row, column = ([x.to_fraction() for x in v] for v in (a[i], b[:, i]))
        size = sum(abs(x * y) for x, y in zip(row, column))
        worst = max(worst, abs(c[i, i].to_fraction() - sum(x * y for x, y in zip(row, column))) / size)
    assert worst < Fraction(1, 2 ** 96), float(worst)
    return "product of matrices of two doubles, 200 x 200, right to 2^-96"


def embedded(mammals):
    from mctensor import embed
    points = embed.fit(mammals)
    quality = points.evaluate()["mean_average_precision"]
    assert quality > 0.9, quality
    near = [name for name, _ in points.nearest("dog.n.01", 10)]
    assert "canine.n.02" in near, near
    return f"1181 mammals embedded, mean average precision {quality:.2f}"


def adamw(_):
    try:
        import torch
    except ImportError:
        return "no PyTorch here: MCAdamW not tried"
    from mctensor.torch import MCAdamW
    torch.manual_seed(1)
    model = torch.nn.Linear(64, 8).bfloat16()
    before = model.weight.detach().clone()
    plain = torch.nn.Linear(64, 8).bfloat16()
    plain.load_state_dict(model.state_dict())
    ours, theirs = MCAdamW(model.parameters(), lr=1e-5), torch.optim.AdamW(plain.parameters(), lr=1e-5)
    x = torch.ones(16, 64, dtype=torch.bfloat16)
    for _ in range(200):
        for net, optimizer in ((model, ours), (plain, theirs)):
            optimizer.zero_grad()
            net(x).square().sum().backward()
            optimizer.step()
    moved = (model.weight != before).float().mean().item()
    stuck = (plain.weight != before).float().mean().item()
    assert moved > stuck + 0.3, (moved, stuck)
    return f"PyTorch {torch.__version__}: 200 small steps of MCAdamW move {moved:.0%} of the weights, AdamW {stuck:.0%}"


def main(arguments):
    todo = [no_compiler, imported, product, embedded, adamw]
    if arguments[:1] == ["--with-compilers"]:
        todo, arguments = todo[1:], arguments[1:]
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    for step in todo:
        begin = time.monotonic()
        try:
            said = step(arguments[0])
        except Exception as problem:  # whatever it is, it is what a stranger would see
            print(f"FAILED {step.__name__}: {type(problem).__name__}: {problem}")
            return 1
        print(f"ok     {said} ({time.monotonic() - begin:.1f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
