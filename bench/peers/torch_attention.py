"""Times attention on the CPU beside PyTorch's: nanoseconds per pair of query and key.

Subjects take turns in one process, forward and with gradients, and the minimum of their repetitions counts. PyTorch's
are its fused kernel (scaled_dot_product_attention, which streams) and the textbook's softmax(q k^T / 8) v, in float32
and bfloat16. Ours is there where the package mctensor is (PYTHONPATH=build/release/python). Queries, keys and values
have 64 numbers.
"""
import argparse
import importlib.util

import results
import torch

DIMENSIONS = 64
COMPARISONS = ("dot-product", "umbral", "penumbral", "half-space")


def operands(heads, length, dtype):
    torch.manual_seed(1)
    return [torch.randn(1, heads, length, DIMENSIONS).to(dtype).requires_grad_() for _ in range(3)]


def textbook(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / DIMENSIONS ** 0.5, -1) @ v


def subjects(heads, length):
    """[(name, forward, forward and backward)]; the reasons why others are not there."""
    functions = [(f"PyTorch {torch.__version__}, scaled_dot_product_attention",
                  torch.nn.functional.scaled_dot_product_attention),
                 (f"PyTorch {torch.__version__}, softmax(q k^T) v", textbook)]
    missing = []
    if importlib.util.find_spec("mctensor") is None:
        missing.append("ours: no package mctensor")
    else:
        from mctensor.attention import attention

        def ours(comparison):
            gamma = DIMENSIONS ** -0.5 if comparison == "dot-product" else 1.0
            return lambda q, k, v: attention(q, k, v, comparison, gamma=gamma)

        functions += [(f"ours, {comparison}", ours(comparison)) for comparison in COMPARISONS]
    result = []
    for dtype in (torch.float32, torch.bfloat16):
        q, k, v = operands(heads, length, dtype)
        gradient = torch.randn_like(v)
        for name, function in functions:
            def forward(function=function, q=q, k=k, v=v):
                with torch.no_grad():
                    function(q, k, v)

            def both(function=function, q=q, k=k, v=v, gradient=gradient):
                function(q, k, v).backward(gradient)

            result.append((f"{name}, {str(dtype).split('.')[1]}", forward, both))
    return result, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("length", nargs="?", default=2048, type=int)
    parser.add_argument("heads", nargs="?", default=8, type=int)
    parser.add_argument("repetitions", nargs="?", default=10, type=int)
    parser.add_argument("threads", nargs="?", default=1, type=int)
    results.add_options(parser)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if importlib.util.find_spec("mctensor") is not None:
        import mctensor
        mctensor.set_num_threads(options.threads)
    found, missing = subjects(options.heads, options.length)
    forward = results.best_times([f for _, f, _ in found], options.repetitions)
    both = results.best_times([b for _, _, b in found], options.repetitions)
    pairs = options.heads * options.length ** 2
    columns = [f"attention, ns per pair, {results.threads_text(options.threads)}", "forward", "forward and backward"]
    rows = [[name, f"{f / pairs * 1e9:.2f}", f"{b / pairs * 1e9:.2f}"]
            for (name, _, _), (f, _), (b, _) in zip(found, forward, both)]
    print(f"{options.heads} heads, {options.length} queries and keys of {DIMENSIONS} numbers, best of "
          f"{options.repetitions}")
    results.report(options, columns, rows, missing,
                   command=f"bench/peers/torch_attention.py {options.length} {options.heads} {options.repetitions} "
                           f"{options.threads}")


if __name__ == "__main__":
    main()
