"""What the programs of this folder share: subjects that take turns, and tables for the documentation."""
import datetime
import json
import os
import time
from pathlib import Path


def best_times(calls, repetitions):
    """The least wall and processor seconds of each; calls take turns, and a first round warms up."""
    best = [(float("inf"), float("inf"))] * len(calls)
    for turn in range(repetitions + 1):
        for i, call in enumerate(calls):
            start, work = time.perf_counter(), time.process_time()
            call()
            now = time.perf_counter() - start, time.process_time() - work
            if turn:
                best[i] = tuple(map(min, best[i], now))
    return best


def processor():
    """The name of this machine's processor, where Linux tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} processors of {names[0] if names else 'this machine'}"


def add_options(parser):
    parser.add_argument("--json", metavar="FILE", help="write the table for the documentation")
    parser.add_argument("--hardware", default=processor(), metavar="TEXT", help="what the table says of the machine")


def write_json(path, columns, rows, **said):
    """`said`: hardware, compiler, command, repetitions. All columns but the first are numbers unless a pair says so."""
    pairs = [column if isinstance(column, tuple) else (column, i > 0) for i, column in enumerate(columns)]
    results = {"format": "mctensor benchmark", "date": datetime.date.today().isoformat(), **said, "columns": pairs,
               "rows": rows}
    Path(path).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def report(options, columns, rows, missing=(), **said):
    """Prints the table and why subjects are missing, and writes it where --json says so; `said` as in write_json."""
    print("| " + " | ".join(columns) + " |\n|---|" + "---:|" * (len(columns) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    for reason in missing:
        print(f"skipped: {reason}")
    if options.json:
        write_json(options.json, columns, rows, hardware=options.hardware, **said)


def threads_text(count):
    return f"{count} thread{'s' * (count > 1)}"
