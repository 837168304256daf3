"""Times PyTorch's explicit attention on the CPU, softmax(q k^T / 8) v of 8 heads, 2048 queries and
keys of 64 numbers: milliseconds, the best of five, and its rate of matrix products.

usage: torch_attention.py [THREADS]
"""
import sys
import time

import torch


def best(run):
    times = []
    for _ in range(6):  # the first one warms up
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main():
    torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
    q, k, v = (torch.randn(8, 2048, 64, requires_grad=True) for _ in range(3))

    def attend():
        return torch.softmax(q @ k.transpose(1, 2) / 8, -1) @ v

    def forward():
        with torch.no_grad():
            attend()

    a, b = torch.randn(2048, 2048), torch.randn(2048, 2048)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads: "
          f"forward {best(forward) * 1e3:.0f} ms, "
          f"forward and backward {best(lambda: attend().sum().backward()) * 1e3:.0f} ms, "
          f"products of 2048 x 2048 {2 * 2048**3 / best(lambda: a @ b) * 1e-9:.0f} GFLOP/s")


if __name__ == "__main__":
    main()
