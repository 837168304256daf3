#!/usr/bin/env python3
"""Cuts README's figure, docs/distance-error.svg, out of the report of the suite.

usage: distance_figure.py REPORT.html

The report has its colours from the page; here they are plain, on white, as README is read on any ground. After
`./run validate --filter 'geometry figure halfspace_distance'` or a whole run: distance_figure.py report/index.html.

Exit codes: 0 written, 1 the report has no such figure, 2 bad usage.
"""
import re
import sys
from pathlib import Path

FIGURE = Path(__file__).resolve().parents[2] / "docs" / "distance-error.svg"


def figure_of(report):
    """The SVG of the figure in plain colours; None where the report has none."""
    found = re.search(r'id="halfspace_distance".*?(<svg .*?</svg>)', report, re.DOTALL)
    if not found:
        return None
    svg = re.sub(r"var\(--[a-z0-9-]+,(#[0-9a-f]{6})\)", r"\1", found.group(1))
    return svg.replace('fill="currentColor">', 'fill="currentColor" style="background:#fff;color:#222">', 1) + "\n"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    svg = figure_of(Path(arguments[0]).read_text(encoding="utf-8"))
    if svg is None:
        print(f"{arguments[0]}: no figure halfspace_distance", file=sys.stderr)
        return 1
    FIGURE.write_text(svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
