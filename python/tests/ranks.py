"""Processes of torch.distributed for a test: forked off a server that has imported PyTorch, once for all of them."""
import multiprocessing
import socket

import torch

#: torch._dynamo, which an optimizer imports, takes longer than all else that a rank does
PRELOADED = ["mctensor.torch", "torch._dynamo", "torch.distributed.fsdp", "torch.distributed.checkpoint.state_dict"]


def run(work, ranks, folder):
    """Calls work(rank, ranks) in so many processes of one group, and returns what each has returned."""
    folder.mkdir()
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    multiprocessing.set_forkserver_preload(PRELOADED)
    torch.multiprocessing.start_processes(_work, (work, ranks, port, str(folder)), nprocs=ranks,
                                          start_method="forkserver")
    return [torch.load(folder / str(rank)) for rank in range(ranks)]


def _work(rank, work, ranks, port, folder):
    torch.set_num_threads(1)
    backend = "gloo" if ranks < 4 else "cpu:gloo"  # the name that a program on GPUs gives, with "cuda:nccl"
    torch.distributed.init_process_group(backend, init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=ranks)
    torch.save(work(rank, ranks), f"{folder}/{rank}")
    torch.distributed.destroy_process_group()
