"""Trains a small GPT in bfloat16 on a text, 12 bytes a parameter, gradients included.

usage: train_gpt.py [TEXT [STEPS]]
"""
import sys
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from mctensor.torch import MCAdamW

width, heads, layers, context, batch = 64, 4, 2, 32, 16


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (heads, -1)).transpose(1, 2)
                   for part in self.qkv(self.norms[0](x)).split(width, -1))
        scores = q @ k.transpose(-1, -2) / (width // heads) ** 0.5
        hidden = torch.ones(context, context, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(hidden, float("-inf")).softmax(-1)
        x = x + self.out((weights @ v).transpose(1, 2).flatten(-2))
        return x + self.mlp(self.norms[1](x))


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "LICENSE"
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    letters = torch.tensor(list(Path(path).read_bytes()))
    torch.manual_seed(1)
    embedding, places = nn.Embedding(256, width), nn.Parameter(torch.randn(context, width) * 0.02)
    blocks = nn.Sequential(*(Block() for _ in range(layers)), nn.LayerNorm(width), nn.Linear(width, 256))
    model = nn.ModuleList([embedding, blocks]).bfloat16()
    places.data = places.data.bfloat16()
    optimizer = MCAdamW([*model.parameters(), places], lr=3e-3, betas=(0.9, 0.99))
    for step in range(steps):
        begins = torch.randint(len(letters) - context - 1, (batch, 1))
        text = letters[begins + torch.arange(context + 1)]
        logits = blocks(embedding(text[:, :-1]) + places)
        loss = functional.cross_entropy(logits.float().flatten(0, 1), text[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0 or step == steps - 1:
            print(f"step {step}: loss {loss:.3f}", flush=True)


if __name__ == "__main__":
    main()
