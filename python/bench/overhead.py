"""Times what calls from Python cost beside the library's own work.

usage: overhead.py [REPEATS]

Prints the best of REPEATS [7] for each: microseconds of small calls, and MCAdamW over 100 tensors beside
the library's call on the same memory, which is what the C interface does, and torch.optim.AdamW in bfloat16 and in
float32, each with fused=True (on the CPU since PyTorch 2.4) and with foreach=True.
"""
import sys
import timeit

import numpy as np

import mctensor as mct
from mctensor import _core, optim


def best(f, number, repeats):
    """Microseconds of a call."""
    return min(timeit.repeat(f, number=number, repeat=repeats)) / number * 1e6


def small_calls(repeats):
    weights = np.ones(1, np.float32)
    arrays = optim.AdamWArrays("plus")
    arrays.add(**optim.new_arrays("plus", weights), grad=optim.narrow(weights))
    options = optim.AdamWOptions(lr=1e-6)
    x, y = mct.array("0.1"), mct.array("0.2")
    calls = {"adamw step of one parameter": lambda: arrays.step(options, 1),
             "an empty call": mct.num_threads, "f64x2 x + y, one element": lambda: x + y,
             "f64x2 exp, one element": lambda: mct.exp(x), "x < y, one element": lambda: x < y}
    for name, call in calls.items():
        print(f"{name:32} {best(call, 20000, repeats):8.2f} us")


def hundred_tensors(count, repeats, strategy):
    import torch

    from mctensor.torch import MCAdamW

    params = [torch.nn.Parameter(torch.randn(count).bfloat16()) for _ in range(100)]
    for p in params:
        p.grad = torch.randn(count).bfloat16()
    optimizer = MCAdamW(params, strategy=strategy)
    optimizer.step()
    (batch,) = optimizer._batches
    batch.locate()
    arrays = [batch.memory], [batch.options], [2]
    calls = {"MCAdamW.step": optimizer.step, "the library's call": lambda: _core.step_batches(*arrays)}
    floats = [torch.nn.Parameter(p.detach().float()) for p in params]
    for p, q in zip(params, floats):
        q.grad = p.grad.float()
    for kind, parameters in (("bfloat16", params), ("float32", floats)):
        for options in (dict(fused=True), dict(foreach=True)):
            name = f"AdamW {kind} {next(iter(options))}"
            try:
                adamw = torch.optim.AdamW(parameters, **options)
                adamw.step()
                calls[name] = adamw.step
            except (RuntimeError, TypeError) as error:
                print(f"skipped: {name}: {error}")
    number = max(1, 400_000 // count)
    # interleaved, so that other work on the machine is shared out
    rounds = [{name: best(call, number, 1) for name, call in calls.items()} for _ in range(repeats)]
    times = {name: min(times[name] for times in rounds) for name in calls}
    ours, plain = times["MCAdamW.step"], times["the library's call"]
    print(f"100 tensors of {count}, {strategy} ({100 * (ours / plain - 1):+.1f} %): "
          + ", ".join(f"{name} {time:.0f} us" for name, time in times.items()))


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    small_calls(repeats)
    try:
        import torch  # noqa: F401
    except ImportError:
        print("skipped: PyTorch is not installed")
        return
    for strategy in ("plus", "split16-plus"):
        for count in (1000, 10_000, 100_000):
            hundred_tensors(count, repeats, strategy)


if __name__ == "__main__":
    main()
