"""Times PyTorch on a GPU beside bench/cuda: rows of the same table.

usage: torch_cuda.py
"""
import sys

import torch


def seconds_of(work):
    """The best of five times ten runs."""
    work()
    best = float("inf")
    for _ in range(5):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(10):
            work()
        end.record()
        end.synchronize()
        best = min(best, begin.elapsed_time(end) / 1e4)
    return best


def row(name, size, amount, unit, work, whose=f"PyTorch {torch.__version__}"):
    seconds = seconds_of(work)
    print(f"| {whose} {name} | {size} | {1e3 * seconds:.4g} "
          f"| {1e-12 * amount / seconds:.4g} {unit} | - | - | - |")


def adamw(dtype):
    count = 1 << 26
    parameter = torch.ones(count, dtype=dtype, device="cuda", requires_grad=True)
    parameter.grad = torch.rand(count, device="cuda").to(dtype)
    optimizer = torch.optim.AdamW([parameter], fused=True)
    bytes_moved = count * 7 * parameter.element_size()
    row(f"AdamW, fused, {str(dtype).split('.')[1]}", "2^26 parameters", bytes_moved, "TB/s",
        optimizer.step)


def attention(d):
    shape = (4, 16, 4096, d)
    q, k, v = (torch.rand(shape, dtype=torch.bfloat16, device="cuda", requires_grad=True)
               for _ in range(3))
    pairs = 64 * 4096**2 * d
    attend = torch.nn.functional.scaled_dot_product_attention
    size = f"64 x 4096 x 4096, d {d}"
    with torch.no_grad():
        row("attention dot product", size, 4 * pairs, "Tflop/s", lambda: attend(q, k, v))
    result = attend(q, k, v)
    gradient = torch.ones_like(result)
    row("attention dot product, gradients", size, 10 * pairs, "Tflop/s",
        lambda: torch.autograd.grad(result, (q, k, v), gradient, retain_graph=True))


def main():
    if not torch.cuda.is_available():
        print("torch_cuda: PyTorch sees no GPU", file=sys.stderr)
        return 2
    for dtype in (torch.bfloat16, torch.float32):
        adamw(dtype)
    for d in (64, 128):
        attention(d)
    return 0


if __name__ == "__main__":
    sys.exit(main())
