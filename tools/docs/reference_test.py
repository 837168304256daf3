#!/usr/bin/env python3
"""The reference has what it promises: read from the headers as they are, every function of the mathematical layer
has a comment, a bound and the figures of the suite; and every function that calculates states what statements.py asks for.
Doxygen, which takes most of the time, reads the headers once for both."""
import sys
import tempfile
from pathlib import Path

import headers
import reference
import statements
import suite_results

ROOT = Path(__file__).resolve().parents[2]


class InventedResults(suite_results.SuiteResults):
    """One row for each operation that DOMAINS names, so that the test needs no run of the suite."""

    def __init__(self):
        def row(name):
            return {"type": "f64x2", "bound_text": f"bound of {name}", "bound": 1.5,
                    "errors": {"max_error": 0.25, "cases": 4}}
        self.run = {"version": "0", "compiler": "c", "cpu": "p", "seed": 1, "checked_cases": 4, "passed": True}
        self.by_operation = {name: [row(name)] for name in [*suite_results.DOMAINS, "add", "ball_dist"]}


def sections_of(page, name):
    """Everything that stands under headings of this name."""
    return "".join(part for part in page.split("\n### ") if part.startswith(name + "\n"))


def faults(folder, declarations, sources):
    page = (folder / "math.md").read_text("utf-8")
    for name in suite_results.DOMAINS:
        text = sections_of(page, reference.escape("hypot" if name == "hypot3" else name))
        for wanted in ("| **domain** |", "| **bound** |", f"| f64x2 | bound of {reference.escape(name)} | 0.25 | 4 |", "Example, from"):
            if wanted not in text:
                yield f"{name} has no '{wanted}'"
    if "| PoincareBall | f64x2 |" not in (folder / "manifold_operations.md").read_text("utf-8"):
        yield "dist of the ball has no figures"
    calculating = len(list(statements.groups(declarations, sources)))
    if len(declarations) < 1500 or calculating < 600:
        yield f"only {len(declarations)} declarations were read, {calculating} functions that calculate"
    if any(headers.is_private(d.scope) for d in declarations):
        yield "private names are in it"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        declarations, sources = headers.read(ROOT)
        reference.write(folder, ROOT, declarations, sources, InventedResults())
        found = [*faults(folder, declarations, sources), *statements.faults(declarations, sources)]
    print("\n".join(found) if found else f"{len(declarations)} declarations")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
