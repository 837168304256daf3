"""Times a step of MCAdamW beside PyTorch's AdamW on the CPU: nanoseconds per parameter.

usage: torch_adamw.py [PARAMETERS] [REPETITIONS] [THREADS]

Optimizers take turns in one process, and the minimum of their repetitions counts: that of the time that passed,
and that of the processor's time, which other programs disturb less. PyTorch's AdamW is `fused=True`, one pass, and
`foreach=True`, its default elsewhere. MCAdamW is there where the package mctensor is (PYTHONPATH=build/release/python);
it looks for gradients that are not finite first, which PyTorch does not.
"""
import importlib.util
import sys
import time

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


def best_times(steps, repetitions):
    """The least wall and processor seconds of each."""
    best = [(float("inf"), float("inf"))] * len(steps)
    for _ in range(repetitions):
        for i, step in enumerate(steps):
            start, work = time.perf_counter(), time.process_time()
            step()
            now = time.perf_counter() - start, time.process_time() - work
            best[i] = tuple(map(min, best[i], now))
    return best


def main():
    numbers = [int(float(text)) for text in sys.argv[1:]]
    count, repetitions, threads = (*numbers, *(20_000_000, 20, 1)[len(numbers):])
    torch.set_num_threads(threads)
    found, missing = subjects(count)
    best = best_times([step for _, step in found], repetitions)
    print(f"{count} parameters, {threads} threads, best of {repetitions}: ns per parameter")
    print("| optimizer | wall | processor |\n|---|---:|---:|")
    for (name, _), (wall, work) in zip(found, best):
        print(f"| {name} | {wall / count * 1e9:.3f} | {work / count * 1e9:.3f} |")
    for reason in missing:
        print(f"skipped: {reason}")


if __name__ == "__main__":
    main()
