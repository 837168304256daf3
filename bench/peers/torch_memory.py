"""What training in PyTorch holds on the CPU, in bytes a parameter: in float32, under autocast, and in bfloat16.

usage: torch_memory.py [WIDTH [LAYERS]]

Weights, gradients and states are counted by their storages. `saved` is what the forward pass keeps for the backward
pass beside the weights, copies of them that autocast makes among it; `peak` the most that PyTorch's allocator had given
out at a time in the second step, which begins with weights and states.
"""
import contextlib
import sys

import torch
from torch.nn import functional

import torch_training as race
from mctensor.torch import MCAdamW

CASES = [("float32", torch.float32, False, None, "PyTorch AdamW, fused"),
         ("float32, autocast", torch.float32, True, None, "PyTorch AdamW, fused"),
         ("float32, autocast", torch.float32, True, "full", "MCAdamW, full"),
         ("float32, autocast", torch.float32, True, "split16-plus", "MCAdamW, split16-plus"),
         ("bfloat16", torch.bfloat16, False, None, "PyTorch AdamW, fused"),
         ("bfloat16", torch.bfloat16, False, "split16-plus", "MCAdamW, split16-plus"),
         ("bfloat16", torch.bfloat16, False, "split8", "MCAdamW, split8")]


def nbytes(tensors):
    """The bytes of the tensors' storages, each once."""
    return sum({x.untyped_storage().data_ptr(): x.untyped_storage().nbytes() for x in tensors}.values())


def peak_of(step):
    """The most that the allocator gives out during a step, beyond what it had given out before."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        step()
    held = most = 0
    for event in profile.profiler.kineto_results.events():
        if event.name() == "[memory]":
            held += event.nbytes()
            most = max(most, held)
    return most


def measure(kind, autocast, strategy):
    torch.manual_seed(1)
    model = race.Gpt().to(kind)
    params = list(model.parameters())
    make = torch.optim.AdamW if strategy is None else MCAdamW
    optimizer = make(params, lr=1e-3, **({"fused": True} if strategy is None else {"strategy": strategy}))
    text = torch.randint(256, (race.BATCH, race.CONTEXT + 1))
    weights = {p.untyped_storage().data_ptr() for p in params}
    saved = []

    def keep(x):
        if x.untyped_storage().data_ptr() not in weights:
            saved.append(x)
        return x

    def step():
        with torch.autocast("cpu", torch.bfloat16) if autocast else contextlib.nullcontext():
            with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
                loss = functional.cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten())
        of_saved = nbytes(saved)
        saved.clear()
        loss.backward()
        of_gradients = nbytes([p.grad for p in params])
        optimizer.step()
        optimizer.zero_grad()
        return of_gradients, of_saved

    of_gradients, of_saved = step()
    states = nbytes([x for state in optimizer.state.values() for x in state.values() if isinstance(x, torch.Tensor)])
    parts = [nbytes(params), of_gradients, states]
    return [*parts, sum(parts), of_saved, parts[0] + states + peak_of(step)], sum(p.numel() for p in params)


def main():
    race.WIDTH, race.LAYERS = (*map(int, sys.argv[1:]), *(512, 4)[len(sys.argv) - 1:])
    race.HEADS, race.CONTEXT, race.BATCH = 8, 64, 2
    rows = []
    for model, kind, autocast, strategy, name in CASES:
        found, count = measure(kind, autocast, strategy)
        rows.append(f"| {model} | {name} | " + " | ".join(f"{x / count:.2f}" for x in found) + " |")
    print(f"PyTorch {torch.__version__}, {count} parameters, {race.BATCH} x {race.CONTEXT} bytes of text")
    print("| model | optimizer | weights | gradients | states | together | saved | peak |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
