"""Times a step of MCAdamW beside PyTorch's AdamW on the CPU: nanoseconds per parameter.

Optimizers take turns in one process, and the minimum of their repetitions counts: that of the time that passed,
and that of the processor's time, which other programs disturb less. PyTorch's AdamW is `fused=True`, one pass, and
`foreach=True`, its default elsewhere. MCAdamW is there where the package mctensor is (PYTHONPATH=build/release/python);
it looks for gradients that are not finite first, which PyTorch does not.
"""
import argparse
import importlib.util

import results
import torch

STRATEGIES = ("light", "plus", "residual", "split16-stochastic", "split16-plus", "split8", "master")


def parameter(count, dtype):
    torch.manual_seed(1)
    result = torch.randn(count).to(dtype).requires_grad_()
    result.grad = (torch.randn(count) / 100).to(dtype)
    return result


def subjects(count):
    """(name, step) of every optimizer that there is; the reasons why others are not."""
    result, missing = [], []
    for dtype in (torch.float32, torch.bfloat16):
        type_name = str(dtype).split(".")[1]
        for kind in ("fused", "foreach"):
            name = f"PyTorch {torch.__version__} AdamW, {kind}, {type_name}"
            try:
                step = torch.optim.AdamW([parameter(count, dtype)], **{kind: True}).step
                step()
                result.append((name, step))
            except (RuntimeError, TypeError) as error:
                missing.append(f"{name}: {error}")
    if importlib.util.find_spec("mctensor") is None:
        missing.append("MCAdamW: no package mctensor")
        return result, missing
    from mctensor.torch import MCAdamW
    cases = [("full", torch.float32), *((strategy, torch.bfloat16) for strategy in STRATEGIES)]
    for strategy, dtype in cases:
        step = MCAdamW([parameter(count, dtype)], strategy=strategy).step
        step()
        result.append((f"MCAdamW, {strategy}, {str(dtype).split('.')[1]}", step))
    return result, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parameters", nargs="?", default=2e7, type=float)
    parser.add_argument("repetitions", nargs="?", default=20, type=int)
    parser.add_argument("threads", nargs="?", default=1, type=int)
    results.add_options(parser)
    options = parser.parse_args()
    count = int(options.parameters)
    torch.set_num_threads(options.threads)
    found, missing = subjects(count)
    best = results.best_times([step for _, step in found], options.repetitions)
    columns = [f"optimizer, ns per parameter, {results.threads_text(options.threads)}", "wall", "processor"]
    rows = [[name, f"{wall / count * 1e9:.3f}", f"{work / count * 1e9:.3f}"]
            for (name, _), (wall, work) in zip(found, best)]
    print(f"{count} parameters, best of {options.repetitions}")
    results.report(options, columns, rows, missing,
                   command=f"bench/peers/torch_adamw.py {options.parameters:g} {options.repetitions} {options.threads}")


if __name__ == "__main__":
    main()
