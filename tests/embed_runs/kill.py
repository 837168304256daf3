#!/usr/bin/env python3
"""Kills `mct embed` again and again, resumes it, and compares with a run in one piece; interrupts
another one as ctrl-C does.

usage: kill.py MCT EDGES
"""
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KILLS = 20
OPTIONS = ["--epochs", "60", "--checkpoint-every", "0.02", "--patience", "0", "--seed", "3",
           "--evaluate-every", "20"]
SAME = ("embedding.safetensors", "checkpoint.safetensors", "log.jsonl", "metrics.json", "points.npy",
        "points.tsv", "disk.svg", "disk.html", "run.json")


def start(mct, edges, directory, *more):
    return subprocess.Popen([mct, "embed", edges, "-o", str(directory), *OPTIONS, *more],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(process):
    output = process.communicate()[0]
    if process.returncode != 0:
        raise SystemExit(f"exit code {process.returncode}: {output}")


def kill_often(mct, edges, directory):
    """Runs until it is killed, up to KILLS times; how often it was at work."""
    generator = random.Random(1)
    at_work = 0
    for i in range(KILLS):
        process = start(mct, edges, directory, *(["--resume"] if (directory / "run.json").exists()
                                                 else []))
        time.sleep(generator.uniform(0.01, 0.12))
        at_work += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return at_work


def interrupt(mct, edges, directory, whole):
    process = start(mct, edges, directory)
    while not (directory / "checkpoint.safetensors").exists():
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    output = process.communicate()[0]
    if process.returncode != 130 or "--resume goes on" not in output:
        print("ctrl-C: exit code", process.returncode, output)
        return False
    finish(start(mct, edges, directory, "--resume"))
    return compare(whole, directory)


def compare(whole, broken):
    for name in SAME:
        if (whole / name).read_bytes() != (broken / name).read_bytes():
            print(name, "differs in", broken)
            return False
    return True


def main(mct, edges):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        whole, broken = folder / "whole", folder / "broken"
        finish(start(mct, edges, whole))
        at_work = kill_often(mct, edges, broken)
        if at_work < KILLS // 2:
            print("only", at_work, "of", KILLS, "kills met a process at work")
            return 1
        finish(start(mct, edges, broken, "--resume"))
        if not compare(whole, broken) or not interrupt(mct, edges, folder / "stopped", whole):
            return 1
        leftover = [path for path in folder.rglob("*") if "tmp" in path.name]
        for path in leftover:
            print("left over:", path)
        return 1 if leftover else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
