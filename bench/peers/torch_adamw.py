"""Times PyTorch's AdamW on the CPU: nanoseconds per parameter, the best of ten steps.

usage: torch_adamw.py [PARAMETERS]
"""
import sys
import time

import torch


def best_step(count, dtype):
    parameter = torch.ones(count, dtype=dtype, requires_grad=True)
    parameter.grad = torch.ones(count, dtype=dtype)
    optimizer = torch.optim.AdamW([parameter])
    times = []
    for _ in range(11):  # the first one allocates the states
        start = time.perf_counter()
        optimizer.step()
        times.append(time.perf_counter() - start)
    return min(times[1:]) / count * 1e9


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000_000
    for dtype in (torch.float32, torch.bfloat16):
        print(f"PyTorch {torch.__version__} AdamW, {str(dtype).split('.')[1]}, "
              f"{torch.get_num_threads()} threads: {best_step(count, dtype):.3f} ns per parameter")


if __name__ == "__main__":
    main()
