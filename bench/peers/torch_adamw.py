"""Times a step of MCAdamW beside other AdamWs of PyTorch's tensors on the CPU: nanoseconds per parameter.

Optimizers take turns in one process, and the minimum of their repetitions counts: that of the time that passed,
and that of the processor's time, which other programs disturb less. PyTorch's AdamW is `fused=True`, one pass, and
`foreach=True`, its default elsewhere. torchao's and optimi's are there where these packages are. torchao compiles its
step first; --slow asks for those of its states that take minutes for this (SLOW; it keeps 8 bits only where 256 divides
the number of parameters). MCAdamW is there where the package mctensor is (PYTHONPATH=build/release/python); it looks
for gradients that are not finite first, which PyTorch does not. The bytes are those of a parameter and of what the
optimizer keeps for it, without its gradient.
"""
import argparse
import functools
import importlib.metadata
import importlib.util

import results
import torch

STRATEGIES = ("light", "plus", "residual", "split16-stochastic", "split16-plus", "split8", "master")
# those of torchao that take minutes to compile and more than a hundred times the time of PyTorch's
SLOW = ("AdamWFp8", "AdamW4bit", "AdamW8bit")


def parameter(count, dtype):
    torch.manual_seed(1)
    result = torch.randn(count).to(dtype).requires_grad_()
    result.grad = (torch.randn(count) / 100).to(dtype)
    return result


def kept(state):
    """Bytes of all tensors in an optimizer's state; some of them are made of others, as torchao's are."""
    if isinstance(state, torch.Tensor):
        parts = getattr(state, "__tensor_flatten__", None)
        return sum(kept(getattr(state, name)) for name in parts()[0]) if parts else state.nbytes
    return sum(map(kept, state.values())) if isinstance(state, dict) else 0


def candidates(slow):
    """(name, type of the parameters, what makes the optimizer of a list of them), and why others are missing."""
    result, missing = [], []
    for dtype in (torch.float32, torch.bfloat16):
        for kind in ("fused", "foreach"):
            result.append((f"PyTorch {torch.__version__} AdamW, {kind}", dtype,
                           functools.partial(torch.optim.AdamW, **{kind: True})))
    for name in ("torchao", "optimi", "mctensor"):
        if importlib.util.find_spec(name) is None:
            missing.append(f"no package {name}")
    if "no package torchao" not in missing:
        import torchao.optim

        kinds = (("_AdamW", False), ("_AdamW", True), *((kind, True) for kind in SLOW if slow))
        for kind, stochastic in kinds:
            result.append((f"torchao {torchao.__version__} {kind}{', stochastic rounding' * stochastic}",
                           torch.bfloat16,
                           functools.partial(getattr(torchao.optim, kind), bf16_stochastic_round=stochastic)))
    if "no package optimi" not in missing:
        import optimi

        version = importlib.metadata.version("torch-optimi")
        for foreach in (True, False):
            result.append((f"optimi {version} AdamW, Kahan summation{', foreach' * foreach}", torch.bfloat16,
                           functools.partial(optimi.AdamW, lr=1e-3, kahan_sum=True, foreach=foreach, triton=False)))
    if "no package mctensor" not in missing:
        from mctensor.torch import MCAdamW

        for dtype, strategy in ((torch.float32, "full"), *((torch.bfloat16, name) for name in STRATEGIES)):
            result.append((f"MCAdamW, {strategy}", dtype, functools.partial(MCAdamW, strategy=strategy)))
    return result, missing


def subjects(count, slow):
    """(name, bytes a parameter, step) of every optimizer that there is; the reasons why others are not."""
    made, missing = candidates(slow)
    result = []
    for name, dtype, make in made:
        name += f", {str(dtype).split('.')[1]}"
        try:
            optimizer = make([parameter(count, dtype)])
            optimizer.step()
        except (RuntimeError, TypeError) as error:
            missing.append(f"{name}: {error}")
            continue
        (state,) = optimizer.state.values()
        result.append((name, dtype.itemsize + kept(state) / count, optimizer.step))
    return result, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parameters", nargs="?", default=2e7, type=float)
    parser.add_argument("repetitions", nargs="?", default=20, type=int)
    parser.add_argument("threads", nargs="?", default=1, type=int)
    parser.add_argument("--slow", action="store_true", help="torchao's optimizers of 4 and 8 bits, too")
    results.add_options(parser)
    options = parser.parse_args()
    count = int(options.parameters)
    torch.set_num_threads(options.threads)
    found, missing = subjects(count, options.slow)
    best = results.best_times([step for _, _, step in found], options.repetitions)
    columns = [f"optimizer, ns per parameter, {results.threads_text(options.threads)}", "wall", "processor", "bytes"]
    rows = [[name, f"{wall / count * 1e9:.3f}", f"{work / count * 1e9:.3f}", f"{size:.4g}"]
            for (name, size, _), (wall, work) in zip(found, best)]
    print(f"{count} parameters, best of {options.repetitions}")
    results.report(options, columns, rows, missing,
                   command=f"bench/peers/torch_adamw.py {options.parameters:g} {options.repetitions} {options.threads}"
                           + " --slow" * options.slow)


if __name__ == "__main__":
    main()
