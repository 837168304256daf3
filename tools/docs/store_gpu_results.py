#!/usr/bin/env python3
"""Stores the table of bench/cuda_report.sh as bench/results/NAME.json, for docs/performance.md.

usage: tools/docs/store_gpu_results.py REPORT NAME [REGEX]

REGEX: of the rows to keep, by the first column. Exit code: 0 stored; 2 the report has no table, or bad usage.
"""
import datetime
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    lines = Path(arguments[0]).read_text("utf-8").splitlines()
    table = [cells(line) for line in lines if line.startswith("|")]
    if len(table) < 3 or table[0][0] != "work":
        print(f"store_gpu_results: {arguments[0]}: no table of bench/cuda_report.sh", file=sys.stderr)
        return 2
    kept = re.compile(arguments[2] if len(arguments) == 3 else "")
    # the device's own line begins with its name: "NVIDIA ...: compute capability ..."
    device = next((line.split(":")[0] for line in lines if ": compute capability " in line), "GPU")
    compiler = next((line for line in lines if line.startswith("nvcc: ")), "nvcc").replace("nvcc: ", "nvcc ").split(",")[0]
    results = {
        "format": "mctensor benchmark", "hardware": device, "compiler": compiler,
        "date": datetime.date.today().isoformat(), "repetitions": "best of 5 times as many runs as fill 50 ms",
        "command": "./run bench --device cuda",
        "columns": [[title, at >= 2] for at, title in enumerate(table[0])],
        "rows": [row for row in table[2:] if len(row) == len(table[0]) and kept.search(row[0])]}
    path = ROOT / "bench/results" / f"{arguments[1]}.json"
    text = json.dumps({key: value for key, value in results.items() if key not in ("columns", "rows")}, indent=2)[:-2]
    for key in ("columns", "rows"):
        text += f',\n  "{key}": [\n    ' + ",\n    ".join(json.dumps(row) for row in results[key]) + "\n  ]"
    new = path.with_suffix(".new")
    new.write_text(text + "\n}\n", "utf-8")
    new.replace(path)
    print(f"{len(results['rows'])} rows: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
