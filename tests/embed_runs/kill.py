#!/usr/bin/env python3
"""Kills `mct embed` or `mct cones` again and again, resumes it, and compares with a run in one
piece; interrupts another one as ctrl-C does, while a second one wants its directory.

usage: kill.py MCT EDGES embed|cones
"""
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KILLS = 20
OPTIONS = {
    "embed": ["--epochs", "60", "--checkpoint-every", "0.02", "--patience", "0", "--seed", "3",
              "--evaluate-every", "20"],
    "cones": ["--without-roots", "--percent", "0", "--seeds", "3", "--epochs", "40",
              "--checkpoint-every", "0.02", "--seed", "3"],
}
SAME = {
    "embed": ("embedding.safetensors", "checkpoint.safetensors", "log.jsonl", "metrics.json",
              "points.npy", "points.tsv", "disk.svg", "disk.html", "run.json"),
    "cones": ("0-3.safetensors", "0-4.safetensors", "0-5.safetensors", "cones.jsonl", "run.json"),
}


def start(mct, command, edges, directory, *more):
    return subprocess.Popen([mct, command, edges, "-o", str(directory), *OPTIONS[command], *more],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(process):
    output = process.communicate()[0]
    if process.returncode != 0:
        raise SystemExit(f"exit code {process.returncode}: {output}")


def kill_often(begin, directory):
    """Runs until it is killed, up to KILLS times; how often it was at work."""
    generator = random.Random(1)
    at_work = 0
    for i in range(KILLS):
        process = begin(directory, *(["--resume"] if (directory / "run.json").exists() else []))
        time.sleep(generator.uniform(0.01, 0.12))
        at_work += process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
    return at_work


def interrupt(begin, directory, compare_with_whole):
    process = begin(directory)
    while not list(directory.glob("*checkpoint.safetensors")):
        time.sleep(0.005)
    process.send_signal(signal.SIGSTOP)
    output = begin(directory, "--resume").communicate()[0]
    process.send_signal(signal.SIGCONT)
    if "another process is at work" not in output:
        print("two processes in one directory:", output)
        return False
    process.send_signal(signal.SIGINT)
    output = process.communicate()[0]
    if process.returncode != 130 or "--resume goes on" not in output:
        print("ctrl-C: exit code", process.returncode, output)
        return False
    output = begin(directory, "--resume", "--lr", "0.5").communicate()[0]
    if "its lr is" not in output:
        print("a run of another rate was resumed:", output)
        return False
    finish(begin(directory, "--resume"))
    return compare_with_whole(directory)


def ignore_interrupt(begin, directory):
    """A process that was started with SIGINT ignored, as in a script's background, goes on."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    process = begin(directory)
    signal.signal(signal.SIGINT, handler)
    while not list(directory.glob("*checkpoint.safetensors")):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    finish(process)
    return True


def content(path):
    """Of a log of cones, all but the times."""
    if path.name != "cones.jsonl":
        return path.read_bytes()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def compare(names, whole, broken):
    for name in names:
        if content(whole / name) != content(broken / name):
            print(name, "differs in", broken)
            return False
    return True


def main(mct, edges, command):
    # what ignores it would start processes that do
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def begin(directory, *more):
        return start(mct, command, edges, directory, *more)

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        whole, broken = folder / "whole", folder / "broken"
        finish(begin(whole))
        at_work = kill_often(begin, broken)
        if at_work < KILLS // 2:
            print("only", at_work, "of", KILLS, "kills met a process at work")
            return 1
        finish(begin(broken, "--resume"))
        if {path.name for path in whole.iterdir()} != {path.name for path in broken.iterdir()}:
            print("other files:", *broken.iterdir())
            return 1

        def same(directory):
            return compare(SAME[command], whole, directory)

        if not same(broken) or not interrupt(begin, folder / "stopped", same) \
                or not ignore_interrupt(begin, folder / "ignored"):
            return 1
        leftover = [path for path in folder.rglob("*") if "tmp" in path.name]
        for path in leftover:
            print("left over:", path)
        return 1 if leftover else 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in OPTIONS:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
