#!/usr/bin/env python3
"""The reference has what it promises: read from the headers as they are, every function of the mathematical layer
has a comment, a bound and the figures of the suite. Exit code 77: there is no Doxygen.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import headers  # noqa: E402
import reference  # noqa: E402
import suite_results  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class InventedResults(suite_results.SuiteResults):
    """One row for each operation that DOMAINS names, so that the test needs no run of the suite."""

    def __init__(self):
        row = {"type": "f64x2", "bound_text": "bound of f64x2", "bound": 1.5, "errors": {"max_error": 0.25, "cases": 4}}
        self.run = {"version": "0", "compiler": "c", "cpu": "p", "seed": 1, "checked_cases": 4, "passed": True}
        self.by_operation = {name: [row] for name in [*suite_results.DOMAINS, "add", "ball_dist"]}


def section_of(page, name):
    start = page.index(f"\n### {name}\n")
    end = page.find("\n### ", start + 5)
    return page[start:end if end > 0 else len(page)]


def faults(folder, declarations):
    with open(os.path.join(folder, "math.md"), encoding="utf-8") as file:
        page = file.read()
    for name in suite_results.DOMAINS:
        try:
            text = section_of(page, reference.escape(name))
        except ValueError:
            yield f"{name} is not in math.md"
            continue
        for wanted in ("| **domain** |", "| **bound** |", "| f64x2 | bound of f64x2 | 0.25 | 4 |", "Example, from"):
            if wanted not in text:
                yield f"{name} has no '{wanted}'"
    with open(os.path.join(folder, "manifold_operations.md"), encoding="utf-8") as file:
        if "| PoincareBall | f64x2 |" not in file.read():
            yield "dist of the ball has no figures"
    if len(declarations) < 1500:
        yield f"only {len(declarations)} declarations were read"
    if any(headers.is_private(d.scope) for d in declarations):
        yield "private names are in it"


def main():
    if not shutil.which("doxygen"):
        print("skipped: there is no doxygen (Debian package doxygen)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        settings = os.path.join(folder, "Doxyfile")
        with open(settings, "w", encoding="utf-8") as file:
            file.write(headers.DOXYFILE.format(root=ROOT, output=folder))
        subprocess.run(["doxygen", settings], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        declarations, sources = headers.read(os.path.join(folder, "xml"), ROOT)
        reference.write(folder, ROOT, declarations, sources, InventedResults())
        found = list(faults(folder, declarations))
    print("\n".join(found) if found else f"{len(declarations)} declarations")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
