"""The same weights, bit for bit, from one, two or four processes.

usage: data_parallel.py [RANKS ...]   [1 2]

Each trains a small network in bfloat16 on its share of the batches; gradients are summed exactly.
"""
import socket
import sys
import zlib

import torch
import torch.distributed as dist

from mctensor.torch import MCAdamW
from mctensor.torch.distributed import ExactGradients

BATCHES = 4


def train(rank, ranks, port):
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=ranks)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1)).bfloat16()
    optimizer = MCAdamW(model.parameters(), lr=1e-2, strategy="split16-plus")
    gradients = ExactGradients(model.parameters())
    for _ in range(30):
        x = torch.randn(BATCHES, 16, 8).bfloat16()  # all ranks draw all batches, and take their own
        for batch in x[rank::ranks]:
            loss = (model(batch)[:, 0] - batch.sum(-1).sin()).square().mean()
            loss.backward()
            gradients.add()
        gradients.average()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    if rank == 0:
        weights = torch.cat([optimizer.exact_weights(p).reshape(-1) for p in model.parameters()])
        print(f"{ranks} ranks: checksum of the weights {zlib.crc32(weights.numpy().tobytes()):08x}")
    dist.barrier()  # nobody leaves while another still sends
    dist.destroy_process_group()


if __name__ == "__main__":
    for ranks in [int(word) for word in sys.argv[1:]] or [1, 2]:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        torch.multiprocessing.spawn(train, (ranks, port), nprocs=ranks)
