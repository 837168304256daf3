#!/usr/bin/env python3
"""Writes the tables of measured times from the results that are stored in bench/results.

usage: tools/docs/performance.py [--check]

A page says where a table stands by <!-- results: NAME --> and <!-- end -->; what lies between is made from
bench/results/NAME.json, which `./run bench --json` writes, or is a table of QUOTES or ACCURACY below. --check changes nothing and
names the tables that differ.

Exit code: 0 every table is what the results say, or has been written so; 1 one is not; 2 bad usage.
"""
import json
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path("bench", "results")
PAGES = ("README.md", "docs/performance.md", "docs/comparison.md")
BLOCK = re.compile(r"(<!-- results: ([\w ]+?) -->\n)(.*?)(<!-- end -->)", re.S)

# Some rows of other tables, for pages that show the most important ones: work as they call it, results, work, type.
DOT = ("dot product of 4096", "tensors", "tensor/dot 4096", "f64x2")
SCALAR_DOT = ("dot product, one number after the other", "scalars", "dot", "f64x2")
EXP = ("exp of a tensor", "tensors", "tensor/exp 1000x1000", "f64x2")
AMX = "integer_products_amx"
QUOTES = {
    "readme products": (
        "matrix product", {"ours, normwise": "ours, more exact", "OpenBLAS dgemm (plain double)": "OpenBLAS, double"},
        (("1024^3, double, nearly every element correctly rounded", AMX, "mm 1024", "f64x1"),
         ("1024^3, f64x2: 31 digits", AMX, "mm 1024", "f64x2"),
         ("2048^3, f64x2", AMX, "mm 2048", "f64x2"),
         ("1024^3, f64x3: 47 digits", AMX, "mm 1024", "f64x3"))),
    "readme speeds": (
        "work in f64x2",
        {"ours": "ours", "QD dd_real": "QD", "MPFR 106": "MPFR", "Boost 106": "Boost", "__float128": "`__float128`"},
        (DOT, ("matrix product 1024^3", "tensors", "tensor/mm 1024", "f64x2"), EXP,
         ("tanh of a tensor", "tensors", "tensor/tanh 1000x1000", "f64x2"),
         ("exp, a value at a time", "math", "math/exp", "f64x2"),
         ("log, a value at a time", "math", "math/log", "f64x2"))),
    "comparison speeds": (
        "work in f64x2",
        {"ours": "ours", "ours, SIMD": "ours, SIMD lanes", "QD dd_real": "QD", "MPFR 106": "MPFR", "Arb 106": "Arb",
         "Boost 106": "Boost", "__float128": "`__float128`"},
        (("dot product of tensors", *DOT[1:]), SCALAR_DOT, EXP,
         ("exp, a value at a time", "math", "math/exp", "f64x2"),
         ("sin, a value at a time", "math", "math/sin", "f64x2"))),
}


# Rows of the last table of docs/functions.md, which the suite's results make (validation/functions_page.py).
ACCURACY = ("exp", "log", "sin", "tanh", "asinh")


def accuracy(root):
    lines = [line for line in (root / "docs/functions.md").read_text("utf-8").split("\n") if line.startswith("|")]
    title = next(at for at, line in enumerate(lines) if "| QD dd_real |" in line)
    rows = {row[0]: row for row in ([c.strip() for c in line.split("|")[1:-1]] for line in lines[title:])}
    columns = [0, *range(2, len(rows["function"]))]  # without the worst of all cases, which the peers do not go through
    return table([(f"`{rows['function'][c]}`" if rows["function"][c].startswith("_") else rows["function"][c], c > 0)
                  for c in columns], [[rows[name][c] for c in columns] for name in ACCURACY])


def read(root, name):
    path = root / RESULTS / f"{name}.json"
    results = json.loads(path.read_text("utf-8"))
    if results.get("format") != "mctensor benchmark":
        raise ValueError(f"{path} holds no results of `./run bench --json`")
    return results


def circumstances(results):
    """Where, when and how: the sentence above a table."""
    said = [results.get(key) for key in ("hardware", "compiler", "date", "repetitions")]
    command = f": `{results['command']}`" if results.get("command") else ""
    text = ", ".join(part for part in said if part) + command + "."
    # commands stay on one line
    kept = re.sub(r"`[^`]*`", lambda m: m.group().replace(" ", "\0"), text)
    if results.get("peers"):
        kept += f" Beside {results['peers']}."
    return "\n".join(textwrap.wrap(kept, 118, break_long_words=False, break_on_hyphens=False)).replace("\0", " ")


def table(columns, rows):
    """columns: (title, is it a number)."""
    lines = ["| " + " | ".join(title for title, _ in columns) + " |",
             "|" + "|".join("---:" if right else "---" for _, right in columns) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def timings(results):
    """{work, type: {implementation: ns}} in the order of the file; a row is [work, type, implementation, ns, more],
    more, where there is it, a text: the ratio that a run printed whose longer digits are not kept; or a number: the
    worst error in units u^N."""
    found = {}
    for row in results["timings"] if "timings" in results else results["rows"]:
        found.setdefault((row[0], row[1]), {})[row[2]] = float(row[3])
    return found


def ratios(results):
    """As mct_bench prints it: a row a timing, compared with ours of its work and type."""
    by_work = timings(results)
    rows = []
    for work, kind, implementation, ns, *printed in results["timings"]:
        ours = by_work[work, kind].get("ours")
        ratio = printed[0] if printed and isinstance(printed[0], str) else f"{ns / ours:.2f}" if ours else ""
        rows.append([work, kind, implementation, f"{ns:.3f}", ratio])
    unit = results.get("unit", "ns per operation")
    return table([("work", False), ("type", False), ("implementation", False), (unit, True), ("times ours", True)], rows)


# Types of the columns, and whether peers stand beside ours.
FUNCTION_TYPES = (("f32x1", "float", True), ("f64x1", "double", True), ("f16x1", "half", False),
                  ("bf16x1", "bfloat16", False))


def by_function(results):
    """A row a function: types and peers side by side."""
    columns, found = [("function", False)], timings(results)
    for _, title, with_peers in FUNCTION_TYPES:
        columns += [(title, True)] + [("SLEEF", True), ("C library", True)] * with_peers
    rows = {}
    for work in dict.fromkeys(work for work, _ in found):
        rows[work] = [f"`{work.rsplit('/', 1)[-1]}`"]
        for kind, _, with_peers in FUNCTION_TYPES:
            times = {name: f"{ns:.2f}" for name, ns in found.get((work, kind), {}).items()}
            ours = times.get("ours", "")
            rows[work].append(f"**{ours}**" if with_peers and ours else ours)
            if with_peers:
                rows[work] += [times.get("SLEEF", ""), times.get("C library", "")]
    return table(columns, rows.values())


def beside_peers(results):
    """A row a work and type, a column an implementation: the times, where a peer's is bold that takes less than 0.95
    of ours (lanes: of ours in lanes); then the errors."""
    found, names = {}, []
    for work, kind, implementation, ns, *error in results["timings"]:
        name = re.sub(r" [0-9]+$", "", implementation)  # bits
        names += [name] if name not in names else []
        found.setdefault((work.rsplit("/", 1)[-1], kind), {})[name] = (ns, *error)
    times, errors = [], []
    for (work, kind), row in found.items():
        def shown(name):
            ns = row[name][0]
            ours = row.get("ours", (0,))[0]
            lanes = row.get("ours, SIMD", (ours,))[0]
            beside = min(ours, lanes) if work.startswith(("dot", "mm")) else lanes if "SIMD" in name else ours
            return f"**{three_digits(ns)}**" if "ours" not in name and ns < 0.95 * beside else three_digits(ns)
        times.append([work, kind, *(shown(name) if name in row else "" for name in names)])
        worst = [f"{row[name][1]:.2g}" if name in row and len(row[name]) > 1 else "" for name in names]
        errors += [[work, kind, *worst]] if any(worst) else []
    columns = [("ns", False), ("type", False), *((name, True) for name in names)]
    return (table(columns, times) + "\n\nLargest errors, in units u^N, u = 2^-53:\n\n" +
            table([("error", False), *columns[1:]], errors))


def three_digits(ns):
    if ns < 0.1:
        return f"{ns:.3f}"
    return f"{ns:.0f}" if ns >= 1000 else f"{ns:#.3g}".rstrip(".")


def quote(root, name):
    heading, implementations, wanted = QUOTES[name]
    rows = []
    for title, results, work, kind in wanted:
        # a peer without a product of matrices stands there with a loop of its own
        times = {re.sub(" loop, .*", "", name): ns for name, ns in timings(read(root, results))[work, kind].items()}
        best = min((key for key in implementations if key in times and key != "ours, SIMD"), key=times.get)
        shown = {key: three_digits(times[key]) for key in implementations if key in times}
        if not best.startswith("ours"):
            shown[best] = f"**{shown[best]}**"
        rows.append([title, *(shown.get(key, "") for key in implementations)])
    return table([(heading, False), *((title, True) for title in implementations.values())], rows)


def block(root, name):
    """What stands between the marks of a page."""
    if name in QUOTES:
        return quote(root, name) + "\n"
    if name == "comparison accuracy":
        return accuracy(root) + "\n"
    results = read(root, name)
    if "timings" in results:
        layout = {"functions": by_function, "peers": beside_peers}.get(results.get("layout"), ratios)
        text = layout(results)
    else:
        text = table([(title, right) for title, right in results["columns"]], results["rows"])
    return f"{circumstances(results)}\n\n{text}\n"


def rendered(root, text):
    return BLOCK.sub(lambda m: m.group(1) + block(root, m.group(2)) + m.group(4), text)


def faults(root):
    """Tables that differ from the results, tables of performance.md without results, results without a table."""
    shown = set()
    for page in PAGES:
        text = (root / page).read_text("utf-8")
        for match in BLOCK.finditer(text):
            shown.add(match.group(2))
            if match.group(3) != block(root, match.group(2)):
                yield f"{page}:{text.count(chr(10), 0, match.start()) + 1}: {match.group(2)} is not what the results say"
        if page.endswith("performance.md"):
            rest = BLOCK.sub(lambda m: re.sub(r"[^\n]", "", m.group()), text)
            for number, line in enumerate(rest.split("\n"), 1):
                if line.startswith("|---"):
                    yield f"{page}:{number}: a table that is not made from results"
    for path in sorted((root / RESULTS).glob("*.json")):
        if path.stem not in shown:
            yield f"{RESULTS / path.name}: no page shows it"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    if len(sys.argv) == 1:
        for page in PAGES:
            text = (ROOT / page).read_text("utf-8")
            new = rendered(ROOT, text)
            if new != text:
                (ROOT / page).write_text(new, "utf-8")
                print(f"written: {page}")
    found = list(faults(ROOT))
    print("\n".join(found) if found else "every table is what the results say")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
