#!/usr/bin/env python3
"""Writes docs/functions.md from the suite's JSON: domain, bound, measured worst, peers' worst.

usage: validation/functions_page.py RESULTS.json... > docs/functions.md
       validation/functions_page.py --check docs/functions.md

Of several files the largest error counts, so that runs of single functions can be added. --check compares
functions, meanings and domains with the list of operations (include/mctensor/tensor/operation.hpp).
"""
import json
import math
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# An entry of the list of operations on tensors: name, kind, meaning, domain, where results are exact.
ENTRY = re.compile(r'list\((\w+), \w+, (\w+), "([^"]*)", "([^"]*)", "([^"]*)"')
# Functions of numbers that tensors do not have: meaning, domain, where results are exact.
OF_NUMBERS = {
    "log10": ("the logarithm to base 10", "x > 0", "powers of ten"),
    "exp10": ("10^x", "all x", "whole x >= 0, if 10^x has at most N p bits"),
    "hypot3": ("hypot(x, y, z)", "all x, y, z", "sides of a box whose diagonal has at most N p bits"),
    "atan2": ("the angle of (y, x)", "all x, y", ""),
    "tanpi": ("tan(pi x)", "all finite x", "multiples of 1/4"),
    "arcosh1p": ("acosh(1 + x)", "x >= 0", "0 at 0"),
    "sinhc": ("sinh(x) / x", "all x", "1 at 0"), "rsinhc": ("x / sinh(x)", "all x", "1 at 0"),
    "tanhc": ("tanh(x) / x", "all x", "1 at 0"), "rtanhc": ("x / tanh(x)", "all x", "1 at 0"),
    "log_sigmoid": ("-log(1 + e^-x)", "all x", ""), "log_cosh": ("log(cosh x)", "all x", "0 at 0"),
    "lgamma": ("log |Gamma(x)|", "all x", "0 at 1 and 2"),
    "tgamma": ("Gamma(x)", "all x", "whole x > 0, if (x - 1)! has at most N p bits"),
}


def listed():
    with open(os.path.join(ROOT, "include/mctensor/tensor/operation.hpp"), encoding="utf-8") as file:
        entries = ENTRY.findall(file.read())
    return {name: texts for name, kind, *texts in entries if kind != "arithmetic"}


FUNCTIONS = listed() | OF_NUMBERS
MEANINGS = {name: meaning for name, (meaning, _, _) in FUNCTIONS.items()}
DOMAINS = {name: domain for name, (_, domain, _) in FUNCTIONS.items()}
TYPES = ["f64x2", "f64x3", "f64x4", "f32x2", "f32x3", "f32x4"]
PLAIN_TYPES = ["f64x1", "f32x1", "f16x1", "bf16x1"]
ANGLES = "on axes, diagonals and at the ends of the domain: the number nearest to the multiple of pi/4"
PEERS = ["QD dd_real", "__float128", "Boost cpp_bin_float 106"]


def merge(paths):
    operations, peers, runs = {}, {}, []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        runs.append(data)
        for op in data["operations"]:
            key = (op["operation"], op["type"])
            known = operations.setdefault(key, {"max": 0.0, "cases": 0, "bound": op["bound_text"]})
            known["max"] = max(known["max"], op["errors"]["max_error"])
            known["cases"] += op["errors"]["cases"]
        for peer in data["peers"]:
            key = (peer["operation"], peer["type"], peer["peer"])
            peers[key] = max(peers.get(key, -math.inf), peer["worst_relative_log2"])
    return operations, peers, runs


def power(value):
    return f"{2.0 ** value:.1e}" if value is not None and math.isfinite(value) else ""


def print_plain(operations):
    """Functions of plain numbers, errors in units in the last place."""
    rows = [(name, [operations.get((name, t)) for t in PLAIN_TYPES]) for name in DOMAINS]
    rows = [(name, cells) for name, cells in rows if all(cells)]
    if not rows:
        return
    print("\n## Functions of plain numbers: largest error in ulps\n")
    print("In double the bound is 0.51 ulp, plus a quarter of the smallest subnormal number if the result is "
          "subnormal. In float, half and bfloat16 all results that the suite has tested are correctly rounded "
          "(0.5 ulp). Tensors compute these functions in SIMD lanes, with the same templates.\n")
    print("| function | " + " | ".join(PLAIN_TYPES) + " | cases |")
    print("|---|" + "---:|" * (len(PLAIN_TYPES) + 1))
    for name, cells in rows:
        print(f"| {name} | " + " | ".join(f"{c['max']:.4f}" for c in cells) +
              f" | {sum(c['cases'] for c in cells):,} |")


def exact_rows():
    places = {}
    for name, (_, _, where) in FUNCTIONS.items():
        places.setdefault(where, []).append(name)
    return [f"| {', '.join(names)} | {where} |" for where, names in places.items() if where]


def print_exact():
    """Where results are numbers of the type."""
    print("\n## Exact results\n")
    print("A result is exact if the true value has at most N p bits from its highest 1 to its lowest 1 (p = 53 for "
          "double, 24 for float). This holds for scalars, batches and tensors. The suite checks it in every case. In "
          "its category \"exact results\" it makes arguments with such results.\n")
    print("| functions | where |")
    print("|---|---|")
    for line in exact_rows():
        print(line)
    print(f"| atan2, asin, acos, atan | {ANGLES} |")


def labelled(name):
    """The first cells of a function's row."""
    return " | ".join([f"| {name}", *(text.replace("|", "\\|") for text in FUNCTIONS[name][:2])]) + " |"


def check(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    missing = [row for row in [*map(labelled, FUNCTIONS), *exact_rows()] if f"\n{row}" not in text]
    for row in missing:
        print(f"{path}: no row begins with {row}")
    return len(missing) > 0


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2]))
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    operations, peers, runs = merge(sys.argv[1:])
    print("# Elementary functions: domain, bound, measured error\n")
    print("This page says how large the error of each elementary function is, and which of its results are exact. "
          "`validation/functions_page.py` writes the page from the JSON of `mct validate`; do not edit it.\n")
    print("The suite compares results with MPFR at more than twice the precision of the result. "
          "Arguments are random, adversarial and special numbers, and numbers where a function is hard to compute: "
          "next to multiples of pi/2, next to 1, and near overflow. "
          f"The figures are from {runs[0]['cpu']}, {runs[0]['compiler']}.\n")
    print("All functions of N > 1 components have the same bound: 1.5 u^N times the result, plus 2^N eta. u is "
          "2^-53 for double and 2^-24 for float. eta is the smallest subnormal number; this term matters only if "
          "components of the result fall below it. The bound is measured; [proofs](proofs.md) has the proven bounds "
          "of exp and log of two doubles.\n")
    print("Outside the domain the result is NaN. At its ends, and for zeros, infinities and NaN, results are C's: "
          "log(0) is -infinity, and pow(0, 0.5) is 0.\n")
    print("## Largest error in units of u^N\n")
    print("| function | meaning | domain | " + " | ".join(TYPES) + " | cases |")
    print("|---|---|---|" + "---:|" * (len(TYPES) + 1))
    for name in FUNCTIONS:
        cells = [operations.get((name, t)) for t in TYPES]
        if not any(cells):
            continue
        errors = " | ".join(f"{c['max']:.2f}" if c else "" for c in cells)
        print(f"{labelled(name)} {errors} | {sum(c['cases'] for c in cells if c):,} |")
    print("\nFor x < -2, lgamma has zeros between its poles. Next to these zeros the bound is that of a result of "
          "1/64, 1.5 u^N / 64.")
    print_exact()
    print_plain(operations)
    print("\n## f64x2 beside others: largest relative error on random arguments\n")
    print("The first column of errors is for all cases of the suite. The other columns are for random arguments, "
          "the same in all four. `__float128` has 113 bits, f64x2 106.\n")
    print("| function | suite, worst of all cases | MCTensor | " + " | ".join(PEERS) + " |")
    print("|---|" + "---:|" * (len(PEERS) + 2))
    for name in DOMAINS:
        own = operations.get((name, "f64x2"))
        if own is None:
            continue
        suite = f"{own['max'] * 2.0 ** -106:.1e}"
        row = [power(peers.get((name, "f64x2", p))) for p in ["MCTensor C++"] + PEERS]
        print(f"| {name} | {suite} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
