"""Trains the same tiny GPT with MCAdamW and with other optimizers of PyTorch on the CPU: loss, time of a step, bytes.

usage: torch_training.py [STEPS] [TEXT]

Every optimizer begins with the same weights and sees the same batches of bytes of TEXT, LICENSE by default. Loss is the
mean of the last tenth of the steps. A step's time is that of the optimizer alone, the least of all steps, in turns.
Bytes are those of weights, gradients and states, by their storages. torchao and optimi are compared where they are
installed.
"""
import contextlib
import copy
import sys
import time
import warnings
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from mctensor.torch import MCAdamW

warnings.simplefilter("ignore")
WIDTH, HEADS, LAYERS, CONTEXT, BATCH = 64, 4, 2, 32, 16
OPTIONS = dict(lr=1e-3, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.1)


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters, self.places = nn.Embedding(256, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.TransformerEncoder(nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, 0.0, "gelu",
                                                                       batch_first=True, norm_first=True), LAYERS,
                                            enable_nested_tensor=False)
        self.head = nn.Linear(WIDTH, 256)

    def forward(self, text):
        mask = nn.Transformer.generate_square_subsequent_mask(CONTEXT, dtype=self.head.weight.dtype)
        x = self.letters(text) + self.places(torch.arange(CONTEXT))
        return self.head(self.blocks(x, mask=mask, is_causal=True)).float()


def optimizers():
    """(name, type of the weights, what makes the optimizer of parameters)."""
    adamw = torch.optim.AdamW
    yield "PyTorch AdamW, fused", torch.float32, lambda p: adamw(p, fused=True, **OPTIONS)
    yield "MCAdamW, full", torch.float32, lambda p: MCAdamW(p, **OPTIONS)
    yield "PyTorch AdamW, fused", torch.bfloat16, lambda p: adamw(p, fused=True, **OPTIONS)
    for strategy in ("split16-plus", "split16-stochastic", "split8", "light", "master"):
        yield f"MCAdamW, {strategy}", torch.bfloat16, lambda p, s=strategy: MCAdamW(p, strategy=s, **OPTIONS)
    with contextlib.suppress(ImportError):
        from torchao import optim

        for kind in ("AdamW8bit", "AdamW4bit", "AdamWFp8"):
            if hasattr(optim, kind):
                yield (f"torchao {kind}, bf16_stochastic_round", torch.bfloat16,
                       lambda p, k=kind: getattr(optim, k)(p, bf16_stochastic_round=True, **OPTIONS))
        yield ("torchao _AdamW, bf16_stochastic_round", torch.bfloat16,
               lambda p: optim._AdamW(p, bf16_stochastic_round=True, **OPTIONS))
    with contextlib.suppress(ImportError):
        import optimi

        yield "optimi AdamW, kahan_sum", torch.bfloat16, lambda p: optimi.AdamW(p, kahan_sum=True, **OPTIONS)


def tensors_of(x):
    """The plain tensors in a tensor that may be made of several."""
    names = x.__tensor_flatten__()[0] if hasattr(x, "__tensor_flatten__") else ()
    return [part for name in names for part in tensors_of(getattr(x, name))] if names else [x]


def bytes_of(model, optimizer):
    kept = [x for state in optimizer.state.values() for x in state.values() if isinstance(x, torch.Tensor)]
    kept += [x for p in model.parameters() for x in (p.detach(), p.grad)]
    storages = {part.untyped_storage().data_ptr(): part.untyped_storage().nbytes()
                for x in kept for part in tensors_of(x)}
    return sum(storages.values()) / sum(p.numel() for p in model.parameters())


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    text = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parents[2] / "LICENSE"
    letters = torch.tensor(list(text.read_bytes()))
    torch.set_num_threads(1)
    torch.manual_seed(1)
    start, generator = Gpt(), torch.Generator().manual_seed(2)
    runs = []
    for name, kind, make in optimizers():
        model = copy.deepcopy(start).to(kind)
        try:
            runs.append([f"{name} | {str(kind).split('.')[1]}", model, make(model.parameters()), [], float("inf")])
        except Exception as error:  # of another package, which may not go with this PyTorch
            print(f"skipped: {name}: {error}")
    for step in range(steps):
        begins = torch.randint(len(letters) - CONTEXT - 1, (BATCH, 1), generator=generator)
        batch = letters[begins + torch.arange(CONTEXT + 1)]
        for run in list(runs):
            _, model, optimizer, losses, _ = run
            loss = functional.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            losses.append(float(loss))
            begin = time.perf_counter()
            try:
                optimizer.step()
            except Exception as error:
                print(f"skipped: {run[0]}: {str(error).splitlines()[0]}")
                runs.remove(run)
            run[4] = min(run[4], time.perf_counter() - begin)
    count = sum(p.numel() for p in start.parameters())
    print(f"PyTorch {torch.__version__}, {count} parameters, {steps} steps, 1 thread")
    print("| optimizer | weights | loss | ms a step | bytes a parameter |\n|---|---|--:|--:|--:|")
    for name, model, optimizer, losses, best in runs:
        last = losses[-max(1, steps // 10):]
        print(f"| {name} | {sum(last) / len(last):.4f} | {best * 1e3:.2f} | {bytes_of(model, optimizer):.2f} |")


if __name__ == "__main__":
    main()
